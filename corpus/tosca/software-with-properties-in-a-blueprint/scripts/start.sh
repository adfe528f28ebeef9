#!/bin/bash
# what Cloudify's command ctx does for this script
ctx() {
    case "$1" in
    logger)
        shift 2
        echo "$*" >&2
        ;;
    instance)
        if [ $# -gt 3 ]; then
            ctx_value=${4#@}
            eval "ctx_instance_$3=\$ctx_value"
            export "$3=$ctx_value"
            if [ -n "${heat_outputs_path-}" ]; then printf '%s' "$ctx_value" >"$heat_outputs_path.$3"; fi
        else
            eval "printf '%s\n' \"\${ctx_instance_$3-}\""
        fi
        ;;
    node)
        eval "printf '%s\n' \"\${ctx_node_$3-}\""
        ;;
    esac
}
# -- end of ctx
systemctl start "app@$(ctx node properties port)"
