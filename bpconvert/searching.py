"""Which files are documents: those that are named, and those that are found in directories."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpconvert.diagnostics import BpconvertError, Diagnostic, SourceError, Span, UsageError, diagnostic
from bpconvert.files import ARCHIVES, is_archive
from bpconvert.ignored import EVERYTHING, Ignored, Search
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support.places import texts

if TYPE_CHECKING:
    from bpconvert.translators.dialect import Dialect

#: how the names of documents end
SUFFIXES: Final = (".yaml", ".yml", ".template")
#: what may be the name of a template, and how it ends: two steps, as one would try each of its characters as the first
_WORD: Final = re.compile(r"[^\s'\"\[\]{},]+")
_SUFFIX: Final = re.compile(r"\.(?:ya?ml|template)(?![\w.])")


class Sources(NamedTuple):
    """The files that are documents. ``skipped``: how many others the directories hold; ``left_out``: how many files
    were not looked at; ``unread``: a finding (BPC688) for each folder that cannot be read; ``environments``: the
    environment files in directories."""

    paths: list[Path]
    skipped: int = 0
    left_out: int = 0
    unread: tuple[Diagnostic, ...] = ()
    environments: tuple[str, ...] = ()


def find(
    inputs: Sequence[str], languages: Sequence[Dialect], only_known: bool = False, search: Search = EVERYTHING
) -> Sources:
    """The files among ``inputs``, and the documents of one of the ``languages`` in its directories. ``only_known``:
    files are looked at as those of directories are; ``search``: what is left out of directories.

    Raises UsageError when there are none, unless ``only_known`` allows that."""
    sources = sources_among([Path(name) for name in inputs], languages, search)
    if only_known:
        return sources._replace(paths=[path for path in sources.paths if _matches(path, languages)])
    if not sources.paths:
        raise UsageError(nothing_found(inputs, languages, sources))
    return sources


def nothing_found(inputs: Sequence[str], languages: Sequence[Dialect], sources: Sources) -> str:
    """The message for directories without documents."""
    if sources.unread:
        return "; ".join(f"{finding.file}: {finding.message}" for finding in sources.unread)
    left_out = sources.left_out
    looked = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
    keys = " or ".join(f"'{marker}'" for marker in dict.fromkeys(language.marker for language in languages))
    more = "; .gitignore and --exclude leave out files here, see --no-gitignore" if left_out else ""
    if any(language.library for language in languages):
        more += "; files that only define types are left out"
    return f"no templates in {', '.join(inputs)} (looked for {keys} in {looked}{more})"


def sources_among(paths: Sequence[Path], languages: Sequence[Dialect], search: Search) -> Sources:
    """All files to convert, each once. Missing files stay in the list."""
    files: dict[str, Path] = {}
    unread: dict[str, Diagnostic] = {}
    from bpconvert.environments import is_environment  # single files do not need it

    environments: dict[str, str] = {}
    registries = [language.registry for language in languages if language.registry]
    skipped = left_out = 0
    for path in paths:
        if not path.is_dir():
            files.setdefault(os.path.abspath(path), path)
            continue
        ignored = Ignored(path, search)
        for file in walk(path, ignored, unread):
            if _matches(file, languages):
                files.setdefault(os.path.abspath(file), file)
            else:
                skipped += 1
                if is_environment(file, registries):
                    environments.setdefault(os.path.abspath(file), str(file))
        left_out += ignored.left_out
    problems = tuple(unread[place] for place in sorted(unread))
    return Sources(list(files.values()), skipped, left_out, problems, tuple(environments.values()))


def walk(folder: Path, ignored: Ignored, unread: dict[str, Diagnostic]) -> Iterator[Path]:
    """The files below ``folder`` in order, not those of hidden or linked folders. ``unread`` takes a finding for each
    folder that cannot be read, by its path."""

    def note(error: OSError) -> None:
        place = str(error.filename or folder)
        words = {"problem": error.strerror or str(error)}
        unread[os.path.abspath(place)] = diagnostic("BPC688", Span(place, 1, 1), (), words)

    for parent, folders, files in os.walk(folder, onerror=note):
        folders[:] = ignored.keep(parent, sorted(folders), folders=True)
        yield from (Path(parent, name) for name in ignored.keep(parent, sorted(files), folders=False))


def _matches(file: Path, languages: Sequence[Dialect]) -> bool:
    """Whether the file is a document of one of the languages. One that cannot be read is taken for one, so that its
    conversion says why; but of the archives that are not read only those that have the name of documents' own."""
    try:
        if is_archive(file.name):
            packed = [language for language in languages if language.packing() is not None]
            return bool(packed) and file.is_file() and (file.suffix == ARCHIVES[0] or _is_of(_unpacked(file), packed))
        return file.suffix.lower() in SUFFIXES and file.is_file() and _is_of(file.read_bytes(), languages)
    except OSError:
        return True


