"""From a document to another language's data: read, rewritten, written. What came before and comes after (a record of
what it was made from, nested documents, the layout) is not known here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.limits import bounded, limits
from bpconvert.models.expressions import Value, named_nodes
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Topology
from bpconvert.options import Options
from bpconvert.translators import passes
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import catalogue
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.request import Request
from bpconvert.translators.provenance.carry import Origin
from bpconvert.yamlio.document import Document


class Way(NamedTuple):
    """From which language, into which one, and how."""

    source: Dialect
    target: Dialect
    options: Options

    @property
    def engines(self) -> tuple[str, str]:
        """What messages call the two."""
        return self.source.capabilities().title, self.target.capabilities().title

    @property
    def calls(self) -> frozenset[str]:
        """The keys of maps that stand on one line, as calls of functions do in both."""
        return frozenset().union(*(dialect.capabilities().words.calls for dialect in (self.source, self.target)))

    def back(self, options: Options) -> Way:
        """The other direction."""
        return Way(self.target, self.source, options)

    def read(
        self, document: Document, reporter: Reporter, files: Files, seen: Callable[[Any], None] | None = None
    ) -> Topology:
        """The neutral form of a document of the source's language. ``seen``: is given what was read, as it is written
        yet, where the language knows misspelt names in that."""
        more = {} if seen is None or not self.source.naming else {"seen": seen}
        with bounded(self.options.limits):
            return self.source.read()(document, catalogue(self.options.types), reporter, files, **more)

    def kinds_of(self, topology: Topology, value: Value) -> frozenset[str]:
        """The kinds of the nodes that a value of ``topology`` refers to, by their types in the source."""
        nodes = (topology.nodes[name] for name in named_nodes(value) if name in topology.nodes)
        mappings = catalogue(self.options.types)
        kinds = (mappings.kind_of(topology.dialect, node.source_type) for node in nodes)
        return frozenset(kind.kind for kind in kinds if kind is not None)

    def translate(
        self,
        document: Document,
        reporter: Reporter,
        files: Files,
        origin: Origin | None = None,
        watch: passes.Watch = passes.unwatched,
        seen: Callable[[Any], None] | None = None,
    ) -> tuple[Topology, Lowered]:
        """The neutral form of a document, as the passes leave it, and what the target's writer makes of it; findings go
        to ``reporter``. ``origin``: the document that it was made from, whose names are preferred. ``watch``: sees the
        topology after each pass; ``seen``: as of :meth:`read`."""
        request = Request(
            self.source.capabilities(),
            self.target.capabilities(),
            catalogue(self.options.types),
            document,
            reporter,
            self.options,
            files,
            origin,
            self.source.accept,
        )
        with limits(self.options.limits):
            topology = passes.run(self.read(document, reporter, files, seen), request, watch)
            lowered = self.target.write()(topology, request)
        lowered.made |= {path: [] for path in topology.decided}
        return topology, lowered
