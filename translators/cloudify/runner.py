"""The script that runs a script as the script hook of Heat's agent does (heat-agents: heat-config-script), where
Cloudify's own runner cannot: the text is only known at run time, or its outputs are used."""

from __future__ import annotations

from typing import Final

from bpconvert.translators.passes.capabilities import Runner
from bpconvert.translators.passes.software.kinds import PUBLISHED

#: where it is in the bundle
PATH: Final = "scripts/heat_script.sh"
#: its own inputs: the script as a path in the bundle or as text, the outputs that become runtime properties, and the
#: outputs whose presence is a failure (names with spaces between)
FILE: Final = "heat_script_file"
TEXT: Final = "heat_script_text"
OUTPUTS: Final = "heat_script_outputs"
ERRORS: Final = "heat_script_errors"
SCRIPT: Final = r"""#!/bin/sh
# Runs a script as the script hook of Heat's agent does.
#
#   heat_script_file     the script, as a path in the blueprint's folder
#   heat_script_text     or its text
#   heat_script_outputs  outputs to keep as runtime properties; a script writes output x to "$heat_outputs_path.x"
#   heat_script_errors   outputs that mean failure when they are there
#
# All other inputs are environment variables of the script. The exit code is that of the script.
umask 077
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
script=$folder/script
if [ -n "${heat_script_file:-}" ]; then
    ctx download-resource "$heat_script_file" "$script" >/dev/null || exit 1
else
    printf '%s' "${heat_script_text:-}" >"$script" || exit 1
fi
chmod 700 "$script" || exit 1
outputs=${heat_script_outputs:-}
errors=${heat_script_errors:-}
unset heat_script_file heat_script_text heat_script_outputs heat_script_errors
heat_outputs_path=$folder/output
export heat_outputs_path

"$script" >"$folder/stdout" 2>"$folder/stderr"
code=$?
cat "$folder/stdout"
cat "$folder/stderr" >&2

failed=0
plain=$(printf '\001')
# keep NAME FILE: the content, exactly (a prefix that no text has, so that none is read as JSON); the end of a long one
keep() {
    value=$(tail -c 100000 "$2"; printf x)
    ctx --json-arg-prefix "$plain" -- instance runtime-properties "$1" "${value%x}" >/dev/null || failed=1
}
for name in $outputs; do
    case $name in
    deploy_stdout) keep "$name" "$folder/stdout" ;;
    deploy_stderr) keep "$name" "$folder/stderr" ;;
    deploy_status_code) ctx instance runtime-properties "$name" "@$code" >/dev/null || failed=1 ;;
    *) if [ -f "$heat_outputs_path.$name" ]; then keep "$name" "$heat_outputs_path.$name"; fi ;;
    esac
done
for name in $errors; do
    if [ -f "$heat_outputs_path.$name" ]; then
        echo "output $name means failure:" >&2
        cat "$heat_outputs_path.$name" >&2
        failed=1
    fi
done
[ "$code" -ne 0 ] || code=$failed
exit "$code"
"""

RUNNER: Final = Runner(PATH, FILE, TEXT, OUTPUTS, ERRORS, PUBLISHED, SCRIPT)
