"""Shell scripts that publish values with Cloudify's command ``ctx``, for engines that do not have it.

The script plugin gives a script the command (cloudify-common: script_runner/tasks.py, cloudify/proxy/client.py). A
function of the same name takes its place in the shell. It knows what can be known elsewhere: messages for the log,
properties and runtime properties of the node, or of both sides of a relationship, the address of their machines, and
files of the blueprint."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from bpconvert.models.light import NamedTuple
from bpconvert.translators.passes.capabilities import EngineValue, Published
from bpconvert.translators.support.text import fresh

_SHELL: Final = re.compile(r"#!\s*\S*?/?(env\s+)?\S*\bsh|#!\s*\S*\bbash")
_SHELLS: Final = (".sh", ".bash")
_SH: Final = "#!/bin/sh"
_WORD: Final = re.compile(r"(?<![\w.$/-])ctx(?![\w=.-])")
#: what stands before a command
_BEFORE: Final = re.compile(r"(^|[;&|({`!]|\b(?:then|do|else|elif|if|while|until))[ \t]*$", re.MULTILINE)
_LOG: Final = re.compile(r"ctx[ \t]+logger[ \t]+(debug|info|warn|warning|error|critical|exception)\b")
_NAME: Final = r"[ \t]+(?P<quote>[\"']?)(?P<name>[A-Za-z_]\w*)(?P=quote)(?![\w.\"'/$-])"
_SIDE: Final = r"ctx[ \t]+(?:(?P<side>source|target)[ \t]+)?"
_RUNTIME: Final = re.compile(rf"{_SIDE}instance[ \t]+runtime[-_]properties{_NAME}")
_PROPERTY: Final = re.compile(rf"{_SIDE}node[ \t]+properties{_NAME}")
_ADDRESS: Final = re.compile(rf"{_SIDE}instance[ \t]+host[-_]ip\b")
_NODE_NAME: Final = re.compile(rf"{_SIDE}node[ \t]+name\b")
_INSTANCE: Final = re.compile(r"ctx[ \t]+(?P<side>)instance[ \t]+id\b")
_DEPLOYMENT: Final = re.compile(r"ctx[ \t]+deployment[ \t]+id\b")
_EXECUTION: Final = re.compile(r"ctx[ \t]+execution[-_]id\b")
_ABORT: Final = re.compile(r"ctx[ \t]+abort[-_]operation\b")
_RESOURCE: Final = re.compile(
    r"ctx[ \t]+download[-_]resource[ \t]+(?P<quote>[\"']?)(?P<name>[\w./+-]+)(?P=quote)(?=[\s;&|)`]|$)"
    r"(?P<json>[ \t]+'@\{\"target_path\":[ ]*\"[^\"']*\"\}'(?=[\s;&|)`]|$))?(?![ \t]+[\"']?@)"
)
#: what ends a command, or is no word of it any more
_END: Final = re.compile(r"[ \t]*($|[;&|)`]|\d?>)", re.MULTILINE)
#: a list or a map as JSON, which is a text elsewhere, or JSON that is computed
_JSON: Final = re.compile(r"[ \t]+[\"']?@[\"'\\]?[\[{$`]")
#: a text in the script, which may be another script: its delimiter, quoted where the shell leaves the text as it is
_DOCUMENT: Final = re.compile(r"(?<!<)<<(?!<)(?P<tabs>-?)[ \t]*(?P<quote>[\"'\\]?)(?P<end>\w+)[^\n]*\n")
#: what runs in a shell of its own, whose variables nothing else sees
_SUBSHELL: Final = re.compile(r"(?<!\|)\|(?!\|)[ \t]*(?:while|until|for|if|case|[{(])|^[ \t]*\([ \t]*$", re.MULTILINE)
_INNER: Final = re.compile(r"(?:[(`]|(?<!\|)\|)[ \t]*$")
_COMMENT: Final = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_FUNCTION: Final = """\
# what Cloudify's command ctx does for this script
ctx() {{
{sides}    case "$1" in
    logger)
        shift 2
        echo "$*" >&2
        ;;
{more}    instance)
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
#: what it does first in the script of a relationship, and where addresses of machines or names are asked for
_SIDES: Final = """\
    ctx_side=
    case "$1" in
    source | target)
        ctx_side=$1_
        shift
        ;;
    esac
"""
_FACTS: Final = """\
    case "$1 $2" in
{cases}    esac
"""
_FACT: Final = """\
    {pattern})
        {command}
        return
        ;;
"""
#: what is asked for -> how, and the command that answers, with the text in a variable; an id of an instance is made of
#: the name of its node and the id of its machine
_ANSWERS: Final = {
    "address": ('"instance host_ip" | "instance host-ip"', 'eval "printf \'%s\\n\' \\"\\${{{prefix}host_ip-}}\\""'),
    "name": ('"node name"', 'eval "printf \'%s\\n\' \\"\\${{{prefix}name-}}\\""'),
    "id": ('"instance id"', 'printf \'%s_%s\\n\' "${{ctx_name-}}" "$(cut -c 1-6 /etc/machine-id)"'),
    "deployment": ('"deployment id"', "printf '%s\\n' \"${{ctx_deployment_id-}}\""),
}
#: the same for all scripts that a machine runs until it starts again
_ID: Final = """\
    execution-id | execution_id)
        cat /proc/sys/kernel/random/boot_id
        ;;
"""
_FAILURE: Final = """\
    abort-operation | abort_operation)
        shift
        echo "$*" >&2
        exit 1
        ;;
"""
_END_OF_FUNCTION: Final = "# -- end of ctx\n"
#: what the function does for files of the blueprint, and for one of them: its text as it is, or with a line's end more
_RESOURCES: Final = """\
    download-resource | download_resource)
        ctx_file=${{3:-$(mktemp)}}
{json}        case "$2" in
{cases}        esac
        printf '%s\\n' "$ctx_file"
        ;;
"""
#: the path in the text of a map
_PATH: Final = """\
        case "$ctx_file" in
        @*)
            ctx_file=${ctx_file#*:*\\"}
            ctx_file=${ctx_file%\\"*}
            ;;
        esac
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
#: what the function reads -> how its variables go on, behind the side of a relationship
_VARIABLES: Final = {"value": "instance_", "property": "node_", "address": "host_ip", "name": "name", "id": "name"}
#: the same -> how a script asks for it
_FORMS: Final = {
    "value": _RUNTIME, "property": _PROPERTY, "address": _ADDRESS, "name": _NODE_NAME, "id": _INSTANCE,
}  # fmt: skip
_MADE: Final = re.compile(rf"# what Cloudify's command ctx does for this script\n.*?{_END_OF_FUNCTION}", re.DOTALL)


class _Uses(NamedTuple):
    """What a script does with the command: what it sets, asks for and takes as files; ``sides``: of a relationship, or
    "" for the node itself; ``blocks``: more that the function has to do for it; ``facts``: what it has to answer."""

    sets: dict[str, None]
    asks: dict[EngineValue, None]
    resources: dict[str, str]
    sides: set[str]
    blocks: dict[str, None]
    facts: set[str]


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
    commands = _COMMENT.sub("", body)
    uses = _uses(commands, read) if _runs_in_documents(body) else None
    if uses is None:
        return None
    if not _WORD.search(commands):
        return Published(f"{first}\n{body}", code="BPC433") if body is text else None
    whole = f"{first}\n{_function(uses, publish)}{_END_OF_FUNCTION}{body}"
    return Published(whole, (*uses.sets,), (*uses.asks,), "BPC431", (*uses.resources,), frozenset(uses.sides))


def _uses(commands: str, read: Callable[[str], str | None]) -> _Uses | None:
    """What a script does with the command; None where the function cannot do one of these things."""
    uses = _Uses({}, {}, {}, set(), {}, set())
    for command in _WORD.finditer(commands):
        start = command.start()
        before = commands[commands.rfind("\n", 0, start) + 1 : start]
        is_inner = _INNER.search(before) is not None or _SUBSHELL.search(commands) is not None
        if not _BEFORE.search(before) or not _add(uses, commands, start, is_inner, read):
            return None
    texts = "".join(uses.resources.values())
    is_large = len(texts) > _MOST or _END_OF_FUNCTION in texts
    is_mixed = "" in uses.sides and len(uses.sides) > 1  # in Cloudify there is a node, or two sides
    return None if is_large or is_mixed or not all(uses.resources.values()) else uses


def _add(uses: _Uses, commands: str, start: int, is_inner: bool, read: Callable[[str], str | None]) -> bool:
    """Add what one command does; False for what the function cannot do. ``is_inner``: in a shell of its own, whose
    variables and end nothing else sees."""
    if _LOG.match(commands, start):
        return True
    if _EXECUTION.match(commands, start):
        uses.blocks[_ID] = None
        return True
    if _DEPLOYMENT.match(commands, start):
        uses.asks[EngineValue("deployment", "", "", "ctx_deployment_id")] = None
        uses.facts.add("deployment")
        return True
    if _ABORT.match(commands, start):
        uses.blocks[_FAILURE] = None
        return not is_inner
    resource = _RESOURCE.match(commands, start)
    if resource is not None:
        uses.resources[resource["name"]] = read(resource["name"]) or ""
        uses.blocks.update({_PATH: None} if resource["json"] else {})
        return True
    runtime = _RUNTIME.match(commands, start)
    if runtime is not None and not _END.match(commands, runtime.end()):
        uses.sets[runtime["name"]] = None
        uses.sides.add(runtime["side"] or "")
        return not is_inner and runtime["side"] != "target" and _JSON.match(commands, runtime.end()) is None
    for what, form in _FORMS.items():
        asked = form.match(commands, start)
        if asked is not None and _END.match(commands, asked.end()):
            side, name = asked["side"] or "", asked.groupdict().get("name", "")
            prefix = f"ctx_{side}_" if side else "ctx_"
            kind = "name" if what == "id" else what
            uses.asks[EngineValue(kind, side, name, f"{prefix}{_VARIABLES[what]}{name}")] = None
            uses.facts.add(what)
            uses.sides.add(side)
            return True
    return False


def _function(uses: _Uses, publish: str) -> str:
    """The function for what a script does."""
    prefix = "ctx_${ctx_side}" if uses.sides - {""} else "ctx_"
    answers = [
        _FACT.format(pattern=pattern, command=command.format(prefix=prefix))
        for what, (pattern, command) in _ANSWERS.items()
        if what in uses.facts
    ]
    return _FUNCTION.format(
        sides=(_SIDES if uses.sides - {""} else "") + (_FACTS.format(cases="".join(answers)) if answers else ""),
        more="".join(block for block in uses.blocks if block != _PATH),
        instance=f"{prefix}{_VARIABLES['value']}",
        node=f"{prefix}{_VARIABLES['property']}",
        publish=publish,
        resources=_files(uses.resources, _PATH if _PATH in uses.blocks else ""),
    )


def _files(resources: dict[str, str], json: str) -> str:
    """What the function does to write files of the blueprint, given by name and text; "" for none."""
    cases = []
    for name, text in resources.items():
        end = fresh(_END_OF_FILE, text.splitlines())
        form = _LINES if text.endswith("\n") else _NO_LINES
        cases.append(form.format(name=name, text=text, end=end))
    return _RESOURCES.format(cases="".join(cases), json=json) if cases else ""


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
    return _MADE.sub("", text)


def unpublished(file: str, text: str) -> Published | None:
    """The script ``text`` of a file with the command in place of the function that :func:`published` has put there, and
    what it does with it; None for one that has no such function, or does something else as well by now."""
    plain = bare(text)
    script = published(file, plain, "") if plain != text else None
    return None if script is None else script._replace(text=plain, code="BPC959")
