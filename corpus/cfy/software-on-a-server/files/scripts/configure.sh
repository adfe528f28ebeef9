#!/bin/sh
echo "port=$port" > /etc/app.conf
