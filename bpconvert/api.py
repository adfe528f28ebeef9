"""The library: one function that converts, and what it returns. The command line calls nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from bpconvert.conversion import Conversion
from bpconvert.diagnostics import Diagnostic, Fidelity, Reporter, SourceError, UsageError
from bpconvert.diagnostics.folding import linked
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.files import Files, is_archive
from bpconvert.given import stage_file
from bpconvert.models.light import NamedTuple, dataclass, field
from bpconvert.nested import Converted, files_of, origins, unread_types
from bpconvert.options import Choices, Options, chosen
from bpconvert.translation import Way
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import (
    DIALECTS,
    catalogue,
    entry_of,
    load,
    read_environments,
    read_stages,
    recognised,
    unlike,
    with_nearby,
)
from bpconvert.urls import Maps
from bpconvert.writing import Content, write_together
from bpconvert.yamlio import document as documents
from bpconvert.yamlio.document import Document

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from bpconvert.archives import Archive
    from bpconvert.tracing import Step


class Trace(NamedTuple):
    """A document of a conversion, and where its entries are in the result.

    ``source``: its name in findings, ``text``: it itself; ``target``: the name of its result among the files, "" for
    that of the whole; ``moves``: (place in the source, place in the result); ``made``: entry of the source -> entries
    of the result; ``secrets``: what is to be masked where one of the two is shown."""

    source: str
    text: str
    target: str
    moves: Sequence[tuple[Any, Any]]
    made: Mapping[Any, Sequence[Any]]
    secrets: Secrets

    @classmethod
    def from_conversion(cls, conversion: Converted, target: str) -> Trace:
        """That of one document."""
        document, lowered = conversion.document, conversion.lowered
        moves, places = ((), {}) if lowered is None else (lowered.moves, lowered.made)
        return cls(document.name, document.text, target, moves, places, document.secrets)


@dataclass
class Result:
    """A finished conversion. ``files``: further files of the bundle, path relative to the document -> text;
    ``kept_files``: those of them that the document itself carried. ``nested``: files that the document nests, by the
    path of their result, one of ``files``; ``read``: the paths of all files that were read, the document's own as well;
    ``target``: the dialect; ``traces``: the document and those that it nests. ``origins``: of a document that went back
    to what it was made from, the texts as they were kept, by the same paths ("": the document). ``inputs``: stage
    ("": none) -> the file with the values to give when deploying."""

    text: str
    diagnostics: list[Diagnostic]
    files: dict[str, str] = field(default_factory=dict)
    kept_files: set[str] = field(default_factory=set)
    nested: dict[str, str] = field(default_factory=dict)
    read: set[Path] = field(default_factory=set)
    target: str = ""
    origins: dict[str, str] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list, repr=False, compare=False)
    inputs: dict[str, str] = field(default_factory=dict)

    @cached_property
    def document(self) -> Any:
        """The target document as plain data, as the engine reads it."""
        return documents.load(self.text, "<result>").data

    @property
    def fidelity(self) -> Fidelity:
        """The least faithful thing that happened; EXACT when nothing had to be reported."""
        return max((d.fidelity for d in self.diagnostics), default=Fidelity.EXACT)

    def write(self, place: str | PathLike[str], *, force: bool = False) -> list[Path]:
        """Write the result and its further files, all or none, and return where they are.

        Args:
            place: the file of the document; in a folder that exists it is called as the source is.
            force: replace files that have other contents. A file that the conversion has read is never replaced.

        Raises:
            UsageError: a file is there already, or would be outside of the folder; the source has no name.
            OSError: a file cannot be written."""
        target = Path(place)
        if target.is_dir():
            name = PurePosixPath(self.traces[0].source).name if self.traces else ""
            if not name or name.startswith("<"):
                raise UsageError(f"{target} is a folder, and the source has no name: give the name of a file")
            target /= name
        folder = target.parent.resolve()
        if target.name in self.files:
            raise UsageError(f"not written: its file {target.name} has the name of the result")
        texts = {target: self.text, **{target.parent / name: text for name, text in self.files.items()}}
        for file, text in texts.items():
            if not file.resolve().is_relative_to(folder):
                raise UsageError(f"not written: {file} is outside of {folder}")
            differs = file.exists() and file.read_bytes() != text.encode()
            if differs and (not force or file.resolve() in self.read):
                raise UsageError(f"not written: {file} is there already")
        write_together([Content(file, text.encode()) for file, text in texts.items()])
        return list(texts)


def convert(
    source_document: str | bytes | Path,
    source: str | None = None,
    target: str = "cloudify",
    *,
    name: str | None = None,
    options: Options | None = None,
    beside: Mapping[str, str] | None = None,
    **choices: Unpack[Choices],
) -> Result:
    """Convert a template.

    Args:
        source_document: a path, or the document's text (a ``str`` with a line break, or ``bytes``).
        source, target: names of dialects (``bpconvert.translators.dialects.DIALECTS``); None as the source: the one
            that the document is written in.
        name: what messages call the document; its folder is where the document's files are. Default: the path.
        beside: texts of files beside a document that is given as text, by their path relative to it, or by their URL.
        options: see :class:`~bpconvert.options.Options`; ``choices`` override single fields of it.

    Returns:
        the text, the diagnostics and further files.

    Raises:
        SourceError: the document cannot be read or is no template of the source dialect, or a file of ``types`` or
            ``environments`` has errors.
        OSError: a file cannot be read.
        UsageError: the dialects cannot be converted, or an option is unknown or has an unknown value."""
    conversion, names, reported = _prepared(source_document, source, target, name, chosen(options, choices), beside)
    return finished(conversion, names, reported)


def trace(
    source_document: str | bytes | Path,
    entry: str,
    source: str | None = None,
    target: str = "cloudify",
    *,
    name: str | None = None,
    options: Options | None = None,
    beside: Mapping[str, str] | None = None,
    **choices: Unpack[Choices],
) -> list[Step]:
    """What becomes of one entry of a template, step by step: as it is read, after each pass that changes it, as it is
    written. A kept source is not used.

    Args:
        entry: the name of an input, a condition, a node, a group or an output of the template.
        source_document, source, target, name, options, beside, choices: as of :func:`convert`.

    Returns:
        the steps; ``str`` of one is its name and the entry as YAML.

    Raises:
        UsageError: the template has nothing of that name; and what :func:`convert` raises."""
    from bpconvert.tracing import steps

    return steps(_prepared(source_document, source, target, name, chosen(options, choices), beside)[0], entry)


def _prepared(
    source_document: str | bytes | Path,
    source: str | None,
    target: str,
    name: str | None,
    asked: Options,
    beside: Mapping[str, str] | None,
) -> tuple[Conversion, list[str], list[Diagnostic]]:
    """The conversion of a document, the files that are read besides those that it names, and what was found in them."""
    if source not in (None, *DIALECTS) or target not in DIALECTS:
        raise UsageError(f"unknown dialect; known: {', '.join(DIALECTS)}")
    if source == target:
        raise UsageError(f"{source} to {target}: there is nothing to convert")
    if asked.orchestrator not in (None, *DIALECTS[target].capabilities().orchestrators):
        raise UsageError(
            f"orchestrator: '{asked.orchestrator}' deploys no {DIALECTS[target].title} {DIALECTS[target].word}s"
        )
    source_file = opened(source_document, name)
    asked = asked.for_path(Path(source_file.label) if source_file.folder is not None else None)
    document = load(source_file.text, source_file.label)
    source = source or _other_dialect(document, DIALECTS[target])
    _check_dialect(document, DIALECTS[source])
    if asked.types:
        catalogue(asked.types)
    files = source_file.files(asked, beside)
    files.environment, reported = read_environments(asked.environments, DIALECTS[source], DIALECTS[target])
    files.environment = with_nearby(files.environment, asked.nearby, asked.types, DIALECTS[source])
    files.stages, more = read_stages(asked.stages, DIALECTS[source], DIALECTS[target])
    reported += more
    conversion = Conversion(Way(DIALECTS[source], DIALECTS[target], asked), document, files)
    return conversion, source_file.names(asked), reported


def finished(conversion: Conversion, names: Sequence[str], reported: Sequence[Diagnostic] = ()) -> Result:
    """Convert, and gather everything that belongs to the result. ``names``: the files that were read besides those that
    the document names; ``reported``: what was found in them."""
    asked, files, target = conversion.way.options, conversion.folder, conversion.way.target.name
    written = conversion.text()
    extra = {**conversion.files, **(files.copies if asked.files == "copy" else {})}
    nested_ones = list(conversion.nesting.documents.values())
    inner, kept = files_of(nested_ones, asked.files == "copy")
    extra = {**inner, **extra, **conversion.given_files}
    found_all = [*conversion.reporter.in_order(), *conversion.nesting.diagnostics, *reported]
    diagnostics = linked([finding.masked() for finding in found_all], unread_types(conversion, nested_ones))
    nested = {document.target: document.place for document in nested_ones}
    made_from = origins(conversion, nested_ones)
    inner_ones = [(document.conversion, document.target) for document in nested_ones]
    traces = [
        Trace.from_conversion(converted, place)
        for converted, place in [(conversion, ""), *inner_ones]
        if converted is not None
    ]
    kept_files = conversion.kept_files | kept
    read_files = files.opened | {files.real(Path(name)) for name in names}
    stages = {stage: stage_file(conversion.inputs_name, stage) for stage, values in conversion.stages.items() if values}
    inputs = {**({"": conversion.inputs_name} if conversion.inputs else {}), **stages}
    return Result(written, diagnostics, extra, kept_files, nested, read_files, target, made_from, traces, inputs)


def read(source_document: str | bytes | Path, name: str | None = None) -> Document:
    """Read a document without converting it; the arguments and errors are those of :func:`convert`."""
    source_file = opened(source_document, name)
    return load(source_file.text, source_file.label)


def dialect_of(document: Document) -> str:
    """The name of the dialect that a document is written in. Raises SourceError when it is none of the known ones."""
    dialect = recognised(document.data)
    if dialect is not None:
        return dialect.name
    raise unlike(document, *DIALECTS.values())


class Opened(NamedTuple):
    """A document as it was found. ``label``: its name in messages; ``folder``: where its file is, None for a text;
    ``archive``: what it came in."""

    text: str | bytes
    label: str
    folder: Path | None
    archive: Archive | None = None

    def names(self, asked: Options) -> list[str]:
        """The files that a conversion reads besides those that it names."""
        own = [self.label if self.archive is None else self.archive.name] if self.folder is not None else []
        return [*own, *asked.environments, *(file for _, file in asked.stages), *asked.types]

    def files(self, asked: Options, texts: Mapping[str, str] | None = None) -> Files:
        """The files beside it; ``asked``: which ones may be read; ``texts``: those that are not on disk."""
        folder = None if self.archive else self.folder
        files = Files(folder, asked.allow_outside, given=texts or {}, packed=self.archive, maps=Maps(asked.maps))
        files.flavour, files.orchestrator = asked.flavour, asked.orchestrator
        files.document = None if folder is None else folder / Path(self.label).name
        return files


def opened(document: str | bytes | Path, name: str | None = None) -> Opened:
    """The document, of an archive the one that it is about.

    Raises SourceError for an archive that cannot be read, and OSError."""
    if isinstance(document, str) and "\n" not in document:
        document = Path(document)
    if isinstance(document, Path):
        opened_file = Opened(document.read_bytes(), name or str(document), document.parent)
    else:
        opened_file = Opened(document, name or "<input>", Path(name).parent if name else None)
    is_path = isinstance(document, Path)
    if isinstance(opened_file.text, bytes) and is_archive(opened_file.label if is_path else "", opened_file.text):
        return _unpacked(opened_file.text, opened_file.label, opened_file.folder)
    return opened_file


def _unpacked(data: bytes, label: str, folder: Path | None) -> Opened:
    """The document in an archive."""
    from bpconvert.archives import open_archive, refused

    archive = open_archive(data, label)
    try:
        archive.entry = entry_of(archive.names, archive.read)
    except ValueError as error:
        raise refused(label, str(error)) from None
    return Opened(archive.read(archive.entry) or b"", f"{label}/{archive.entry}", folder, archive)


def packed(result: Result, name: str) -> bytes:
    """The archive of a result with its files; ``name``: what the document in it is called.

    Raises UsageError for a dialect without archives, and for files that cannot be in one."""
    from bpconvert.archives import pack

    layout = DIALECTS[result.target].packing()
    if layout is None:
        raise UsageError(f"there are no archives of {DIALECTS[result.target].title} documents")
    return pack(layout.contents(name, result.text, result.files))


def _other_dialect(document: Document, target: Dialect) -> str:
    """The dialect of a document that is not of the target's."""
    dialect = dialect_of(document)
    if dialect == target.name:
        raise SourceError(Reporter(document).build("BPC132", (target.marker,), title=target.title, word=target.word))
    return dialect


def _check_dialect(document: Document, dialect: Dialect) -> None:
    if not dialect.recognises(document.data):
        raise unlike(document, dialect, others=DIALECTS.values())
