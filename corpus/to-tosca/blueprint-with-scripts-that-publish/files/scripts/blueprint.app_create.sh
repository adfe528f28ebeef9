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
    download-resource | download_resource)
        ctx_file=${3:-$(mktemp)}
        case "$2" in
        conf/app.conf)
            cat >"$ctx_file" <<'END_OF_FILE'
listen 80
name $(hostname)
END_OF_FILE
            ;;
        esac
        printf '%s\n' "$ctx_file"
        ;;
    esac
}
# -- end of ctx
ctx download-resource conf/app.conf /etc/app.conf
ctx instance runtime-properties token $(hostname)
