"""Shell scripts that publish values with Cloudify's command ``ctx``, for engines that do not have it.

The script plugin gives a script the command (cloudify-common: script_runner/tasks.py, cloudify/proxy/client.py). A
function of the same name takes its place in the shell. It knows what can be known elsewhere: messages for the log,
properties of the node, runtime properties of the node's own instance, and files of the blueprint."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from bpconvert.translators.passes.capabilities import Published
from bpconvert.translators.support.text import fresh

_SHELL: Final = re.compile(r"#!\s*\S*?/?(env\s+)?\S*\bsh|#!\s*\S*\bbash")
_SHELLS: Final = (".sh", ".bash")
_SH: Final = "#!/bin/sh"
_WORD: Final = re.compile(r"(?<![\w.$/-])ctx(?![\w=.-])")
#: what stands before a command
_BEFORE: Final = re.compile(r"(^|[;&|({`!]|\b(?:then|do|else|elif|if|while|until))[ \t]*$", re.MULTILINE)
_LOG: Final = re.compile(r"ctx[ \t]+logger[ \t]+(debug|info|warn|warning|error|critical|exception)\b")
_NAME: Final = r"[ \t]+(?P<quote>[\"']?)(?P<name>[A-Za-z_]\w*)(?P=quote)(?![\w.\"'/$-])"
_RUNTIME: Final = re.compile(rf"ctx[ \t]+instance[ \t]+runtime[-_]properties{_NAME}")
_RESOURCE: Final = re.compile(
    r"ctx[ \t]+download[-_]resource[ \t]+(?P<quote>[\"']?)(?P<name>[\w./+-]+)(?P=quote)(?=[\s;&|)`]|$)"
)
_PROPERTY: Final = re.compile(rf"ctx[ \t]+node[ \t]+properties{_NAME}")
#: what ends a command, or is no word of it any more
_END: Final = re.compile(r"[ \t]*($|[;&|)`]|\d?>)", re.MULTILINE)
#: a list or a map as JSON, which is a text elsewhere, or JSON that is computed
_JSON: Final = re.compile(r"[ \t]+[\"']?@[\"'\\]?[\[{$`]")
#: a text in the script, which may be another script: its delimiter, quoted where the shell leaves the text as it is
_DOCUMENT: Final = re.compile(r"(?<!<)<<(?!<)(?P<tabs>-?)[ \t]*(?P<quote>[\"'\\]?)(?P<end>\w+)[^\n]*\n")
#: what runs in a shell of its own, whose variables nothing else sees
_SUBSHELL: Final = re.compile(r"(?<!\|)\|(?!\|)[ \t]*(?:while|until|for|if|case|[{(])|^[ \t]*\([ \t]*$", re.MULTILINE)
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
{resources}    esac
}}
"""
_END_OF_FUNCTION: Final = "# -- end of ctx\n"
#: what the function does for files of the blueprint, and for one of them: its text as it is, or with a line's end more
_RESOURCES: Final = """\
    download-resource | download_resource)
        ctx_file=${{3:-$(mktemp)}}
        case "$2" in
{cases}        esac
        printf '%s\\n' "$ctx_file"
        ;;
"""
_LINES: Final = """\
        {name})
            cat >"$ctx_file" <<'{end}'
{text}{end}
            ;;
"""
_NO_LINES: Final = """\
        {name})
            printf '%s' "$(
                cat <<'{end}'
{text}
{end}
            )" >"$ctx_file"
            ;;
"""
_END_OF_FILE: Final = "END_OF_FILE"
#: so many characters of files a script may have in it
_MOST: Final = 32_768
#: how the variables begin that the function reads
INSTANCE: Final = "ctx_instance_"
NODE: Final = "ctx_node_"
_MADE: Final = re.compile(rf"# what Cloudify's command ctx does for this script\n.*?{_END_OF_FUNCTION}", re.DOTALL)


def published(
    file: str, text: str, publish: str, read: Callable[[str], str | None] = lambda name: None
) -> Published | None:
    """The shell script ``text`` of a file with a function in place of the command, and what it does with it; None for
    one that is none, does something else, or needs no change. ``publish``: what the target's engine takes for an
    output, as commands of a shell with ``$3`` and ``$ctx_value``; ``read``: the text of a file of the blueprint, None
    for none. A script that does not name what runs it is run by ``sh`` (script_runner/tasks.py, ``execute``)."""
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
    resources: dict[str, str] = {}
    commands = _COMMENT.sub("", body)
    if not _runs_in_documents(body):
        return None
    for command in _WORD.finditer(commands):
        start = command.start()
        before = commands[commands.rfind("\n", 0, start) + 1 : start]
        if not _BEFORE.search(before):
            return None
        if _LOG.match(commands, start):
            continue
        runtime, value = _RUNTIME.match(commands, start), _PROPERTY.match(commands, start)
        if runtime is not None and not _JSON.match(commands, runtime.end()):
            is_read = _END.match(commands, runtime.end())
            if not is_read and (before.rstrip().endswith(("(", "`", "|")) or _SUBSHELL.search(commands)):
                return None
            (gets if is_read else sets).append(runtime["name"])
        elif value is not None and _END.match(commands, value.end()):
            properties.append(value["name"])
        elif (resource := _RESOURCE.match(commands, start)) is not None:
            resources[resource["name"]] = read(resource["name"]) or ""
        else:
            return None
    texts = "".join(resources.values())
    if not all(resources.values()) or len(texts) > _MOST or _END_OF_FUNCTION in texts:
        return None
    if not _WORD.search(commands):
        return Published(f"{first}\n{body}", code="BPC433") if body is text else None
    functions = _FUNCTION.format(instance=INSTANCE, node=NODE, publish=publish, resources=_files(resources))
    names = [tuple(dict.fromkeys(words)) for words in (sets, gets, properties)]
    whole = f"{first}\n{functions}{_END_OF_FUNCTION}{body}"
    return Published(whole, names[0], names[1], names[2], INSTANCE, NODE, "BPC431", tuple(resources))


def _files(resources: dict[str, str]) -> str:
    """What the function does to write files of the blueprint, given by name and text; "" for none."""
    cases = []
    for name, text in resources.items():
        end = fresh(_END_OF_FILE, text.splitlines())
        form = _LINES if text.endswith("\n") else _NO_LINES
        cases.append(form.format(name=name, text=text, end=end))
    return _RESOURCES.format(cases="".join(cases)) if cases else ""


def _runs_in_documents(body: str) -> bool:
    """False where a text in the script has the command, unless the shell runs it when it reads the text."""
    place = 0
    while (document := _DOCUMENT.search(body, place)) is not None:
        indent = r"\t*" if document["tabs"] else ""
        end = re.compile(rf"^{indent}{document['end']}$", re.MULTILINE).search(body, document.end())
        text = body[document.end() : end.start() if end is not None else len(body)]
        for command in _WORD.finditer(text):
            if document["quote"] or not text[: command.start()].rstrip(" \t").endswith(("$(", "`")):
                return False
        place = document.end() + len(text)
    return True


def bare(text: str) -> str:
    """A script without the function that :func:`published` adds."""
    return _MADE.sub("", text, count=1)


def unpublished(file: str, text: str) -> Published | None:
    """The script ``text`` of a file with the command in place of the function that :func:`published` has put there, and
    what it does with it; None for one that has no such function, or does something else as well by now."""
    plain = bare(text)
    script = published(file, plain, "") if plain != text else None
    return None if script is None else script._replace(text=plain, code="BPC959")
