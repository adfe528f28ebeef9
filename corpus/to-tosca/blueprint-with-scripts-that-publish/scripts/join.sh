#!/bin/sh
dir=/tmp/$(ctx execution-id)
mkdir -p "$dir" || ctx abort-operation "no folder $dir"
ctx logger info "$(ctx source node name) joins $(ctx target node name)"
ctx source instance runtime_properties url "http://$(ctx target instance host_ip)/$(ctx target instance runtime_properties token)"
