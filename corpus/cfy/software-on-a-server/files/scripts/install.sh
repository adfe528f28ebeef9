#!/bin/sh
ctx logger info "installing"
