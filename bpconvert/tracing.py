"""What becomes of one entry of a document, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.diagnostics import Diagnostic, Span, UsageError
from bpconvert.diagnostics.shown import printable
from bpconvert.diagnostics.suggest import guess
from bpconvert.models.expressions import Expr, Path
from bpconvert.models.light import NamedTuple, rows
from bpconvert.translators.passes.printing import SECTIONS, as_data
from bpconvert.yamlio.emit import emit

if TYPE_CHECKING:
    from bpconvert.conversion import Conversion
    from bpconvert.models.topology import Topology


class Step(NamedTuple):
    """The entry after one step. ``name``: ``read``, that of a pass, or ``written``; ``data``: the entry and what has
    been made of it, section -> name -> plain data (calls as texts, in ``written`` as the language has them); ``calls``:
    the keys of maps that stand on one line; ``place``: where the source has it, of the first step; ``findings``: what
    was reported about it on the way to this step, by the rules that changed it."""

    name: str
    data: dict[str, Any]
    calls: frozenset[str] = frozenset()
    place: str = ""
    findings: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        head = f"# {self.name}: {printable(self.place)}\n" if self.place else f"# {self.name}\n"
        rules = "".join(f"# {printable(' '.join(str(item).split()))}\n" for item in self.findings)
        return head + rules + (emit(self.data, calls=self.calls) if self.data else "nothing\n")


def steps(conversion: Conversion, name: str) -> list[Step]:
    """The steps that change the entry ``name`` (an input, a condition, a node, a group, an output) on its way: as it is
    read, after each pass that changes it, as it is written. Values of hidden inputs are masked.

    Raises SourceError where the document cannot be read, and UsageError where it has nothing of that name."""
    tracer = _Tracer(conversion, name)
    conversion.watch = tracer.look
    lowered = conversion.lower(conversion.reporter, None)
    paths = dict.fromkeys(path for entry in tracer.entries for path in lowered.made.get(entry, ()))
    written = Step("written", _within(lowered.data, paths), conversion.way.calls, "", tracer.new_findings())
    trail = [*tracer.steps, written]
    return [step._replace(data=conversion.document.secrets.masked_in(step.data)) for step in trail]


class _Tracer:
    """Looks at a topology after each pass. ``entries``: the places of the entry in the source."""

    def __init__(self, conversion: Conversion, name: str) -> None:
        self._document, self._reporter = conversion.document, conversion.reporter
        self._words = conversion.way.source.capabilities().words
        self._name, self._names = name, {name}
        self.entries: dict[Path, None] = {}
        self.steps: list[Step] = []
        self._reported: set[tuple[Any, ...]] = set()

    def look(self, step: str, topology: Topology) -> None:
        """Note what the entry is now, where that is something else than before."""
        if not self.steps:
            self._find(topology)
        for node in topology.nodes.values():
            if node.entry[:2] in self.entries or {node.made_for, node.part_of} & self._names:
                self._names.add(node.name)
        for name in list(self._names):
            self._names.update(topology.unrolled.get(name, ()))
        self._names.update(name for name, group in topology.groups.items() if self._names.intersection(group.members))
        sections = {section: {n: as_data(e) for n, e in getattr(topology, section).items() if n in self._names}
                 for section in SECTIONS}  # fmt: skip
        data = _texts({section: entries for section, entries in sections.items() if entries})
        if not self.steps:
            line, column = self._document.locate(next(iter(self.entries)))
            place = str(Span(self._document.name, line, column))
            self.steps.append(Step(step, data, place=place, findings=self.new_findings()))
        elif data != self.steps[-1].data:
            self.steps.append(Step(step, data, findings=self.new_findings()))

    def new_findings(self) -> tuple[Diagnostic, ...]:
        """What has been reported about the entry since this was asked last."""
        own = [item.masked() for item in self._reporter.diagnostics if item.path[:2] in self.entries]
        by_text = {(item.code, item.span, item.message): item for item in own}
        new = tuple(item for key, item in by_text.items() if key not in self._reported)
        self._reported.update(by_text)
        return new

    def _find(self, topology: Topology) -> None:
        for section in SECTIONS:
            entries = getattr(topology, section)
            if self._name in entries:
                place = getattr(entries[self._name], "path", ())[:2]
                self.entries[place or (self._words.section(section), self._name)] = None
        if not self.entries:
            names = [name for section in SECTIONS for name in getattr(topology, section)]
            raise UsageError(f"{self._document.name} has no '{self._name}'{guess(self._name, names)}")


def _texts(value: Any) -> Any:
    """``value`` with calls as texts."""
    if isinstance(value, dict):
        return {key: _texts(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_texts(part) for part in value]
    return _call(value) if isinstance(value, Expr) else value


def _call(value: Any) -> str:
    """A call as a text, without the arguments that are as usual."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_call, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_call(part)}' for key, part in value.items())}}}"
    if not isinstance(value, Expr):
        return repr(value)
    fields = ((field.name, getattr(value, field.name), field.default) for field in rows(value) if field.name != "path")
    return f"{type(value).__name__}({', '.join(f'{n}={_call(part)}' for n, part, usual in fields if part != usual)})"


def _within(data: Any, paths: dict[Path, None]) -> dict[str, Any]:
    """The parts of ``data`` at these places, inside of what leads to them."""
    parts: dict[str, Any] = {}
    for path in paths:
        part, inside = data, parts
        try:
            for step in path:
                part = part[step]
        except (LookupError, TypeError):
            continue
        for step in path[:-1]:
            inside = inside.setdefault(step, {})
        inside[path[-1]] = part
    return parts
