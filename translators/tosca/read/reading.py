"""Reads values of a service template, with what it keeps of them in its metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Feature, Topology
from bpconvert.translators.provenance.metadata_text import opened, restored
from bpconvert.translators.support.findings import Findings, Reports
from bpconvert.translators.support.places import texts
from bpconvert.translators.support.text import NOT_CONVERTED
from bpconvert.translators.tosca import computed, functions_2_0, template_metadata
from bpconvert.translators.tosca.functions import as_item, as_text, read_value
from bpconvert.translators.tosca.vocabulary import RELATIVE
from bpconvert.translators.toscalike.imports import Combined
from bpconvert.urls import is_url, sibling


class PlacedFindings(Findings):
    """Findings about a document with its imports: what is in an imported file has its place there."""

    def __init__(self, reporter: Reports, names: Mapping[str, str], combined: Combined) -> None:
        super().__init__(reporter, names)
        self.combined = combined
        #: the places that there are findings about
        self.reported: set[Path] = set()

    def report(self, code: str, path: Path = (), **texts: Any) -> None:
        """Record ``code`` at ``path`` of the combined document."""
        self.reported.add(path)
        super().report(code, self.combined.place(path), **texts)

    def feature(self, called: str, code: str, path: Path, **texts: Any) -> None:
        """Record a feature that is ``called`` so at ``path`` of the combined document; ``code``: for a language that
        does not keep it."""
        self.reported.add(path)
        self.features.append(Feature(called, code, self.combined.place(path), texts))

#: a list of numbers or truth values as texts
_TEXTS: Final = "$.data.items.select(str($))"


class Reading:
    """One service template that is being read. ``findings`` takes what is found; ``prefix``: what the names of
    functions begin with; ``combined``: the document with its imports; ``files``: those beside it."""

    def __init__(
        self,
        topology: Topology,
        template: tosca.ServiceTemplate,
        findings: PlacedFindings,
        prefix: str = "",
        combined: Combined | None = None,
        files: Files | None = None,
    ) -> None:
        self.topology = topology
        self.template = template
        self.findings = findings
        self.combined = combined or Combined({})
        self.files = files or Files(None)
        self.prefix = prefix
        #: places of the texts that are put together
        self._texts: set[Path] = set()
        self.kept = self.kept_in(template.metadata, template_metadata.DOCUMENT_KEY, ())

    def kept_in(self, metadata: Any, key: str, path: Path) -> dict[str, Any]:
        """What the ``metadata`` of what stands at ``path`` keep under ``key``; what cannot be read is reported."""
        kept_data = template_metadata.read(metadata, key)
        if kept_data is None:
            self.findings.report("BPC880", (*path, "metadata", key))
        return kept_data or {}

    def kept_entry(self, section: str, name: str) -> dict[str, Any]:
        """What is kept of an entry of the document."""
        section_kept = self.kept.get(section)
        entry = section_kept.get(name) if isinstance(section_kept, dict) else None
        return entry if isinstance(entry, dict) else {}

    def kept_value(self, data: Any, path: Path) -> Value:
        """A value that is kept as it is; MISSING where it is damaged."""
        return opened(data, path)

    def value(self, raw: Any, path: Path, kept: Any = None) -> Value:
        """The value ``raw`` at ``path``; what was written so, where that is ``kept``, ``raw`` was not changed, and the
        nodes are there that it names."""
        original = restored(raw, kept, path)
        nodes = self.template.node_templates
        if original is not MISSING and all(name in nodes or name in RELATIVE for name in ex.named_nodes(original)):
            if self._means_more(raw, original):
                self.findings.report("BPC670", path, what="a value")
            return original
        problems: list[Problem] = []
        value = self._read(raw, path, problems)
        for problem in problems:
            self.topology.uncomputable.add(self.combined.place(problem.path))
            self.findings.report("BPC220", problem.path, problem=problem.text)
        if self.combined.place(path) != path:
            for expr in ex.walk(value):
                expr.path = self.combined.place(expr.path)
        return ex.transform(value, self._text)

    def _read(self, raw: Any, path: Path, problems: list[Problem]) -> Value:
        """``raw`` as the version of the document reads it."""
        return functions_2_0.read_value(raw, path, problems) if self.prefix else read_value(raw, path, problems)

    def _means_more(self, raw: Any, original: Value) -> bool:
        """True where ``original`` depends on something else than what is written in its place: on an input that is not
        asked for there, or on the deployment; or where a text says there that it is not converted. What a node computes
        (:mod:`~.tosca.computed`) has the same value."""
        if any(text.startswith(NOT_CONVERTED) for text in texts(raw)):
            return True
        nodes = self.template.node_templates
        written = self._read(raw, (), [])
        written_of = set(_depends_on(written, {}))
        if any(("input", name) in written_of for name in self.kept.get("asked", ())):
            return True
        types = (nodes[name].type or "" for kind, name in written_of if kind == "node" and name in nodes)
        if any(name.startswith(computed.TYPE) for name in types):
            return False
        return not written_of.issuperset(_depends_on(original, self.topology.conditions))

    def _text(self, expr: ex.Expr) -> Value:
        """An expression that is written here, not kept of another language: texts have the words of TOSCA."""
        if isinstance(expr, (ex.Concat, ex.Join)):
            self._texts.add(expr.path)
        return self.in_texts(expr)

    def in_texts(self, expr: ex.Expr) -> Value:
        """A text with the words that engines write for booleans and numbers in it (5.4.2: ``true`` and ``false``)."""
        if not isinstance(expr, (ex.Concat, ex.Join)) or expr.path not in self._texts:
            return expr
        if isinstance(expr, ex.Concat):
            return replace(expr, items=tuple(self._worded(as_text(item)) for item in expr.items))
        lists = (
            [self._joined(as_item(item)) for item in part] if isinstance(part, list) else self._texts_of(part)
            for part in expr.lists
        )
        return replace(expr, lists=tuple(lists))

    def _joined(self, item: Value) -> Value:
        """An item of a text with a delimiter: what is given as a number is the text of it, which others do not make."""
        declared = self.topology.inputs.get(item.name) if isinstance(item, ex.Input) else None
        if declared is None:
            return item
        is_number = self._has_numbers(item.name) if item.keys else declared.type == "number"
        return ex.Concat((item,), path=item.path) if is_number else self._worded(item)

    def _texts_of(self, items: Value) -> Value:
        """A list that is given, as a list of texts."""
        if isinstance(items, ex.Input) and not items.keys and self._has_numbers(items.name):
            return ex.Query(_TEXTS, {"items": items}, path=items.path)
        return items

    def _has_numbers(self, name: Value) -> bool:
        """True for a list or map that is given, with items that are no texts."""
        declared = (self.template.inputs or {}).get(name) if isinstance(name, str) else None
        if declared is None or declared.type not in ("list", "map"):
            return False
        schema = declared.entry_schema
        type_name = schema.get("type") if isinstance(schema, dict) else schema
        if type_name is not None:
            return type_name in ("integer", "float", "boolean")
        default = declared.default
        items = default.values() if isinstance(default, dict) else default if isinstance(default, list) else ()
        return any(isinstance(item, (bool, int, float)) for item in items)

    def _worded(self, item: Value) -> Value:
        """An item of a text, the word for it where it is a boolean input."""
        return ex.If(item, "true", "false", path=item.path) if self._is_boolean(item) else item

    def _is_boolean(self, value: Value) -> bool:
        """True for an input that is a boolean."""
        declared = self.topology.inputs.get(value.name) if isinstance(value, ex.Input) and not value.keys else None
        return declared is not None and declared.type == "boolean"

    def file(self, name: str, path: Path) -> str:
        """What the result calls the file ``name`` that the entry at ``path`` of the combined document names. In an
        imported file it is looked for beside the main document, then beside that file."""
        origin = self.combined.origin(path)
        if origin is not None and not is_url(name) and not self._is_there(name):
            sibling_file = sibling(origin[1], name)
            name = sibling_file if self._is_there(sibling_file) else name
        return name if is_url(name) else self.files.local(name)

    def _is_there(self, name: str) -> bool:
        """True for a file, or a folder with files."""
        return self.files.look(name)[0] is not None or bool(self.files.below(name))

    def values(self, raw: Any, path: Path, kept: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Value]:
        """A map of named values (the map itself is no call). ``kept``: what is kept of some of them."""
        rows = raw.items() if isinstance(raw, dict) else ()
        return {name: self.value(value, (*path, name), kept.get(name)) for name, value in rows}

    def read_conditions(self) -> None:
        """Read the named conditions that are kept."""
        conditions = self.kept_value(self.kept.get("conditions", {}), ())
        if isinstance(conditions, dict):
            self.topology.conditions = conditions

    def finish(self) -> None:
        """Drop the inputs that asked for what has been read back."""
        used = {expr.name for value in self.topology.values() for expr in ex.walk(value) if isinstance(expr, ex.Input)}
        for name in self.kept.get("asked", ()):
            if name not in used:
                self.topology.inputs.pop(name, None)


def _depends_on(value: Value, conditions: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """What ``value`` is computed of: inputs, nodes, and what only a deployment has."""
    for expr in ex.walk(value):
        if isinstance(expr, ex.Input):
            yield "input", str(expr.name)
        elif isinstance(expr, (ex.Identity, ex.Attribute, ex.Property)):
            yield "node", str(expr.node)
        elif expr.NEEDS in ("deployment", "language"):
            yield "call", repr(expr)
        elif isinstance(expr, ex.Condition):
            others = {name: row for name, row in conditions.items() if name != expr.name}
            yield from _depends_on(conditions.get(str(expr.name)), others)
