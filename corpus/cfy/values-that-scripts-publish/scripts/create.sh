#!/bin/bash -e
# ctx is there for messages, properties and values
ctx logger info "installing"
PORT=$(ctx node properties port)
TOKEN=$(hexdump -n 8 /dev/urandom)
ctx instance runtime-properties token "$TOKEN-$PORT"
