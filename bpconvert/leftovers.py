"""What earlier runs left in the folder of the results: results whose source is gone, and files that none uses."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bpconvert.batch import Outcome, Tree
from bpconvert.diagnostics import Diagnostic, Span, diagnostic
from bpconvert.ignored import Ignored, Search
from bpconvert.models.light import NamedTuple
from bpconvert.options import Options
from bpconvert.reruns import Earlier, digest_of, reader_beside
from bpconvert.searching import SUFFIXES, walk
from bpconvert.translators.provenance import record_files

#: results are looked for where .gitignore leaves out files, too
ALL: Final = Search(gitignore=False)


class Leftover(NamedTuple):
    """A file of an earlier run. ``removable``: it is as it was generated."""

    place: Path
    finding: Diagnostic
    removable: bool


def leftovers(
    outcomes: Sequence[Outcome], tree: Tree | None, target: str, sources: Collection[str], options: Options
) -> list[Leftover]:
    """The leftovers of earlier runs, in the order of their names. Nothing where a conversion failed: what it would have
    written is not known.

    Args:
        outcomes: all of this run.
        tree: the folders of a run that has folders; of other runs only files beside their results are known.
        target, sources: names of languages. Only documents of the first that were made from one of the others count."""
    if any(outcome.kind for outcome in outcomes):
        return []
    own = {os.path.realpath(place) for outcome in outcomes for place in _places(outcome)}
    leftovers_by_place: dict[str, Leftover] = {}
    for outcome in outcomes:
        for name in outcome.unused:
            _add_unused(leftovers_by_place, own, Path(name), outcome.job.name)
    unread: dict[str, Diagnostic] = {}
    is_there = tree is not None and tree.output.is_dir()
    for place in walk(tree.output, Ignored(tree.output, ALL), unread) if tree is not None and is_there else ():
        if tree is not None and os.path.realpath(place) not in own and place.name.lower().endswith(SUFFIXES):
            _add(leftovers_by_place, own, place, tree, (target, sources, options))
    kept = [Leftover(Path(finding.file), finding, False) for finding in unread.values()]
    return [leftovers_by_place[place] for place in sorted(leftovers_by_place)] + kept


def _places(outcome: Outcome) -> list[Path]:
    """The files of an outcome."""
    target = outcome.job.target
    if target is None:
        return []
    files = outcome.result.files if outcome.result is not None else ()
    return [target, *(target.parent / name for name in files)]


def _add_unused(leftovers: dict[str, Leftover], own: set[str], place: Path, owner: str) -> None:
    if os.path.realpath(place) not in own and not place.is_symlink():
        entry = diagnostic("BPC645", Span(str(place), 1, 1), (), {"owner": owner})
        leftovers.setdefault(os.path.realpath(place), Leftover(place, entry, True))


def _add(
    leftovers: dict[str, Leftover],
    own: set[str],
    place: Path,
    tree: Tree,
    languages: tuple[str, Collection[str], Options],
) -> None:
    """Add a file of the folder of results that keeps a source which is not there any more, and its files."""
    target, sources, options = languages
    missing = _missing(place, tree)
    if missing is None or place.is_symlink():
        return
    look = reader_beside(place)
    earlier = Earlier(look, target, missing.name, options, place.parent)
    record = earlier.record_of("")
    if record is None or record.kept["source"] not in sources:
        return
    edited = earlier.is_edited()
    entry = diagnostic("BPC646" if edited else "BPC643", Span(str(place), 1, 1), (), {"source": str(missing)})
    leftovers[os.path.realpath(place)] = Leftover(place, entry, not edited)
    for name, digest in (earlier.bundle("") | earlier.record_file("")).items():
        if digest_of(look(name)) == digest:
            _add_unused(leftovers, own, Path(os.path.normpath(place.parent / name)), str(place))


def _missing(place: Path, tree: Tree) -> Path | None:
    """The source of a result, by its place; None where it is there, or would not be in one of the folders."""
    relative = place.relative_to(tree.output)
    source = tree.base / relative
    if not any(source.is_relative_to(os.path.abspath(folder)) for folder in tree.folders):
        return None
    stems = [source, source.with_suffix("")]  # the result of an archive is named after it, and nested ones end in .yaml
    names = [*stems, *(stem.with_name(stem.name + suffix) for stem in stems[1:] for suffix in SUFFIXES)]
    return None if any(name.exists() for name in names) else source


def remove(place: Path, output: Path | None) -> None:
    """Remove a file, and the folders below ``output`` that are empty without it. Raises OSError."""
    place.unlink()
    with suppress(OSError):  # a folder that is not empty stays
        folder = place.parent
        while record_files.FOLDER in folder.parts and folder != output:
            folder.rmdir()
            folder = folder.parent
        while output is not None and folder != output and folder.is_relative_to(output):
            folder.rmdir()
            folder = folder.parent
