"""Users' own mappings: files in the format of the catalogue, merged over the built-in kinds.

A file holds one kind (a map) or a list of kinds. A kind with a new id is added; one with the id of a known kind changes
that one: its properties, attributes and ``only`` entry by entry, the columns of languages with all maps in them, every
other key as a whole; null takes away."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path as FilePath
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from bpconvert.diagnostics import Diagnostic, Reporter, SourceError
from bpconvert.diagnostics.suggest import similar
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple, dataclass, rows
from bpconvert.translators.catalogue.model import (
    COLUMNS,
    V2,
    AttributeRule,
    CloudifyType,
    Kind,
    Lift,
    Only,
    PropertyRule,
    models,
    validated,
)
from bpconvert.translators.catalogue.types import Catalogue, builtin, raw
from bpconvert.translators.support.places import exists
from bpconvert.yamlio.document import Document, load

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: keys of a kind whose entries are merged one by one
_SECTIONS = ("properties", "attributes", "only")
#: types of pydantic's errors -> what there should be
_WANTED = {
    "string_type": "a text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "dict_type": "a map",
    "dataclass_type": "a map",
}
#: ways to write a property, and to answer an attribute
_WAYS = ("to", "carry", "flatten", "hook")
#: keys of a property's rule that have plain data
_VALUES = ("default", "ignore", "usual", "absent")
_ANSWERS = ("to", "property", "reference", "hook")
#: hook of a property -> the key that it needs a rule for
_PARTS = {"router_gateway": "network"}


def _keys(model: Any) -> tuple[str, ...]:
    """The keys that may stand in a map of this class; in a kind also those of the columns of other languages."""
    own = tuple(row.name for row in rows(model) if row.keywords.get("init", True))
    return (*own, *models()) if model is Kind else own


class Hooks(NamedTuple):
    """The functions that a file may name. ``names``: by what they are for: ``property`` and ``attribute`` (their
    ``hook``), ``answers``, ``merge``, and what the column of another language says; ``is_call``: whether a map that is
    written as it is would be called."""

    names: Mapping[str, frozenset[str]]
    is_call: Callable[[Any], bool]

    @classmethod
    def joined(cls, all_hooks: Iterable[Hooks]) -> Hooks:
        """Those of several languages."""
        hooks_of_languages = list(all_hooks)
        purposes = {purpose for hooks in hooks_of_languages for purpose in hooks.names}
        names = {
            name: frozenset[str]().union(*(hooks.names.get(name, ()) for hooks in hooks_of_languages))
            for name in purposes
        }
        return cls(names, lambda value: any(hooks.is_call(value) for hooks in hooks_of_languages))


@dataclass
class _Entry:
    """One kind as a file has it. ``kind``: what it is after merging."""

    document: Document
    path: Path
    data: dict[Any, Any]
    reporter: Reporter
    kind: Kind

    def report(self, code: str, path: Path, **texts: Any) -> None:
        """Report an error at ``path`` of the kind."""
        self.reporter.report(code, (*self.path, *path), **texts)


def merged(files: tuple[str, ...], hooks: Callable[[], Hooks]) -> Catalogue:
    """The built-in catalogue with the mappings of ``files`` merged over it; a file is read again once it has changed.
    ``hooks``: yields the functions that they may name.

    Raises SourceError with all errors, and OSError."""
    return _merged(tuple((name, os.stat(name).st_mtime_ns, os.stat(name).st_size) for name in files), hooks)


@lru_cache(maxsize=8)
def _merged(files: tuple[tuple[str, int, int], ...], hooks: Callable[[], Hooks]) -> Catalogue:
    diagnostics: list[Diagnostic] = []
    kinds: dict[str, Any] = {}
    entries: list[_Entry] = []
    for name, _, _ in files:
        try:
            document = load(FilePath(name).read_bytes(), name)
        except SourceError as error:
            diagnostics += error.diagnostics
            continue
        reporter = Reporter(document)
        for duplicate in document.duplicates:
            reporter.report("BPC169", duplicate.path, name=duplicate.key)
        entries += _entries(document, reporter, kinds)
        diagnostics += reporter.diagnostics
    latest = {entry.kind.kind: entry.kind for entry in entries}
    owners = _owners(latest)
    for entry in entries:
        before = len(entry.reporter.diagnostics)
        _Checks(entry, owners, kinds, hooks()).run()
        diagnostics += entry.reporter.diagnostics[before:]
    if diagnostics:
        order = {name: number for number, (name, _, _) in enumerate(files)}
        raise SourceError(*sorted(diagnostics, key=lambda d: (order[d.span.file], d.span.line, d.span.column, d.code)))
    return builtin().with_kinds(latest.values())


def _owners(kinds: dict[str, Kind]) -> dict[str, list[str]]:
    """Heat type -> the kinds that have it. ``kinds``: those of the files."""
    owners: dict[str, list[str]] = {}
    for heat, name in (builtin().types("hot") | builtin().written_only("hot")).items():
        if name is not None and (name not in kinds or heat in kinds[name].types("hot")):
            owners.setdefault(heat, []).append(name)
    for kind in kinds.values():
        for heat in kind.types("hot"):
            names = owners.setdefault(heat, [])
            if kind.kind not in names:
                names.append(kind.kind)
    return owners


# -- reading ------------------------------------------------------------------------------------------------


def _entries(document: Document, reporter: Reporter, kinds: dict[str, Any]) -> Iterator[_Entry]:
    """The kinds of a file that have the right shape. ``kinds``: id -> plain data, merged so far."""
    data = document.data
    seen = set()
    for path, item in [((i,), item) for i, item in enumerate(data)] if isinstance(data, list) else [((), data)]:
        if not isinstance(item, dict):
            reporter.report("BPC160", path)
            continue
        name = item.get("kind")
        if not isinstance(name, str):
            if name is None:
                reporter.report("BPC162", path, name="kind", where="a kind")
            else:
                reporter.report("BPC163", (*path, "kind"), name="'kind'", wanted="a text")
            continue
        if name in seen:
            reporter.report("BPC169", (*path, "kind"), name=name)
        seen.add(name)
        before = len(reporter.diagnostics)
        base = kinds.setdefault(name, raw(name) if builtin().kind(name) else {})
        whole = _overlaid(base, item, path, reporter)
        kind = _validated(whole, path, reporter)
        if kind is not None and len(reporter.diagnostics) == before:
            kinds[name] = whole
            yield _Entry(document, path, item, reporter, kind)


def _overlaid(
    base: dict[str, Any], item: dict[Any, Any], path: Path, reporter: Reporter, *, deep: bool = False
) -> dict[Any, Any]:
    """``base`` with what ``item`` has. ``deep``: of a column, where all maps are merged; else of a kind."""
    whole = dict(base)
    for key, value in item.items():
        inherited = base.get(key)
        if not deep and key in _SECTIONS and isinstance(value, dict):
            section = dict(inherited) if isinstance(inherited, dict) else {}
            for name, rule in value.items():
                _put(section, name, rule, (*path, key, name), reporter)
            whole[key] = section
        elif (deep or key in models()) and isinstance(value, dict) and isinstance(inherited, dict):
            whole[key] = _overlaid(inherited, value, (*path, key), reporter, deep=True)
        else:
            _put(whole, key, value, (*path, key), reporter)
    return whole


def _put(place: dict[Any, Any], key: Any, value: Any, path: Path, reporter: Reporter) -> None:
    """Set ``key``, or take it away."""
    if value is not None:
        place[key] = value
    elif key in place:
        del place[key]
    else:
        reporter.report("BPC168", path, name=key)


def _validated(whole: dict[Any, Any], path: Path, reporter: Reporter) -> Kind | None:
    """``whole`` as a kind; None, with a report of each error, where it is none."""
    from pydantic import ValidationError

    try:
        return validated(whole)
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            _report(problem, path, reporter)
        return None


def _report(error: ErrorDetails, path: Path, reporter: Reporter) -> None:
    problem, where = error["type"], error["loc"]
    steps = tuple(step for step in where if step != "[key]")
    place, name = (*path, *steps), steps[-1] if steps else ""
    if problem == "unexpected_keyword_argument":
        owner = _owner(steps)
        reporter.report("BPC161", place, name=name, where=_word(owner, steps), known=_suggest(str(name), _keys(owner)))
    elif problem == "missing":
        owner = _owner(steps)
        reporter.report("BPC162", place, name=name, where=_word(owner, steps))
    elif problem == "literal_error":
        reporter.report("BPC164", place, name=error["input"], known=f"known are {error['ctx']['expected']}")
    else:
        what = "a name" if where[-1:] == ("[key]",) else f"'{name}'"
        reporter.report("BPC163", place, name=what, wanted=_WANTED.get(problem, "something else"))


_WORDS: dict[type, str] = {
    Kind: "a kind",
    CloudifyType: "a node type",
    V2: "a node type of 2.x",
    PropertyRule: "the rule of a property",
    Lift: "'lift'",
    AttributeRule: "the rule of an attribute",
    Only: "an entry of 'only'",
}


def _word(owner: type, steps: Path) -> str:
    """What a map is, in words."""
    return _WORDS.get(owner) or f"'{steps[-2]}'"


def _inside(model: Any, steps: Path) -> Any:
    """The class of the map that the last of these steps leads into, from a map of the class ``model`` on."""
    for step in steps[:-1]:
        inner = get_args(model)
        model = inner[-1] if inner else get_type_hints(model)[str(step)]
        if get_origin(model) is UnionType:
            model = get_args(model)[0]
    return model


def _owner(steps: Path) -> Any:
    """What the map is that the last step leads into."""
    if steps[0] in models():
        return _inside(models()[str(steps[0])], steps[1:])
    if steps[-2:-1] == ("lift",):
        return Lift
    sections = {"properties": PropertyRule, "attributes": AttributeRule, "only": Only, "cloudify": CloudifyType}
    owner = sections.get(str(steps[0]), Kind) if len(steps) > 1 else Kind
    return V2 if owner is CloudifyType and len(steps) > 2 and steps[1] == "v2" else owner


def _suggest(name: str, names: Collection[str]) -> str:
    """The likely ones of ``names``, or all."""
    close = similar(name, names)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else f"known are {', '.join(sorted(names))}"


# -- checking -----------------------------------------------------------------------------------------------


class _Checks:
    """What no schema says: names that have to be known, and things that exclude each other.

    ``owners``: Heat type -> the kinds that have it; ``kinds``: the ids of all kinds of the files, also of those with
    errors; ``hooks``: the functions that there are."""

    def __init__(self, entry: _Entry, owners: dict[str, list[str]], kinds: Iterable[str], hooks: Hooks) -> None:
        self.entry = entry
        self.kind = entry.kind
        self.owners = owners
        self.kinds = {*builtin().kinds(), *kinds}
        self.hooks = hooks

    def run(self) -> None:
        """Report all errors of the kind."""
        kind, entry = self.kind, self.entry
        service = kind.cloudify.service if kind.cloudify is not None else None
        is_found = service is not None and (service.only or service.named or service.put)
        if not kind.heat and not is_found:  # what is only found, or only connects, is no resource
            entry.report("BPC162", ("heat",), name="heat", where="a kind")
        if kind.cloudify is None and kind.merge is None:
            entry.report("BPC162", (), name="cloudify", where="a kind")
        for index, heat in enumerate(entry.data.get("heat", ())):
            owner = next((name for name in self.owners[heat] if name != kind.kind), None)
            if owner is not None:
                entry.report("BPC166", ("heat", index), name=heat, kind=owner)
        self._paths(kind.properties, ("properties",))
        for name, rule in kind.properties.items():
            self._property(rule, ("properties", name))
        for name, answer in kind.attributes.items():
            self._attribute(answer, ("attributes", name))
        for name, hook in kind.answers.items():
            self._expect(hook, self.hooks.names["answers"], ("answers", name))
        self._expect(kind.merge, self.hooks.names["merge"], ("merge",))
        for name, constant in kind.constants.items():
            self._plain(constant, ("constants", name))
        for name, needed in kind.cloudify.required.items() if kind.cloudify else ():
            self._plain(needed, ("cloudify", "required", name))
        for target in kind.side_effects:
            self._expect(target, self.kinds, ("side_effects", target), "BPC165")
        for where, row in kind.only.items():
            self._expect(row.said_by, self.kinds, ("only", where, "said_by"), "BPC165")
        for column in COLUMNS.values():
            for path, purpose, hook in column.hooks(kind.columns.get(column.key, {})):
                self._expect(hook, self.hooks.names[purpose], (column.key, *path))

    def _property(self, rule: PropertyRule, path: Path) -> None:
        if not any(getattr(rule, way) for way in _WAYS):
            self.entry.report("BPC162", path, name=" or ".join(_WAYS), where="the rule of a property")
        self._expect(rule.hook, self.hooks.names["property"], (*path, "hook"))
        needed = _PARTS.get(rule.hook or "")
        if needed is not None and needed not in rule.each:
            self.entry.report("BPC162", path, name=f"each.{needed}", where=f"'{rule.hook}'")
        self._expect(rule.beside, self.kind.properties, (*path, "beside"))
        for index, target in enumerate(rule.lift.targets if rule.lift else ()):
            self._expect(target, self.kinds, (*path, "lift", "targets", index), "BPC165")
        for name in _VALUES:
            self._plain(getattr(rule, name), (*path, name))
        self._paths(rule.each, (*path, "each"))
        for name, part in rule.each.items():
            self._property(part, (*path, "each", name))

    def _paths(self, rules: dict[str, PropertyRule], path: Path) -> None:
        """No two properties go to one place, unless functions put them there. The one to blame is that of the file."""
        owners: dict[str, str] = {}
        for name, rule in rules.items():
            for where in (rule.to, *rule.accept) if rule.carry is None else ():
                other = owners.setdefault(where, name) if where else name
                if other != name and not (rule.hook and rules[other].hook):
                    mine, theirs = (name, other) if exists(self.entry.data, (*path, name)) else (other, name)
                    self.entry.report("BPC167", (*path, mine, "to"), name=mine, other=theirs, to=where)

    def _attribute(self, rule: AttributeRule, path: Path) -> None:
        answers = [name for name in _ANSWERS if getattr(rule, name) is not None]
        if not answers:
            self.entry.report("BPC162", path, name=" or ".join(_ANSWERS), where="the rule of an attribute")
        for name in answers[1:]:
            where = f"a rule that has '{answers[0]}'"
            self.entry.report("BPC161", (*path, name), name=name, where=where, known="give one of the two")
        self._expect(rule.hook, self.hooks.names["attribute"], (*path, "hook"))
        self._expect(rule.reference, self.kind.properties, (*path, "reference"))

    def _plain(self, value: Any, path: Path) -> None:
        """A value is written as it is: no map in it may look like a call, which would be made."""
        if isinstance(value, dict) and self.hooks.is_call(value):
            self.entry.report("BPC163", path, name=f"'{path[-1]}'", wanted="plain data, which is no call")
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in parts:
            self._plain(item, (*path, key))

    def _expect(self, name: str | None, names: Collection[str], path: Path, code: str = "BPC164") -> None:
        if name is not None and name not in names:
            self.entry.report(code, path, name=name, known=_suggest(name, names))
