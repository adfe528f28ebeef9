"""What ``coverage.py`` counts: single uses of types, properties, attributes and relationships, and why one is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bpconvert import Fidelity, Severity
from bpconvert.conversion import Conversion
from bpconvert.diagnostics import Diagnostic
from bpconvert.files import Files
from bpconvert.options import Options
from bpconvert.translation import Way
from bpconvert.translators.dialects import DIALECTS
from bpconvert.yamlio.document import load

Place = tuple[Any, ...]
_WORDS = re.compile(r"[A-Za-z0-9]{3,}")
_QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)")
#: functions of both languages, and keys of declarations: they are no values
_CALLS = {
    "name",
    "default",
    "type",
    "description",
    "get_param",
    "get_resource",
    "get_attr",
    "get_input",
    "get_attribute",
    "get_property",
    "get_file",
    "template",
    "filename",
    "subtype",
}
#: functions of HOT that refer to a resource
_TO = ("get_resource", "get_attr")
#: functions of HOT that compute (get_... only refer)
_FUNCTIONS = {"yaql", "map_merge", "map_replace", "list_concat", "list_concat_unique", "list_join", "str_replace",
              "str_replace_strict", "str_replace_vstrict", "str_split", "repeat", "filter", "if", "contains", "digest",
              "make_url", "equals", "and", "or", "not", "resource_facade"}  # fmt: skip
#: reasons that are those of a type, though they are told of the call around
_BY_TYPES = ("other names", "subnet is not a resource", "interface", "attribute '")
#: a value is replaced
_UNSAID = {"BPC201", "BPC202"}
#: what is said of a property of a resource that exists already: neither engine uses it
EXISTING = {"BPC331", "BPC356"}


@dataclass
class Use:
    """One use in a source. ``kind``: the type; ``what``: what is used (``properties``, ...); ``cause``: why it is lost,
    "" if it is converted; ``excuse``: why it may be left out of the count, "" if it must not."""

    kind: str
    what: str
    place: str
    cause: str
    excuse: str = ""


@dataclass
class Tally:
    """How many uses of one thing there are, how many are converted, and why the others are not."""

    uses: int = 0
    converted: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, use: Use) -> None:
        """Count one use."""
        self.uses += 1
        if use.cause:
            cause = f"[{use.excuse}] {use.cause}" if use.excuse else use.cause
            self.causes[cause] += 1
            self.examples.setdefault(cause, use.place)
        else:
            self.converted += 1

    @property
    def share(self) -> float:
        """Converted of all; 1 where there is nothing."""
        return self.converted / self.uses if self.uses else 1.0


@dataclass
class Table:
    """The uses of one set of templates. ``uses``: those that have a counterpart in the map; ``apart``: those that have
    none, by what the conversion says of them."""

    uses: list[Use] = field(default_factory=list)
    apart: Counter[str] = field(default_factory=Counter)
    templates: int = 0
    unreadable: int = 0

    def count(self, kind: str, what: str, cause: str, place: str, excuse: str = "") -> None:
        """Count one use of ``what`` of a type, which stands at ``place``."""
        self.uses.append(Use(kind, what, place, cause, excuse))

    def rows(self) -> dict[str, dict[str, Tally]]:
        """Type -> what is counted -> all its uses."""
        rows: dict[str, dict[str, Tally]] = {}
        for use in self.uses:
            rows.setdefault(use.kind, {}).setdefault(use.what, Tally()).add(use)
        return rows

    def total(self, what: str, without: tuple[str, ...] = ()) -> Tally:
        """All types together; ``without``: how the reasons begin for which uses are left out, converted or not."""
        result = Tally()
        for use in self.uses:
            if use.what == what and not (use.excuse and use.excuse.startswith(without)):
                result.add(use)
        return result

    def excuses(self, what: str) -> dict[str, Tally]:
        """Reason -> the uses that may be left out for it."""
        result: dict[str, Tally] = {}
        for use in self.uses:
            if use.what == what and use.excuse:
                result.setdefault(use.excuse, Tally()).add(use)
        return result


class Converted:
    """One converted template: its findings, and where each of its parts went. ``top``: the folder of the templates that
    belong together, which may nest each other."""

    def __init__(self, path: Path, source: str, target: str, top: Path) -> None:
        self.source = load(path.read_bytes(), str(path))
        base = path.parent.relative_to(top).as_posix()
        files = Files(path.parent, True, top=top, base="" if base == "." else base)
        way = Way(DIALECTS[source], DIALECTS[target], Options(carry=False, allow_outside=True))
        conversion = Conversion(way, self.source, files)
        self.folder = path.parent
        self.text = conversion.text()
        lowered = conversion.lowered
        assert lowered is not None, "a plain translation"
        self.result: Any = load(self.text, "<result>").data
        self.made, self.moves = lowered.made, lowered.moves
        self.files = {**lowered.files, **conversion.files}
        self.sources = {
            tuple(source) for source, target in lowered.moves if _step_into(self.result, target) is not None
        }
        self.findings: list[Diagnostic] = conversion.reporter.diagnostics

    def at(self, place: Place) -> list[Diagnostic]:
        """The findings at exactly this place."""
        return [found for found in self.findings if found.path == place]

    def within(self, place: Place) -> list[Diagnostic]:
        """The findings at this place and below it."""
        return [found for found in self.findings if found.path[: len(place)] == place]

    def around(self, place: Place, least: int) -> list[Diagnostic]:
        """The findings at this place, below it, and at what it is a part of, down to ``least`` steps."""
        outer = (found for found in self.findings if least <= len(found.path) < len(place))
        return [*self.within(place), *(found for found in outer if place[: len(found.path)] == found.path)]

    def unsayable_call(self, findings: Iterable[Diagnostic]) -> str:
        """The finding, of those, that a call to a function of the source's language cannot be said, which is not for
        the types to say; "" if there is none. Calls that only refer to something do not count."""
        for found in findings:
            call = _step_into(self.source.data, found.path)
            name = next(iter(call)) if isinstance(call, dict) and len(call) == 1 else ""
            if found.code in _UNSAID and name in _FUNCTIONS and not any(why in found.message for why in _BY_TYPES):
                return f"a function: {words(found)}"
        return ""

    def where(self, place: Place) -> str:
        """A place, as messages show it."""
        line, _ = self.source.locate(place)
        return f"{self.source.name}:{line} {'.'.join(map(str, place))}"

    def products(self, entry: Place) -> list[Any]:
        """What an entry of the source became, as the result has it."""
        found = (_step_into(self.result, place) for place in self.made.get(entry, ()))
        return [product for product in found if product is not None]

    def names(self, entry: Place) -> set[str]:
        """The names of the entries that an entry of the source became."""
        return {str(place[1]) for place in self.made.get(entry, ()) if len(place) > 1}

    def is_traced(self, place: Place) -> bool:
        """True when the trace says where the place, or a part of it, is in the result."""
        return any(source[: len(place)] == place for source in self.sources)

    def is_said(self, value: Any, products: list[Any]) -> bool:
        """True when the value is in what its entry became, or in a file of the bundle: every word of it, the whole of
        a value without words, and a reference as one to what its target became."""
        texts = [*(text for product in products for text in _texts(product)), *map(str, self.files.values())]
        haystack = "\n".join(texts)
        words: set[str] = set()
        for text in _texts(_without_references(value)):
            found = set() if text in _CALLS else set(_WORDS.findall(text))
            if not found and text not in _CALLS and text not in texts:
                return False
            words |= found
        targets = {str(argument[0] if isinstance(argument, list) else argument) for _, argument in calls(value, _TO)}
        return all(word in haystack or word.lower() in haystack for word in words) and all(
            self._is_said_of(target, products, texts) for target in targets
        )

    def _is_said_of(self, target: str, products: list[Any], texts: list[str]) -> bool:
        """True when some products refer to what resource ``target`` became, or are that."""
        names = self.names(("resources", target)) | self.names(("node_templates", target))
        mine = self.products(("resources", target))
        return bool(names & set(texts)) or any(product is one for product in products for one in mine)


def _without_references(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_references(item) for key, item in value.items() if key not in _TO}
    return [_without_references(item) for item in value] if isinstance(value, list) else value


def lost(findings: Iterable[Diagnostic], also: Iterable[str] = ()) -> str:
    """Why something is lost, in the words of the finding that says so; "" when none does. ``also``: codes that count
    though the finding is not of something carried."""
    for found in findings:
        if found.fidelity is Fidelity.CARRIED or found.code in also:
            return words(found)
    return ""


def refused(findings: Iterable[Diagnostic]) -> str:
    """Why the source's own engine refuses a place; "" where it does not."""
    return next((f"the engine refuses it, too: {one.code}" for one in findings if one.severity is Severity.ERROR), "")


def existing(findings: Iterable[Diagnostic]) -> str:
    """A reason when a place belongs to a resource that exists already: neither engine looks at it."""
    used = any(one.code in EXISTING for one in findings)
    return "the engine: it does not use it, the resource exists already" if used else ""


def words(found: Diagnostic) -> str:
    """A finding without the names in it, so that equal ones are counted together."""
    return f"{found.code} {_QUOTED.sub('...', found.message)}"


def calls(value: Any, names: Iterable[str], path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every call of one of the functions in ``value``: its place and its argument."""
    if isinstance(value, dict):
        if len(value) == 1:
            [(name, argument)] = value.items()
            if name in names:
                yield path, argument
        for key, item in value.items():
            yield from calls(item, names, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from calls(item, names, (*path, index))


def _step_into(value: Any, path: Place) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)
