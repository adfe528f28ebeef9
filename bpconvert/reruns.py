"""What becomes of the result of an earlier run that lies in the place of a new one.

A result keeps its source and a digest of each of its entries. What was edited since is put into the new result
(:mod:`bpconvert.translators.provenance.merging`); what cannot be is a reason not to write."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bpconvert import api
from bpconvert.diagnostics import BpconvertError, Diagnostic, Reporter, Span, diagnostic
from bpconvert.files import is_archive
from bpconvert.models.light import NamedTuple
from bpconvert.options import Options
from bpconvert.translators.dialects import DIALECTS, load
from bpconvert.translators.provenance import notes, parts, record_files
from bpconvert.translators.provenance.carry import digest, digests_of, is_inside
from bpconvert.translators.provenance.merging import Merged, Version, comments_of, merge, merge_lines, merge_values
from bpconvert.urls import is_url
from bpconvert.yamlio.document import Document

#: yields the bytes of a file by its path beside the document, "" for the document itself; None where there is none
Look = Callable[[str], "bytes | None"]


class Settled(NamedTuple):
    """What is to be written. ``text``, ``files``: as in the result, with the edits; ``found``: the edits that are in
    it; ``refused``: why nothing may be written; ``unused``: files of the earlier result that are as they were
    generated, and not part of the new one."""

    text: str
    files: dict[str, str]
    findings: list[Diagnostic]
    refused: list[Diagnostic]
    unused: list[str]


class Record(NamedTuple):
    """The record in a document of an earlier run. ``place``: where it is; ``kept``: as it is stored; ``file``: the
    file beside the document that has it."""

    place: tuple[Any, ...]
    kept: Mapping[str, str]
    file: str | None = None

    def map(self, key: str) -> dict[str, Any]:
        """A part of it. Raises ValueError where it is damaged."""
        return parts.map_of(self.kept, key)

    @property
    def digests(self) -> dict[tuple[Any, ...], str]:
        """The digest of each entry as it was generated."""
        return parts.digests(self.kept)

    @property
    def text(self) -> str:
        """The source."""
        return parts.source_text(self.kept)


#: the options that are taken of today, not of the earlier run
_TODAY = ("types", "environments", "stages", "templates", "nearby")
#: what a damaged record causes
DAMAGED = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


class Earlier:
    """The earlier result: a document of the language ``target`` made from one of another language, and its files.

    ``look`` reads it; ``name``: what the file of its source was called, None where it was none; ``options``: those of
    today, of which files of mappings, environments and layouts are taken; ``folder``: that of the result."""

    def __init__(
        self, look: Look, target: str, name: str | None, options: Options, folder: Path | None = None
    ) -> None:
        self.look = look
        self.folders = folder.resolve().parts[1:] if folder is not None else ()
        self.target = DIALECTS[target]
        self.name = name
        self.options = options
        self._made: dict[str, api.Result | None] = {}

    def document(self, name: str) -> Document | None:
        """The document ``name``; None where it cannot be read, or is none."""
        data = self.look(name)
        with suppress(BpconvertError):
            document = load(data, name) if data is not None else None
            return document if document is not None and self.target.recognises(document.data) else None
        return None

    def record_of(self, name: str) -> Record | None:
        """The record of the document ``name``."""
        return self.record(self.document(name), name, self.look)

    def record(self, document: Document | None, name: str, look: Look) -> Record | None:
        """The record of a document, of whatever language its source is; None where there is none that can be read.
        ``look``: reads the files of the result that has the document as ``name``."""
        if document is None:
            return None
        keeper, folder = self.target.keeper(), posixpath.dirname(name)
        folders = [*self.folders, *record_files.folders_of(folder)]

        def text(file: str) -> str | None:
            data = look(posixpath.normpath(posixpath.join(folder, file)))
            return None if data is None else data.decode()

        for source in [dialect for dialect in DIALECTS if dialect != self.target.name]:
            try:
                place = keeper.find(document.data, source)
                if place is None:
                    continue
                kept, file = record_files.read(keeper, document.data, place, text, folders)
                if kept["source"] == source:
                    file_place = None if file is None else posixpath.normpath(posixpath.join(folder, file))
                    record = Record(place, kept, file_place)
                    if record.digests and record.text:
                        return record
            except DAMAGED:
                continue
        return None

    def regenerated(self, name: str = "") -> api.Result | None:
        """The result as it was generated, from the source that the document ``name`` keeps; None where that is not
        possible any more."""
        if name not in self._made:
            self._made[name] = None
            with suppress(BpconvertError, OSError, *DAMAGED):
                self._made[name] = self._make_again(name)
        return self._made[name]

    def _make_again(self, name: str) -> api.Result | None:
        record = self.record_of(name)
        if record is None:
            return None
        local = {field: getattr(self.options, field) for field in _TODAY}
        options = Options(**record.map("options"))._replace(**local, carry_file=record.file is not None)
        texts: dict[str, str] = {}
        self._gather(record, posixpath.dirname(name), "", texts, {name})
        # a folder that cannot be: what the record does not have is not read from elsewhere
        called = os.path.join(os.devnull, self.name or "") if self.name is not None else None
        source, target = record.kept["source"], self.target.name
        return api.convert(record.text.encode(), source, target, name=called, options=options, beside=texts)

    def _gather(self, record: Record, folder: str, base: str, texts: dict[str, str], seen: set[str]) -> None:
        """Put the files that a record keeps and the sources of nested documents into ``texts``. ``folder``: that of the
        result; ``base``: that of the source, from the outermost one."""
        for file, text in record.map("files").items():
            if (is_inside(file) or is_url(file)) and isinstance(text, str):
                texts.setdefault(file if is_url(file) else posixpath.normpath(posixpath.join(base, file)), text)
        for theirs, mine in record.map("nested").items():
            place = posixpath.normpath(posixpath.join(folder, mine or theirs))
            source = posixpath.normpath(posixpath.join(base, theirs))
            data = None if place.startswith("..") or place in seen else self.look(place)
            if data is None:
                continue
            inner = self.record_of(place) if mine else None
            texts[source] = data.decode() if inner is None else inner.text
            if inner is not None:
                self._gather(inner, posixpath.dirname(place), posixpath.dirname(source), texts, {*seen, place})

    def bundle(self, name: str) -> dict[str, str]:
        """The files that were generated for the document ``name``, by their path: the digest of each."""
        record = self.record_of(name)
        folder = posixpath.dirname(name)
        digests: dict[str, str] = {}
        with suppress(*DAMAGED):
            listed = record.map("bundle") if record is not None else {}
            digests = {posixpath.normpath(posixpath.join(folder, file)): str(value) for file, value in listed.items()}
        return {file: value for file, value in digests.items() if is_inside(file)}

    def record_file(self, name: str) -> dict[str, str]:
        """The file with the record of the document ``name``, which nobody edits: its path, and its digest as it is."""
        record = self.record_of(name)
        digest = digest_of(self.look(record.file)) if record is not None and record.file is not None else None
        return {} if record is None or record.file is None or digest is None else {record.file: digest}

    def is_edited(self, name: str = "") -> bool:
        """True for a document that is not as it was generated, comments included."""
        document = self.document(name)
        record, generated = self.record_of(name), self.regenerated(name)
        if document is None or record is None:
            return True
        if generated is not None and generated.text == document.mark + document.text:
            return False
        if generated is None or digests_of(document.data, record.place) != record.digests:
            return True
        return bool(comments_of(notes.without(document)) - comments_of(load(generated.text)))


def merge_edits(result: api.Result, files: Collection[str], earlier: Earlier, label: Callable[[str], str]) -> Settled:
    """The ``result`` with what was edited in an earlier one. ``files``: those of its further files that are written;
    ``label``: what messages call a file of the result, by its path beside the document."""
    settling = _Settling(result, earlier, label)
    documents = {"": result.text, **{name: result.files[name] for name in result.nested if name in files}}
    texts = {name: settling.document(name, text) for name, text in documents.items()}
    bundle: dict[str, str] = {}
    for name in documents:
        bundle |= earlier.bundle(name) | earlier.record_file(name)
    for name, text in result.files.items():
        if name not in texts:
            texts[name] = settling.file(name, text, bundle) if name in files else text
    unused = [name for name, digest in bundle.items() if name not in texts and digest_of(earlier.look(name)) == digest]
    main = texts.pop("")
    return Settled(main, {name: texts[name] for name in result.files}, settling.findings, settling.refused, unused)


class _Settling:
    """The files of one result, one after the other."""

    def __init__(self, result: api.Result, earlier: Earlier, label: Callable[[str], str]) -> None:
        self.result = result
        self.earlier = earlier
        self.label = label
        self.findings: list[Diagnostic] = []
        self.refused: list[Diagnostic] = []

    def document(self, name: str, text: str) -> str:
        """What to write for the document ``name``."""
        data = self.earlier.look(name)
        if not data or data == text.encode():
            return text
        document = self.earlier.document(name)
        if document is None:
            return self._unknown(name, text)
        document.name = self.label(name)
        reporter = Reporter(document)
        merged = self._merged(name, text, document)
        if merged is None:
            return self._unknown(name, text)
        for path in merged.conflicts:
            self.refused.append(reporter.build("BPC641", path, name=_dotted(path)))
        for path, comment in merged.comments:
            self.refused.append(reporter.build("BPC644", path, text=comment))
        if merged.text is None:
            return text
        if merged.kept:
            written = Reporter(load(merged.text, document.name))
            self.findings += [written.build("BPC640", path, name=_dotted(path)) for path in merged.kept]
        return merged.text

    def _merged(self, name: str, text: str, document: Document) -> Merged | None:
        """The new ``text`` with the edits of ``document``; None where it is not known what was generated."""
        target = self.earlier.target
        record, new = self.earlier.record_of(name), load(text)
        mine = self.earlier.record(new, name, self._look)
        generated: str | None
        if name in self.result.origins:
            generated, digests, own = self.result.origins[name], None, ()
        elif record is None:
            return None
        else:
            generated, digests, own = self._as_generated(name, text, record, mine), record.digests, record.place
        base = None if generated is None else Version(load(generated), own)
        edited = Version(document, record.place if record is not None else ())
        calls = target.capabilities().words.calls
        version = Version(new, mine.place if mine is not None else ())
        return merge(base, edited, version, digests, target.keeper().unresolved, calls)

    def _look(self, name: str) -> bytes | None:
        """A file of the new result."""
        text = self.result.files.get(name)
        return None if text is None else text.encode()

    def _as_generated(self, name: str, text: str, record: Record, mine: Record | None) -> str | None:
        if mine is not None and dict(mine.kept) == dict(record.kept):
            return text
        outer = self.earlier.regenerated() if name else None
        if outer is not None and name in outer.files:
            return outer.files[name]
        result = self.earlier.regenerated(name)
        return None if result is None else result.text

    def file(self, name: str, text: str, bundle: Mapping[str, str]) -> str:
        """What to write for a further file. ``bundle``: digest of each as it was generated."""
        data = self.earlier.look(name)
        if not data or data == text.encode() or (name in bundle and digest_of(data) == bundle[name]):
            return text
        generated = self.earlier.regenerated()
        base = self.result.origins.get(name)
        file = generated.files.get(name, "") if generated is not None else ""
        if base is None and generated is not None and digest_of(file.encode()) == bundle.get(name):
            base = generated.files[name]
        if base is None and name not in bundle:
            return self._unknown(name, text)
        merged = None if base is None else _merged_file(name, base, data, text)
        code, words = ("BPC641" if merged is None else "BPC640"), {"name": name}
        place = Span(self.label(name), 1, 1)
        (self.refused if merged is None else self.findings).append(diagnostic(code, place, (), words))
        return text if merged is None else merged

    def _unknown(self, name: str, text: str) -> str:
        self.refused.append(diagnostic("BPC642", Span(self.label(name), 1, 1)))
        return text


def _merged_file(name: str, base: str, data: bytes, new: str) -> str | None:
    try:
        old = data.decode()
    except UnicodeDecodeError:  # results are text
        return None
    if name.endswith((".yaml", ".yml")):
        return merge_values(base, old, new)
    return merge_lines(base, old, new)


def _dotted(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path)) or "(the document)"


def digest_of(data: bytes | None) -> str | None:
    """The digest of a file, as records have it; None for one that is not there, or is no text."""
    try:
        return None if data is None else digest(data.decode())
    except UnicodeDecodeError:
        return None


def rerun(result: api.Result, files: Collection[str], target: Path, source: Path | None, options: Options) -> Settled:
    """The ``result`` with what was edited in the one of an earlier run in its place, the file ``target`` and those
    beside it or in it. ``files``: those of its further files that are written; ``source``: the file that it is made
    from."""
    packed = is_archive(target.name)
    look = _inside(target) if packed else reader_beside(target)
    name = source.name if source is not None else None
    earlier = Earlier(look, result.target, name, options, None if packed else target.parent)
    folder = target if packed else target.parent
    return merge_edits(result, files, earlier, lambda name: os.path.normpath(folder / name if name else target))


def reader_beside(target: Path) -> Look:
    """What reads the file ``target`` and those below its folder."""

    def look(name: str) -> bytes | None:
        place = target.parent / name if name else target
        try:
            return place.read_bytes() if place.is_file() else None
        except (OSError, ValueError):
            return None

    return look


def _inside(archive: Path) -> Look:
    """Reads the document of an archive and the files beside that."""
    try:
        opened = api.opened(archive)
    except (BpconvertError, OSError):
        return reader_beside(archive)  # of an earlier result nothing is known

    def look(name: str) -> bytes | None:
        if not name or opened.archive is None:
            return opened.text if isinstance(opened.text, bytes) else opened.text.encode()
        return opened.archive.read(posixpath.join(posixpath.dirname(opened.archive.entry), name))

    return look
