"""Shell scripts that publish values with Cloudify's command ``ctx``, for engines that do not have it.

The script plugin gives a script the command (cloudify-common: script_runner/tasks.py, cloudify/proxy/client.py). A
function of the same name takes its place in the shell. It knows what can be known elsewhere: messages for the log,
properties of the node, and runtime properties of the node's own instance."""

from __future__ import annotations

import re
from typing import Final

from bpconvert.translators.passes.capabilities import Published

_SHELL: Final = re.compile(r"#!\s*\S*?/?(env\s+)?\S*\bsh|#!\s*\S*\bbash")
_SHELLS: Final = (".sh", ".bash")
_SH: Final = "#!/bin/sh"
_WORD: Final = re.compile(r"(?<![\w.$/-])ctx(?![\w=.-])")
#: what stands before a command
_BEFORE: Final = re.compile(r"(^|[;&|({`!]|\b(?:then|do|else|elif|if|while|until))[ \t]*$", re.MULTILINE)
_LOG: Final = re.compile(r"ctx[ \t]+logger[ \t]+(debug|info|warn|warning|error|critical|exception)\b")
_NAME: Final = r"[ \t]+(?P<quote>[\"']?)(?P<name>[A-Za-z_]\w*)(?P=quote)(?![\w.\"'/$-])"
_RUNTIME: Final = re.compile(rf"ctx[ \t]+instance[ \t]+runtime[-_]properties{_NAME}")
_PROPERTY: Final = re.compile(rf"ctx[ \t]+node[ \t]+properties{_NAME}")
#: what ends a command, or is no word of it any more
_END: Final = re.compile(r"[ \t]*($|[;&|)`]|\d?>)", re.MULTILINE)
#: a list or a map as JSON, which is a text elsewhere, or JSON that is computed
_JSON: Final = re.compile(r"[ \t]+[\"']?@[\"'\\]?[\[{$`]")
#: a text in the script, which may be another script
_DOCUMENT: Final = re.compile(r"(?<!<)<<(?!<)")
_COMMENT: Final = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_FUNCTION: Final = """\
# what Cloudify's command ctx does for this script
ctx() {{
    case "$1" in
    logger)
        shift 2
        echo "$*" >&2
        ;;
    instance)
        if [ $# -gt 3 ]; then
            ctx_value=${{4#@}}
            eval "{instance}$3=\\$ctx_value"
{publish}
        else
            eval "printf '%s\\n' \\"\\${{{instance}$3-}}\\""
        fi
        ;;
    node)
        eval "printf '%s\\n' \\"\\${{{node}$3-}}\\""
        ;;
    esac
}}
# -- end of ctx
"""
#: how the variables begin that the function reads
INSTANCE: Final = "ctx_instance_"
NODE: Final = "ctx_node_"
_MADE: Final = re.compile(r"# what Cloudify's command ctx does for this script\n.*?# -- end of ctx\n", re.DOTALL)


def published(file: str, text: str, publish: str) -> Published | None:
    """The shell script ``text`` of a file with a function in place of the command, and what it does with it; None for
    one that is none, does something else, or needs no change. ``publish``: what the target's engine takes for an
    output, as commands of a shell with ``$3`` and ``$ctx_value``. A script that does not name what runs it is run by
    ``sh`` (script_runner/tasks.py, ``execute``)."""
    first, _, body = text.partition("\n")
    if first.startswith("#!"):
        if not _SHELL.match(first) or not _WORD.search(body):
            return None
    elif not file.lower().endswith(_SHELLS):
        return None
    else:
        first, body = _SH, text
    sets: list[str] = []
    gets: list[str] = []
    properties: list[str] = []
    commands = _COMMENT.sub("", body)
    if _DOCUMENT.search(commands) and _WORD.search(commands):
        return None
    for command in _WORD.finditer(commands):
        start = command.start()
        if not _BEFORE.search(commands[commands.rfind("\n", 0, start) + 1 : start]):
            return None
        if _LOG.match(commands, start):
            continue
        runtime, value = _RUNTIME.match(commands, start), _PROPERTY.match(commands, start)
        if runtime is not None and not _JSON.match(commands, runtime.end()):
            (gets if _END.match(commands, runtime.end()) else sets).append(runtime["name"])
        elif value is not None and _END.match(commands, value.end()):
            properties.append(value["name"])
        else:
            return None
    if not _WORD.search(commands):
        return Published(f"{first}\n{body}", code="BPC433") if body is text else None
    functions = _FUNCTION.format(instance=INSTANCE, node=NODE, publish=publish)
    names = [tuple(dict.fromkeys(words)) for words in (sets, gets, properties)]
    return Published(f"{first}\n{functions}{body}", names[0], names[1], names[2], INSTANCE, NODE, "BPC431")


def bare(text: str) -> str:
    """A script without the function that :func:`published` adds."""
    return _MADE.sub("", text, count=1)


def unpublished(file: str, text: str) -> Published | None:
    """The script ``text`` of a file with the command in place of the function that :func:`published` has put there, and
    what it does with it; None for one that has no such function, or does something else as well by now."""
    plain = bare(text)
    script = published(file, plain, "") if plain != text else None
    return None if script is None else script._replace(text=plain, code="BPC959")