def _is_of(text: bytes, languages: Sequence[Dialect]) -> bool:
    """Whether a text looks like a document of one of the languages: it has a line with the language's key, and a
    version that is of that language. What only others import is no document."""
    for language in languages:
        key = re.escape(language.marker.encode())
        starts = rb"^(?:\xef\xbb\xbf)?['\"]?" + key + rb"['\"]?[ \t]*:[ \t]*['\"]?([^'\"#\s]*)"
        for version in re.findall(starts, text, re.MULTILINE):
            if language.recognises({language.marker: version.decode(errors="replace")}):
                return not language.is_library(text)
    return False


def _unpacked(file: Path) -> bytes:
    """The document in an archive; nothing where there is none."""
    from bpconvert.api import opened

    try:
        text = opened(file).text
    except BpconvertError:
        return b""
    return text if isinstance(text, bytes) else text.encode()


def describe(error: OSError, name: str | None = None) -> str:
    """The reason that the system gives, and the file, unless its ``name`` stands before the message already; where
    there is no such file, one beside it that is spelled alike."""
    is_named = str(error.filename).rstrip("/") == (name or "").rstrip("/")
    shown = f": {error.filename}" if error.filename and not is_named else ""
    return f"{error.strerror or error}{shown}{_meant_by(error)}"


def _meant_by(error: OSError) -> str:
    """The file that was probably meant."""
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str):
        return ""
    from bpconvert.diagnostics.suggest import similar

    folder, name = os.path.split(error.filename.rstrip("/"))
    try:
        names = {os.path.splitext(other)[0]: other for other in sorted(os.listdir(folder or "."))}
    except OSError:
        return ""
    stem = os.path.splitext(name)[0]

    close = [stem] if stem in names else similar(stem, names, 0.7)
    return f"; did you mean '{names[close[0]]}'?" if close else ""


def nested_by_others(paths: Sequence[Path], environments: Sequence[str]) -> set[Path]:
    """Those of the files that another one seems to nest: files below that one's folder which a value there names.
    ``environments``: files that may name documents of any folder."""
    if len(paths) < 2:
        return set()
    names = {path.name for path in paths}
    names_in = [(Path(os.path.abspath(path)), _names(path, names)) for path in paths]
    anywhere = {name for file in environments for name in _names(Path(file), names)}

    def is_inner(path: Path) -> bool:
        own = Path(os.path.abspath(path))
        return own.name in anywhere or any(
            own.name in names and own != other and own.is_relative_to(other.parent) for other, names in names_in
        )

    return {path for path in paths if is_inner(path)}


def _names(file: Path, names: Collection[str]) -> set[str]:
    """Which of the ``names`` names of files, without folders, are values in a file; a description or a comment that
    mentions one nests nothing. None where the file cannot be read."""
    from bpconvert.translators.dialects import load  # most documents mention no other one

    try:
        text = file.read_bytes().decode(errors="replace")
        ends = ((word, [at.end() for at in _SUFFIX.finditer(word)]) for word in _WORD.findall(text))
        mentioned = {word[: places[-1]].rsplit("/", 1)[-1] for word, places in ends if places} & set(names)
        data = load(text, str(file)).data if mentioned - {file.name} else {}
    except (OSError, SourceError):
        return set()
    return {value.rsplit("/", 1)[-1] for value in texts(_without_descriptions(data))} & mentioned


def _without_descriptions(value: Any) -> Any:
    """Data without the texts that describe it."""
    if isinstance(value, dict):
        plain = {key: item for key, item in value.items() if not (key == "description" and isinstance(item, str))}
        return {key: _without_descriptions(item) for key, item in plain.items()}
    return [_without_descriptions(item) for item in value] if isinstance(value, list) else value
