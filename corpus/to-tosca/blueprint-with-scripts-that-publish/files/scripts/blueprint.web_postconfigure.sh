#!/bin/sh
# what Cloudify's command ctx does for this script
ctx() {
    ctx_side=
    case "$1" in
    source | target)
        ctx_side=$1_
        shift
        ;;
    esac
    case "$1 $2" in
    "instance host_ip" | "instance host-ip")
        eval "printf '%s\n' \"\${ctx_${ctx_side}host_ip-}\""
        return
        ;;
    "node name")
        eval "printf '%s\n' \"\${ctx_${ctx_side}name-}\""
        return
        ;;
    esac
    case "$1" in
    logger)
        shift 2
        echo "$*" >&2
        ;;
    execution-id | execution_id)
        cat /proc/sys/kernel/random/boot_id
        ;;
    abort-operation | abort_operation)
        shift
        echo "$*" >&2
        exit 1
        ;;
    instance)
        if [ $# -gt 3 ]; then
            ctx_value=${4#@}
            eval "ctx_${ctx_side}instance_$3=\$ctx_value"
            export "$3=$ctx_value"
            if [ -n "${heat_outputs_path-}" ]; then printf '%s' "$ctx_value" >"$heat_outputs_path.$3"; fi
        else
            eval "printf '%s\n' \"\${ctx_${ctx_side}instance_$3-}\""
        fi
        ;;
    node)
        eval "printf '%s\n' \"\${ctx_${ctx_side}node_$3-}\""
        ;;
    esac
}
# -- end of ctx
dir=/tmp/$(ctx execution-id)
mkdir -p "$dir" || ctx abort-operation "no folder $dir"
ctx logger info "$(ctx source node name) joins $(ctx target node name)"
ctx source instance runtime_properties url "http://$(ctx target instance host_ip)/$(ctx target instance runtime_properties token)"
