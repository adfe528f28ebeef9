"""From a document to its picture: the nodes as written, and what connects them by the neutral form.

The neutral form has every reference that a value makes; what connects nodes in so many words (relationships,
requirements) and the groups are read as they are written, since reading makes values of some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bpconvert.api import dialect_of, opened
from bpconvert.diagnostics import Reporter, SourceError
from bpconvert.files import CannotNest, Files
from bpconvert.graphs.model import CONNECTS, INSIDE, READS, REFERS, WAITS, Arrow, Graph, Part
from bpconvert.limits import bounded
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value, walk
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import ORDER, NestedInterface, Node, Topology
from bpconvert.options import Options
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import DIALECTS, catalogue, load, read_environments, recognised
from bpconvert.translators.passes.nesting import STACKS
from bpconvert.yamlio.document import Document

#: how many documents are drawn inside of each other; Heat itself allows 5 (``max_nested_stack_depth``)
_DEEPEST: Final = 8


def read(document: str | bytes | Path, name: str | None, options: Options) -> Graph:
    """See :func:`bpconvert.graphs.graph`."""
    source = opened(document, name)
    written = load(source.text, source.label)
    dialect = DIALECTS[dialect_of(written)]
    files = source.files(options)
    files.environment, _ = read_environments(options.environments, dialect)
    return of_document(written, dialect, files, options.types)


def of_document(document: Document, dialect: Dialect, files: Files, types: tuple[str, ...] = ()) -> Graph:
    """The picture of a document that has been read as YAML."""
    with bounded(None):
        drawing = _Drawing(document, dialect, files, types, [document.name])
        return Graph(document.name, drawing.parts(), drawing.arrows)


class _Nested(NamedTuple):
    """A nested document: what it is called, and where its own files are."""

    document: Document
    dialect: Dialect
    files: Files


class _Opener:
    """Lets a reader nest documents, without converting them. ``found``: path as named -> document."""

    def __init__(self) -> None:
        self.found: dict[str, _Nested] = {}

    def open(self, files: Files, name: str, resource: str) -> NestedInterface:
        """See :class:`bpconvert.files.Opener`."""
        text, code = files.look(name)
        place = files.place(name)
        if text is None or place is None:
            raise CannotNest(code or "BPC611", name=files.shown(name))
        try:
            document = load(text, place)
        except SourceError as error:
            raise CannotNest("BPC761", name=name, problem=error.diagnostic.message) from None
        dialect = recognised(document.data)
        if dialect is None:
            raise CannotNest("BPC761", name=name, problem="it is of no known language")
        self.found[name] = _Nested(document, dialect, files.nested_in(name, resource))
        return NestedInterface(name, "")


class _Drawing:
    """One document on its way into the picture. ``trail``: the names of the documents that it is in; ``key``: begins
    the keys of its parts."""

    def __init__(
        self,
        document: Document,
        dialect: Dialect,
        files: Files,
        types: tuple[str, ...],
        trail: list[str],
        key: str = "",
    ) -> None:
        self.document, self.dialect, self.files, self.types = document, dialect, files, types
        self.trail, self.key = trail, key
        self.opener = _Opener()
        files.opener = self.opener
        self.topology: Topology = dialect.read()(document, catalogue(types), Reporter(document), files)
        self.written = dialect.drawn(document.data)
        self.arrows: list[Arrow] = []
        self.names = self._names()

    def parts(self) -> list[Part]:
        """The outermost parts; fills ``arrows``."""
        parts = {name: self._part(name) for name in dict.fromkeys(self.names.values())}
        self.arrows += self._own_arrows()
        taken: set[str] = set()
        boxes = [self._box(name, parts, taken) for name in self._groups()]
        return [*(part for name, part in parts.items() if name not in taken), *filter(None, boxes)]

    # -- nodes ------------------------------------------------------------------------------------------------

    def _names(self) -> dict[str, str]:
        """Node of the topology, or of the document -> the node of the picture that it is drawn as."""
        section = self.document.data.get(self.dialect.section("nodes"))
        written = [name for name in section if isinstance(name, str)] if isinstance(section, dict) else []
        names = {name: name for name in written}
        groups = {*self.topology.group_nodes.values()}
        for name, node in self.topology.nodes.items():
            if name in groups:
                continue
            owner = node.made_for or node.part_of
            entry = node.entry[1] if len(node.entry) > 1 else None
            names.setdefault(name, owner if owner in names else entry if entry in names else name)
        return names

    def _part(self, name: str) -> Part:
        node = self.topology.nodes.get(name)
        path = (self.dialect.section("nodes"), name) if node is None or not node.entry else node.entry
        data = _at(self.document.data, path)
        type = data.get("type") if isinstance(data, dict) else None
        line = self.document.locate(path)[0] if data is not None else 0
        part = Part(self._key(name), name, file=self.document.name, line=line, path=path)
        part.type = type if isinstance(type, str) else node.source_type if node is not None else ""
        if node is not None:
            part.kind = node.kind or ""
            part.detail = ", ".join(self._details(node))
            part.parts = self._inner(node, part)
        return part

    def _key(self, name: str) -> str:
        return f"{self.key}{name}"

    def _details(self, node: Node) -> Iterator[str]:
        if node.exists:
            yield "existing"
        if node.condition is not MISSING:
            yield "conditional"
        number = node.instances
        definition = self._definition(node)
        if definition is not None:
            number = node.properties.get("count", MISSING)
        if number is not MISSING and number != 1:
            shown = str(number) if isinstance(number, int) else "n"
            yield f"{shown} x {definition}" if definition else f"{shown} x"
        elif definition:
            yield f"of {definition}"

    def _definition(self, node: Node) -> str | None:
        """The type of the members of a group that is a node; None for other nodes."""
        key = self.dialect.capabilities().group_types.definition(node.source_type)
        member = node.properties.get(key) if key is not None and isinstance(node.properties, dict) else None
        type = member.get("type") if isinstance(member, dict) else None
        return type if isinstance(type, str) else None

    # -- nested documents ---------------------------------------------------------------------------------------

    def _inner(self, node: Node, part: Part) -> list[Part]:
        """The parts of the document that a node nests."""
        name = self._document(node)
        nested = self.opener.found.get(name) if name is not None else None
        if name is not None and nested is None:
            try:
                self.files.nested(name, node.name)
            except CannotNest:
                return []
            nested = self.opener.found.get(name)
        if nested is None or nested.document.name in self.trail or len(self.trail) > _DEEPEST:
            return []
        trail = [*self.trail, nested.document.name]
        drawing = _Drawing(nested.document, nested.dialect, nested.files, self.types, trail, f"{part.key}/")
        parts = drawing.parts()
        self.arrows += drawing.arrows
        return parts

    def _document(self, node: Node) -> str | None:
        """The name of the document that a node nests; None for none."""
        if node.nested is not None:
            return node.nested.file
        if node.kind in STACKS and isinstance(node.properties, dict):
            file = node.properties.get(STACKS[node.kind])
            file = file.name if isinstance(file, ex.File) else file
            return file if isinstance(file, str) and "\n" not in file else None
        type = self._definition(node) or node.source_type
        if node.kind is None:
            type = self.files.type_of(type, node.name)
        return type if type.endswith(self.dialect.capabilities().document_types or ("\0",)) else None

    # -- groups ---------------------------------------------------------------------------------------------------

    def _groups(self) -> dict[str, Sequence[str]]:
        """Group -> its members, those that scale first."""
        scaled: dict[str, Sequence[str]] = {name: group.members for name, group in self.topology.groups.items()}
        return {**scaled, **{name: members for name, members in self.written.groups.items() if name not in scaled}}

    def _box(self, name: str, parts: dict[str, Part], taken: set[str]) -> Part | None:
        """The box of a group; None for one whose members are all in other boxes."""
        members = [member for member in self._groups()[name] if member in parts and member not in taken]
        if not members:
            return None
        taken.update(members)
        group = self.topology.groups.get(name)
        sizes = group.sizes if group is not None else {}
        count = next((sizes[key] for key in ("count", "least") if isinstance(sizes.get(key), int)), None)
        detail = f"{count} x" if count is not None else ""
        return Part(
            self._key(f"group:{name}"), name, "group", detail=detail, file=self.document.name,
            parts=[parts[member] for member in members],
        )  # fmt: skip

    # -- arrows -------------------------------------------------------------------------------------------------

    def _own_arrows(self) -> list[Arrow]:
        """What connects the nodes of the document: one arrow for two nodes, the most telling one."""
        arrows: dict[tuple[str, str], Arrow] = {}
        for source, target, meaning, label in self._connections():
            ends = self.names.get(source), self.names.get(target)
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                continue
            arrows.setdefault((ends[0], ends[1]), Arrow(self._key(ends[0]), self._key(ends[1]), meaning, label))
        return list(arrows.values())

    def _connections(self) -> Iterator[tuple[str, str, str, str]]:
        """Source, target, meaning and label; the most telling ones first."""
        hosts = {(node.name, host) for node in self.topology.nodes.values() for host in (node.host, *node.hosts)}
        typed = {
            (relationship.source, relationship.target): relationship for relationship in self.topology.relationships
        }
        for source, links in self.written.links.items():
            for target, type in links:
                link = typed.get((source, target))
                inside = (source, target) in hosts or (link is not None and link.inside)
                yield source, target, INSIDE if inside else CONNECTS, type
        for relationship in self.topology.relationships:
            if relationship.type != ORDER:
                yield (
                    relationship.source,
                    relationship.target,
                    INSIDE if relationship.inside else CONNECTS,
                    relationship.type,
                )
        for node in self.topology.nodes.values():
            yield from self._references(node)
        for relationship in self.topology.relationships:
            if relationship.type == ORDER:
                yield relationship.source, relationship.target, INSIDE if relationship.inside else WAITS, ""

    def _references(self, node: Node) -> Iterator[tuple[str, str, str, str]]:
        references = [
            expr for value in node.values() for expr in _references_in(value) if _is_in(expr.path, node.entry)
        ]
        for kind, meaning in ((ex.Identity, REFERS), (ex.Attribute, READS), (ex.Property, READS)):
            for expr in references:
                if isinstance(expr, kind):
                    steps = [step for step in expr.path[len(node.entry) + 1 :] if isinstance(step, str)]
                    yield node.name, str(expr.node), meaning, steps[0] if steps else ""


def _references_in(value: Value) -> Iterator[Any]:
    for expr in walk(value):
        if isinstance(expr, (ex.Identity, ex.Attribute, ex.Property)) and isinstance(expr.node, str):
            yield expr


def _is_in(path: ex.Path, entry: ex.Path) -> bool:
    """False for what stands in another node: there it is an arrow of that one."""
    return not path or path[: len(entry)] == entry


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data
