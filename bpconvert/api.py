"""The library: one function that converts, and what it returns. The command line calls nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bpconvert.diagnostics import Diagnostic, Fidelity, Reporter, SourceError
from bpconvert.files import Files
from bpconvert.options import Options
from bpconvert.render import render
from bpconvert.translators import carry, restore
from bpconvert.translators.carry import Origin
from bpconvert.translators.comments import place
from bpconvert.translators.dialects import DIALECTS, Dialect
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.types import builtin
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import emit


@dataclass
class Result:
    """A finished conversion. ``files``: further files of the bundle, path relative to the document -> text."""

    text: str
    diagnostics: list[Diagnostic]
    files: dict[str, str] = field(default_factory=dict)

    @cached_property
    def document(self) -> Any:
        """The target document as plain data, as the engine reads it."""
        return load(self.text, "<result>").data

    @property
    def fidelity(self) -> Fidelity:
        """The least faithful thing that happened; EXACT when nothing had to be reported."""
        return max((d.fidelity for d in self.diagnostics), default=Fidelity.EXACT)


def convert(
    source_document: str | bytes | Path,
    source: str = "hot",
    target: str = "cloudify",
    *,
    name: str | None = None,
    options: Options | None = None,
    **choices: Any,
) -> Result:
    """Convert a template.

    Args:
        source_document: a path, or the document's text (a ``str`` with a line break, or ``bytes``).
        source, target: names of dialects (``bpconvert.translators.dialects.DIALECTS``).
        name: what messages call the document; its folder is where the document's files are. Default: the path.
        options: see :class:`~bpconvert.options.Options`; ``choices`` override single fields of it.

    Returns:
        the text, the diagnostics and further files.

    Raises:
        SourceError: the document cannot be read or is no template of the source dialect.
        OSError: the file cannot be read.
        ValueError: the dialects cannot be converted, or an option is unknown or has an unknown value.
    """
    chosen = (options or Options())._replace(**choices)
    chosen.check()
    if source not in DIALECTS or target not in DIALECTS:
        raise ValueError(f"unknown dialect; known: {', '.join(DIALECTS)}")
    if source == target:
        raise ValueError(f"{source} to {target}: there is nothing to convert")
    text, label, folder = _open(source_document, name)
    document = load(text, label)
    _check_dialect(document, DIALECTS[source])
    files = Files(folder, chosen.allow_outside)
    conversion = _Conversion(document, DIALECTS[source], DIALECTS[target], chosen, files)
    written = conversion.text()
    extra = {**conversion.files, **(files.used if chosen.files == "copy" else {})}
    if conversion.inputs:
        extra[f"{Path(label).stem}.inputs.yaml" if folder else "blueprint.inputs.yaml"] = emit(conversion.inputs)
    found = sorted(conversion.reporter.diagnostics, key=lambda d: (d.span.line, d.span.column, d.code))
    return Result(written, found, extra)


class _Conversion:
    """One document on its way. ``inputs`` and ``files`` are filled by :meth:`text`."""

    def __init__(self, document: Document, source: Dialect, target: Dialect, options: Options, files: Files) -> None:
        self.document = document
        self.source = source
        self.target = target
        self.options = options
        self.from_folder = files
        self.reporter = Reporter(document)
        self.inputs: dict[str, Any] = {}
        self.files: dict[str, str] = {}

    def text(self) -> str:
        """The result. A document that was made from one of the target dialect goes back to it."""
        origin = self._origin() if self.options.carry else None
        if origin is None:
            return self._translated()
        if origin.is_untouched:
            return origin.text
        return self._restored(origin)

    def _origin(self) -> Origin | None:
        """What the document was made from, if it says so and that is of the target dialect."""
        keeper = self.source.keeper()
        place = keeper.find(self.document.data)
        if place is None:
            return None
        try:
            kept = keeper.read(self.document.data, place)
            if kept["source"] != self.target.name:
                return None
            return Origin(kept, place, self.document, self.target.counterparts(self.source))
        except (KeyError, TypeError, ValueError, AttributeError, SourceError) as error:
            self.reporter.report("BPC624", place, problem=" ".join(f"{type(error).__name__}: {error}".split()))
            return None

    def _lower(self, reporter: Reporter, origin: Origin | None) -> Lowered:
        for path, key in ((d.path, d.key) for d in self.document.duplicates):
            reporter.report("BPC102", path, key=key)
        catalogue, files = builtin(), self.from_folder
        topology = self.source.lift()(self.document, catalogue, reporter, files)
        lowered: Lowered = self.target.lower()(
            topology, self.document, catalogue, reporter, self.options, files, origin
        )
        self.inputs, self.files = lowered.inputs, lowered.files
        return lowered

    def _translated(self) -> str:
        lowered = self._lower(self.reporter, None)
        comments = place(self.document.comments, lowered.moves, lowered.data)
        if self.options.carry:
            sections = self.source.counterparts(self.target)
            kept = carry.record(self.source.name, self.document, lowered.data, lowered.made, sections)
            self.target.keeper().put(lowered.data, kept)
        return self._rendered(lowered.data, comments)

    def _restored(self, origin: Origin) -> str:
        scratch = Reporter(self.document)
        lowered = self._lower(scratch, origin)
        comments = place(self.document.comments, lowered.moves, lowered.data)
        patched = restore.patch(origin, lowered, comments, self.target.marker, self.target.keeper().version)
        restore.report(origin.changes, patched, lowered, scratch.diagnostics, self.reporter)
        return self._rendered(patched.data, patched.comments)

    def _rendered(self, data: dict[str, Any], comments: dict[Any, Any]) -> str:
        return render(self.target.template, data, comments=comments, templates_dir=self.options.templates)


def read(source_document: str | bytes | Path, name: str | None = None) -> Document:
    """Read a document without converting it; the arguments and errors are those of :func:`convert`."""
    text, label, _ = _open(source_document, name)
    return load(text, label)


def dialect_of(document: Document) -> str:
    """The name of the dialect that a document is written in. Raises SourceError when it is none of the known ones."""
    data = document.data
    for name, dialect in DIALECTS.items():
        if isinstance(data, dict) and dialect.marker in data:
            return name
    titles = " or ".join(dialect.title for dialect in DIALECTS.values())
    markers = " nor ".join(f"'{dialect.marker}'" for dialect in DIALECTS.values())
    raise SourceError(Reporter(document).build("BPC131", (), title=titles, what=f"there is neither {markers}"))


def _open(document: str | bytes | Path, name: str | None) -> tuple[str | bytes, str, Path | None]:
    """The document's text, its name in messages and its folder."""
    if isinstance(document, str) and "\n" not in document:
        document = Path(document)
    if isinstance(document, Path):
        return document.read_bytes(), name or str(document), document.parent
    return document, name or "<input>", Path(name).parent if name else None


def _check_dialect(document: Document, dialect: Dialect) -> None:
    data = document.data
    if isinstance(data, dict) and dialect.marker in data:
        return
    other = next((d.title for d in DIALECTS.values() if isinstance(data, dict) and d.marker in data), None)
    what = f"it is {other}" if other else f"there is no '{dialect.marker}'"
    raise SourceError(Reporter(document).build("BPC131", (), title=dialect.title, what=what))
