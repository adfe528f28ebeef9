"""Which case of the corpus shows what becomes of a function: the links of docs/functions.md.

A case is read as it is in the corpus: its source, what is expected of it, and the expected findings. A call shows a
form (:data:`FORMS`) where a finding of that form stands at the very place of the call, or, for a call that
is written directly, where nothing is found there and the result has the target's call at the counterpart of its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, Final, NamedTuple

from bpconvert.diagnostics.codes import CODES
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path
from bpconvert.models.hot_versions import LATEST, nearest_version
from bpconvert.translators.cloudify.calls import called
from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.hot.functions import Reader, functions_of
from bpconvert.yamlio.document import Document, load

#: form -> what it means
FORMS: Final = {
    "directly": "by a function of the target, or a relationship, that means the same",
    "in other words": "by other functions, or piece by piece; both engines compute the same",
    "computed": "all that it needs is in the document: the result is written",
    "nearly": "the finding says when the value differs",
    "by a node": "a node computes it by a script when it is created; everything else refers to its result",
    "asked for": "a resource or node uses the value: it is required when deploying",
    "as data": "in a stand-in, which creates nothing: the call stands there as data",
    "as text": "only an output uses the value: the call stands there as text",
    "always": "the condition has no form: what depends on it is always there",
}

_NEARLY_IN_A_BLUEPRINT: Final = (
    "BPC207", "BPC209", "BPC211", "BPC225", "BPC304", "BPC305", "BPC310", "BPC348", "BPC407", "BPC744", "BPC746",
    "BPC747",
)  # fmt: skip
_NEARLY_IN_HOT: Final = (
    "BPC234", "BPC238", "BPC239", "BPC240", "BPC241", "BPC243", "BPC244", "BPC247", "BPC248", "BPC249", "BPC360",
    "BPC361", "BPC420", "BPC421", "BPC752",
)  # fmt: skip
#: finding -> the form of the call at its place
SHOWN_BY: Final = {
    "BPC223": "in other words", "BPC730": "in other words", "BPC736": "in other words", "BPC402": "in other words",
    "BPC233": "in other words",
    "BPC222": "computed", "BPC614": "computed", "BPC235": "computed",
    **dict.fromkeys((*_NEARLY_IN_A_BLUEPRINT, *_NEARLY_IN_HOT), "nearly"),
    "BPC215": "by a node",
    "BPC201": "asked for", "BPC702": "asked for", "BPC230": "asked for", "BPC245": "asked for",
    "BPC231": "as data",
    "BPC202": "as text", "BPC232": "as text",
    "BPC401": "always", "BPC406": "always",
}  # fmt: skip
#: findings at an argument that tell what becomes of the call that it is an argument of, all "nearly"
AT_ARGUMENTS: Final = frozenset({"BPC203", "BPC227", "BPC228"})
#: the forms of a condition are those of what it decides; only the outermost call of a condition is to blame for these,
#: and a parameter, which always has a form, is not
_OUTERMOST_ONLY: Final = {"by a node", "asked for", "as text", "always"}


class Call(NamedTuple):
    """A call in a source. ``context``: ``value`` or ``condition``. ``deciding``: places of what the condition that
    the call is part of decides; ``outermost``: the call is the whole condition."""

    name: str
    argument: Any
    path: Path
    context: str = "value"
    deciding: tuple[Path, ...] = ()
    outermost: bool = False


class Example(NamedTuple):
    """``case`` shows ``function`` in ``form``; ``code``: the finding that says so, None where nothing is found."""

    function: str
    context: str
    form: str
    code: str | None
    case: str


@dataclass
class ReadCase:
    """One case: its source, the expected document, the expected findings as ``(line, column, code, text)``."""

    name: str
    document: Document
    target: Any
    findings: list[tuple[int, int, str, str]]

    def codes_at(self, path: Path) -> list[str]:
        """The codes of the findings at a place of the source."""
        place, start = self.document.locate(path), f"{_dotted(path)} "
        return [code for *at, code, text in self.findings if tuple(at) == tuple(place) and text.startswith(start)]

    def is_quiet(self, path: Path) -> bool:
        """True where nothing is found at the place, inside it, nor at what it is part of."""
        inner = (f"{_dotted(path)} ", f"{_dotted(path)}.")
        around = tuple(f"{_dotted(outer)} " for outer in _prefixes(path) if len(outer) > 2)
        return not any(text.startswith((*inner, *around)) for *_, text in self.findings)

    def is_faithful(self, path: Path) -> bool:
        """True where the findings at the place and inside it promise the same meaning."""
        inner = (f"{_dotted(path)} ", f"{_dotted(path)}.")
        found = [code for *_, code, text in self.findings if text.startswith(inner)]
        return all(CODES[code].fidelity in ("exact", "rewritten") for code in found)


def examples(root: File, folder: str) -> list[Example]:
    """What the cases in ``corpus/<folder>`` show, small cases first. Sources that the engine refuses show nothing."""
    direction = _DIRECTIONS[folder]
    places = [place.parent for place in (root / "corpus" / folder).glob(f"*/{direction.source}")]
    places = [place for place in places if (place / direction.target).is_file()]
    places = [place for place in places if not place.name.startswith("mistake-")]
    found: list[Example] = []
    for place in sorted(places, key=lambda one: ((one / direction.source).stat().st_size, one.name)):
        case = _read(place, direction)
        calls = list(direction.calls(case.document.data))
        for call in calls:
            examples_of = list(_forms(case, call, direction))
            found += examples_of
            pseudo = _first(call.argument) if call.name == "get_param" else None
            if pseudo in PSEUDO and pseudo not in (case.document.data.get("parameters") or {}):
                found += [one._replace(function=str(pseudo)) for one in examples_of]
        found += _at_arguments(case, calls)
    return list(dict.fromkeys(found))


def _read(place: File, direction: _Direction) -> ReadCase:
    expected = place / "diagnostics.txt"
    lines = expected.read_text("utf-8").splitlines() if expected.is_file() else []
    matches = [re.fullmatch(r"(\d+):(\d+) \w+ (BPC\d+) (.*)", line) for line in lines]
    findings = [(int(match[1]), int(match[2]), match[3], match[4]) for match in matches if match]
    target = load((place / direction.target).read_bytes()).data
    return ReadCase(place.name, load((place / direction.source).read_bytes()), target, findings)


def _forms(case: ReadCase, call: Call, direction: _Direction) -> Iterator[Example]:
    own = case.codes_at(call.path)
    decided = [(place, code) for place in call.deciding for code in case.codes_at(place)]
    for code in own:
        form = SHOWN_BY.get(code)
        if form == "computed" and _has_open_calls({call.name: call.argument}, direction):
            form = _computed_in_parts(case, call, direction)
        if form is not None and (form != "in other words" or case.is_faithful(call.path)):
            yield Example(call.name, call.context, form, code, case.name)
    if not any(SHOWN_BY.get(code) in ("computed", "nearly") for code in own):
        for place, code in decided:
            form = SHOWN_BY.get(code)
            blamed = call.outermost and call.name != "get_param" and _is_condition_to_blame(case.document.data, place)
            if form not in (None, "computed") and (blamed or form not in _OUTERMOST_ONLY):
                yield Example(call.name, call.context, form, code, case.name)
    if case.is_quiet(call.path):
        form = "directly" if direction.is_direct(case, call) else None
        if form is None and not _has_open_calls({call.name: call.argument}, direction) and call.context == "value":
            form = _computed_in_parts(case, call, direction)
        if form in ("directly", "computed"):
            yield Example(call.name, call.context, form, None, case.name)


def _is_condition_to_blame(source: Any, place: Path) -> bool:
    """True where nothing but the condition can be why what stands at the place was not converted: it is the condition
    of an entry, or an ``if`` between plain values."""
    for step in place:
        source = source[step]
    branches = source["if"][1:] if place[-1] != "condition" else []
    return not any(isinstance(branch, (dict, list)) for branch in branches)


def _at_arguments(case: ReadCase, calls: list[Call]) -> Iterator[Example]:
    by_path = {call.path: call for call in calls}
    for call in calls:
        around = [by_path[path] for path in _prefixes(call.path) if path in by_path]
        for code in sorted(AT_ARGUMENTS.intersection(case.codes_at(call.path))) if around else ():
            yield Example(around[-1].name, around[-1].context, "nearly", code, case.name)


def _prefixes(path: Path) -> Iterator[Path]:
    """What ``path`` is inside of, the outermost first."""
    return (path[:end] for end in range(1, len(path)))


def _computed_in_parts(case: ReadCase, call: Call, direction: _Direction) -> str | None:
    """The form of a call that is the value of an output: whether its result has calls in it. None elsewhere, where it
    is not known what the result is."""
    if call.path[0] != "outputs" or call.path[2:] != ("value",) or call.path[1] not in case.target.get("outputs", {}):
        return None
    value = case.target["outputs"][call.path[1]]["value"]
    return "in other words" if any(_maps(value, direction.in_target)) else "computed"


def _has_open_calls(value: Any, direction: _Direction) -> bool:
    return any(name in direction.never_known for name in _maps(value, _only_key))


# -- calls in sources and results ---------------------------------------------------------------------------


def _only_key(value: dict[Any, Any]) -> str | None:
    name = next(iter(value)) if len(value) == 1 else None
    return name if isinstance(name, str) else None


def _only_hot(value: dict[Any, Any]) -> str | None:
    name = _only_key(value)
    return name if name in functions_of(LATEST) else None


def _maps(value: Any, name_of: Callable[[dict[Any, Any]], str | None]) -> Iterator[str]:
    """The names that ``name_of`` gives the maps inside a value."""
    return (name for name, _ in _named(value, name_of))


def _named(value: Any, name_of: Callable[[dict[Any, Any]], str | None]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        name = name_of(value)
        if name is not None:
            yield name, value[name]
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _named(part, name_of)


def _hot_calls(data: Any) -> Iterator[Call]:
    """The calls of a template, with what each condition decides."""
    version = nearest_version(str(data.get("heat_template_version")))
    values, tests = functions_of(version), functions_of(version, "condition")
    found: list[Call] = []
    inline: list[tuple[Path, Any]] = []
    uses: dict[str, list[Path]] = {}

    def walk(value: Any, path: Path) -> None:
        if isinstance(value, dict):
            name = _only_key(value)
            if name == "if" and name in values and isinstance(value["if"], list) and value["if"]:
                found.append(Call("if", value["if"], path))
                deciding(value["if"][0], (*path, "if", 0), path)
                for index, branch in enumerate(value["if"][1:], 1):
                    walk(branch, (*path, "if", index))
                return
            if name in values:
                found.append(Call(str(name), value[name], path))
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in items:
            walk(part, (*path, key))

    def deciding(condition: Any, place: Path, decided: Path) -> None:
        if isinstance(condition, str):
            uses.setdefault(condition, []).append(decided)
        else:
            inline.append((place, condition))
            uses.setdefault(_dotted(place), []).append(decided)

    for section, keys in (("resources", ("properties", "metadata")), ("outputs", ("value",))):
        for name, entry in _entries(data, section):
            for key in keys:
                walk(entry.get(key), (section, name, key))
            if "condition" in entry:
                deciding(entry["condition"], (section, name, "condition"), (section, name, "condition"))
    conditions = [(("conditions", name), value) for name, value in (data.get("conditions") or {}).items()]
    yield from found
    for place, condition in (*inline, *conditions):
        name = str(place[1]) if place[0] == "conditions" else _dotted(place)
        yield from _condition_calls(condition, place, tests, tuple(uses.get(name, ())), True)


def _condition_calls(
    value: Any, path: Path, tests: dict[str, Any], deciding: tuple[Path, ...], outermost: bool
) -> Iterator[Call]:
    name = _only_key(value) if isinstance(value, dict) else None
    if name in tests:
        yield Call(str(name), value[name], path, "condition", deciding, outermost)
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from _condition_calls(part, (*path, key), tests, deciding, False)


def _dsl_calls(data: Any) -> Iterator[Call]:
    def walk(value: Any, path: Path) -> Iterator[Call]:
        name = called(value) if isinstance(value, dict) else None
        if name is not None:
            yield Call(name, value[name], path)
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in items:
            yield from walk(part, (*path, key))

    for section in ("inputs", "node_templates", "outputs", "capabilities"):
        for name, entry in _entries(data, section):
            yield from walk(entry, (section, name))


def _entries(data: Any, section: str) -> list[tuple[str, dict[str, Any]]]:
    part = data.get(section)
    return [(n, entry) for n, entry in part.items() if isinstance(entry, dict)] if isinstance(part, dict) else []


# -- calls of the target that mean the same ----------------------------------------------------------------

#: HOT function -> the DSL's functions that mean the same; they name the same thing first
_DIRECT_IN_DSL: Final = {
    "get_param": ("get_input",),
    "get_resource": ("get_attribute",),
    "Ref": ("get_attribute", "get_input"),
    "get_attr": ("get_attribute", "get_property", "get_attributes_list"),
}
_DIRECT_IN_HOT: Final = {"get_input": ("get_param",), "get_attribute": ("get_attr", "get_resource")}
_FACTS: Final = {"OS::stack_name": ["deployment", "name"], "OS::stack_id": ["deployment", "id"]}
#: what ``get_param`` gives of the stack and its surroundings
PSEUDO: Final = (*_FACTS, "OS::project_id", "OS::region")


def _first(argument: Any) -> Any:
    return argument[0] if isinstance(argument, list) and argument else argument


def _counterpart(case: ReadCase, path: Path, sections: dict[str, str]) -> Any:
    """The entry of the result that has the name of the one that ``path`` is in."""
    entries = case.target.get(sections.get(str(path[0])))
    return entries.get(path[1]) if isinstance(entries, dict) else None


def _is_direct_in_dsl(case: ReadCase, call: Call) -> bool:
    sections = {"resources": "node_templates", "outputs": "outputs"}
    entry = _counterpart(case, call.path, sections) if call.context == "value" else case.target
    has = list(_named(entry, called))
    wanted = _first(call.argument)
    if call.context == "condition" and not call.deciding:
        return False
    if call.name == "map_merge":
        return any(name == "merge" for name, _ in has)
    if call.name == "Fn::Base64":
        return isinstance(entry, dict) and entry.get("value") == call.argument
    if not isinstance(wanted, str) or entry is None:
        return False
    if wanted in _FACTS and call.name == "get_param":
        return ("get_sys", _FACTS[wanted]) in has
    targets = [one.get("target") for one in entry.get("relationships", [])] if "relationships" in entry else []
    if call.name in ("get_resource", "Ref") and wanted in targets:
        return True
    return any(name in _DIRECT_IN_DSL.get(call.name, ()) and _first(argument) == wanted for name, argument in has)


def _is_direct_in_hot(case: ReadCase, call: Call) -> bool:
    sections = {"node_templates": "resources", "outputs": "outputs", "capabilities": "outputs"}
    has = list(_named(_counterpart(case, call.path, sections), _only_key))
    if call.name == "merge":
        return any(name == "map_merge" for name, _ in has)
    if call.name == "get_sys":
        return any(fact == call.argument and ("get_param", name) in has for name, fact in _FACTS.items())
    wanted = _first(call.argument)
    names = _DIRECT_IN_HOT.get(call.name, ())
    return isinstance(wanted, str) and any(name in names and _first(argument) == wanted for name, argument in has)


class _Direction(NamedTuple):
    """How the cases of one folder are read. ``never_known``: calls whose value no document has; ``in_target``: the
    name of the call that a map of the result is."""

    source: str
    target: str
    calls: Callable[[Any], Iterator[Call]]
    is_direct: Callable[[ReadCase, Call], bool]
    never_known: frozenset[str]
    in_target: Callable[[dict[Any, Any]], str | None]


_DIRECTIONS: Final = {
    "hot": _Direction(
        "hot.yaml",
        "blueprint.yaml",
        _hot_calls,
        _is_direct_in_dsl,
        frozenset({"get_param", "get_attr", "get_resource", "Ref", "resource_facade"}),
        called,
    ),
    "cfy": _Direction(
        "blueprint.yaml",
        "hot.yaml",
        _dsl_calls,
        _is_direct_in_hot,
        frozenset(name for name in DSL_FUNCTIONS if name.startswith("get_")) - {"get_property"},
        _only_hot,
    ),
}


def _dotted(path: Path) -> str:
    return ".".join(map(str, path))


def fidelity(form: str, code: str | None) -> str:
    """How faithful a call in the form is."""
    if form == "in other words":  # of which the finding may say that the call was computed, as far as that goes
        return "rewritten"
    return CODES[code].fidelity if code is not None else "exact"


def expressions_in(root: File) -> dict[str, type[ex.Expr]]:
    """HOT function -> the class that most of its calls in ``corpus/hot`` are read into; none for those that are read
    into something else than an expression. What may name a resource does."""
    found: dict[str, Counter[type[ex.Expr]]] = {}
    for place in sorted((root / "corpus/hot").glob("*/hot.yaml")):
        if place.parent.name.startswith("mistake-"):
            continue
        data = load(place.read_bytes()).data
        version = nearest_version(str(data.get("heat_template_version")))
        for call in _hot_calls(data):
            names = [call.argument] if isinstance(call.argument, str) else []
            reader = Reader(version, declared=data.get("parameters") or {}, names=names)
            read = reader.condition if call.context == "condition" else reader.value
            value = read({call.name: call.argument})
            if isinstance(value, ex.Expr):
                found.setdefault(call.name, Counter())[type(value)] += 1
    return {name: counted.most_common(1)[0][0] for name, counted in found.items()}
