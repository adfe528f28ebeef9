"""Converting a directory from a program, as the command line does it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from bpconvert.api import Result, convert
from bpconvert.batch import Job, Outcome, Writing, convert_all, plan, processes_for
from bpconvert.diagnostics import Diagnostic, Fidelity, UsageError
from bpconvert.ignored import Search
from bpconvert.models.light import NamedTuple, dataclass
from bpconvert.options import Choices, chosen
from bpconvert.translators.dialects import DIALECTS

if TYPE_CHECKING:
    from typing_extensions import Unpack


#: what ``convert_tree`` does with the files
WRITES: Final = ("keep", "force", "nothing")


class Failure(NamedTuple):
    """Why a file could not be converted. ``kind``: ``source`` (the document is refused), ``file`` (an error of the
    system, or its place is taken) or ``internal`` (an error of the program)."""

    kind: str
    message: str


@dataclass(frozen=True)
class ConvertedFile:
    """What became of one document; the names are those of JSON reports.

    ``target``: its result, None where it failed or is part of another one's result, that of ``nested_in``; ``files``:
    further files of the result; ``changed``: the files that were not there as they are now; ``result``: what the
    conversion returned."""

    source: str
    target: str | None
    diagnostics: list[Diagnostic]
    files: list[str]
    nested_in: str | None
    error: Failure | None
    changed: list[str]
    result: Result | None

    @property
    def fidelity(self) -> Fidelity | None:
        """The least faithful conversion of a part; None without a result."""
        return self.result.fidelity if self.result is not None else None


@dataclass(frozen=True)
class ConvertedTree:
    """What became of a directory. ``skipped``: how many of its files are no documents."""

    files: list[ConvertedFile]
    skipped: int

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All findings, file by file."""
        return [finding for file in self.files for finding in file.diagnostics]

    @property
    def failed(self) -> list[ConvertedFile]:
        """The files that could not be converted."""
        return [file for file in self.files if file.error is not None]


def convert_tree(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    target: str = "cloudify",
    source: str | None = None,
    *,
    write: str = "keep",
    exclude: Iterable[str] = (),
    jobs: int = 1,
    **choices: Unpack[Choices],
) -> ConvertedTree:
    """Convert the documents of directories into a mirrored tree, each with the files that it nests.

    Results of an earlier run are treated as on the command line: what a person edited in them is kept, or the file is
    not written and has a ``Failure``; unchanged files are not touched. One file that fails does not stop the others.

    Args:
        inputs: a directory or file, or several.
        output: the directory of the results.
        target, source: names of dialects; without a source, documents of all others are converted.
        write: ``"keep"`` keeps edits in earlier results, ``"force"`` overwrites what is in the place of a result, and
            ``"nothing"`` writes nothing: ``ConvertedFile.changed`` has what would be written.
        exclude: patterns of files to leave out, as in a .gitignore file in each of the directories.
        jobs: so many processes convert; the results are the same.
        choices: the fields of :class:`~bpconvert.options.Options`.

    Raises:
        UsageError: an option or dialect is unknown, there are no documents, or the directories do not fit together."""
    asked = chosen(None, choices)
    if write not in WRITES:
        raise UsageError(f"write: {write!r} is unknown (choose from {', '.join(WRITES)})")
    if source not in (None, *DIALECTS) or target not in DIALECTS:
        raise UsageError(f"unknown dialect; known: {', '.join(DIALECTS)}")
    languages = [dialect for name, dialect in DIALECTS.items() if name == (source or name) and name != target]
    names = [os.fspath(inputs)] if isinstance(inputs, (str, os.PathLike)) else [os.fspath(name) for name in inputs]
    search = Search(exclude=tuple((os.path.abspath(name), pattern) for pattern in exclude for name in names))
    read = [*asked.types, *asked.environments, *(file for _, file in asked.stages)]
    planned = plan(names, os.fspath(output), languages, read=read, search=search)
    asked = asked.among(planned.environments, planned.tree and planned.tree.base)

    def run(job: Job) -> Result:
        return convert(job.path or "", source, target, options=asked)

    writing = Writing(asked, write == "force", write == "nothing")
    processes = processes_for(len(planned.jobs), jobs)
    outcomes = convert_all(planned, run, asked.environment_files, writing, processes=processes)
    return ConvertedTree([_file(outcome) for outcome in outcomes], planned.skipped)


def _file(outcome: Outcome) -> ConvertedFile:
    is_written = outcome.job.target is not None and outcome.kind is None and outcome.nested_in is None
    return ConvertedFile(
        source=outcome.job.name,
        target=str(outcome.job.target) if is_written else None,
        diagnostics=outcome.diagnostics,
        files=outcome.written,
        nested_in=outcome.nested_in,
        error=Failure(outcome.kind, outcome.error) if outcome.kind is not None else None,
        changed=[str(change.place) for change in outcome.changes],
        result=outcome.result,
    )
