"""Which files are converted and where the results go: planning, converting one after the other, writing."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpconvert.diagnostics import Diagnostic, DocumentError, UsageError, in_one_line
from bpconvert.files import ARCHIVES, is_archive
from bpconvert.ignored import EVERYTHING, Search
from bpconvert.models.light import NamedTuple, replace
from bpconvert.options import Options
from bpconvert.searching import SUFFIXES, nested_by_others, nothing_found, sources_among
from bpconvert.searching import describe as describe
from bpconvert.searching import find as find
from bpconvert.translators.provenance.record_files import FOLDER
from bpconvert.writing import ANYONE, Content, tidy, write_together
from bpconvert.writing import write_atomically as write_atomically

if TYPE_CHECKING:
    from bpconvert.api import Result
    from bpconvert.translators.dialect import Dialect

STDIN = "-"
#: so many documents are converted by several processes, if nothing else is asked for
MANY = 20
#: what messages call standard input, as the library calls text without a name
UNNAMED = "<input>"


class Job(NamedTuple):
    """One conversion. ``name`` is what messages call the source; ``path`` None means standard input, ``target`` None
    standard output."""

    name: str
    path: Path | None
    target: Path | None


class Writing(NamedTuple):
    """How results are written. ``options``: those of the conversion; ``force``: whatever is in their place; ``dry``:
    not at all."""

    options: Options
    force: bool = False
    dry: bool = False


class Change(NamedTuple):
    """A file that a run changes. ``before``: None where there is none."""

    place: Path
    before: bytes | None
    after: bytes


class Outcome:
    """What became of a job: ``result``, or ``error`` and its ``kind``: ``source`` (a document is refused), ``file``
    (system error) or ``internal``.

    ``written``: the further files of the bundle that lie beside the target; ``failed_files``: those that could not.
    ``nested_in``: the source whose result has this one, which is no result of its own. ``changes``: the files that were
    written, or would be; ``unused``: those of an earlier run that were generated and are no part of the result;
    ``records``: the files that keep the source in the folder of all results -> that folder."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.result: Result | None = None
        self.kind: str | None = None
        self.error = ""
        self.diagnostics: list[Diagnostic] = []
        self.written: list[str] = []
        self.failed_files: list[str] = []
        self.nested_in: str | None = None
        self.changes: list[Change] = []
        self.unused: list[str] = []
        self.records: dict[str, Path] = {}

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the JSON report."""
        return {
            "source": self.job.name,
            "target": None if self.job.target is None or self.kind else str(self.job.target),
            "fidelity": str(self.result.fidelity) if self.result and not self.kind else None,
            "diagnostics": [diagnostic.as_dict() for diagnostic in self.diagnostics],
            "files": self.written,
            "nested_in": self.nested_in,
            "error": {"kind": self.kind, "message": self.error} if self.kind else None,
        }


class Tree(NamedTuple):
    """A run with folders among its inputs. ``output``: the folder of the results; ``base``: the folder that their paths
    there are relative to; ``folders``: the inputs that are folders."""

    output: Path
    base: Path
    folders: tuple[Path, ...]


class Plan(NamedTuple):
    """The jobs of one run; ``skipped`` files were found in directories and are no templates; ``read``: further files
    that the command reads; ``unread``: findings about folders that cannot be read; ``environments``: the environment
    files in folders."""

    jobs: list[Job]
    skipped: int = 0
    tree: Tree | None = None
    read: tuple[str, ...] = ()
    unread: tuple[Diagnostic, ...] = ()
    environments: tuple[str, ...] = ()


def plan(
    inputs: Sequence[str],
    output: str | None,
    languages: Sequence[Dialect],
    stdin_name: str | None = None,
    read: Sequence[str] = (),
    search: Search = EVERYTHING,
) -> Plan:
    """Find the files to convert and the places of the results.

    Args:
        inputs: files, directories (searched for documents of one of the ``languages``), or ``-`` alone.
        output: a file, a directory or ``-``; None is ``-``.
        stdin_name: what to call standard input.
        read: further files that the command reads.
        search: what is left out of directories.

    Raises:
        UsageError: a result would replace a file that is read, a link leads out of the folder of the results, or
            ``output`` does not fit."""
    if output == STDIN:
        output = None
    if STDIN in inputs:
        if len(inputs) > 1:
            raise UsageError("'-' (standard input) cannot be combined with other inputs")
        jobs = [Job(stdin_name or UNNAMED, None, _single_target(stdin_name, output))]
        _check_targets(jobs, read)
        return Plan(jobs, read=tuple(read))
    paths = [Path(name) for name in inputs]
    if len(paths) == 1 and not paths[0].is_dir():
        jobs = [Job(str(paths[0]), paths[0], _single_target(inputs[0], output))]
        _check_targets(jobs, read)
        return Plan(jobs, read=tuple(read))
    if output is None:
        raise UsageError("a directory or several inputs need -o DIR")
    if Path(output).exists() and not Path(output).is_dir():
        raise UsageError(f"-o {output} is not a directory")
    if _is_file_name(output):
        raise UsageError(f"-o {output} is the name of a file: a directory or several inputs need -o DIR")
    sources = sources_among(paths, languages, search)
    base = os.path.commonpath([os.path.abspath(path if path.is_dir() else path.parent) for path in paths])
    jobs = [
        Job(str(path), path, Path(output, result_name(os.path.relpath(os.path.abspath(path), base))))
        for path in sources.paths
    ]
    if not jobs:
        raise UsageError(nothing_found(inputs, languages, sources))
    _check_targets(jobs, read)
    outside = next((job.target for job in jobs if job.target and not _is_below(job.target, Path(output))), None)
    if outside is not None:
        raise UsageError(f"{outside} is a link that leads out of {output}; nothing is written through it")
    folders = tuple(path for path in paths if path.is_dir())
    tree = Tree(Path(output), Path(base), folders) if folders else None
    return Plan(jobs, sources.skipped, tree, (*read, *sources.environments), sources.unread, sources.environments)


def _is_file_name(output: str) -> bool:
    """True for what is no folder, and has the name of a document or archive."""
    return not (Path(output).is_dir() or output.endswith("/")) and output.lower().endswith((*SUFFIXES, *ARCHIVES))


def _single_target(source: str | None, output: str | None) -> Path | None:
    if output is None:
        return None
    if not (Path(output).is_dir() or output.endswith(("/", os.sep))):
        return Path(output)
    if source is None:
        raise UsageError(f"-o {output} is a directory: name the result with --stdin-filename")
    return Path(output, result_name(Path(source).name))


def result_name(name: str) -> str:
    """What the result of a file is called: as the file, but that of an archive is no archive."""
    return f"{name}.yaml" if is_archive(name) else name


def _check_targets(jobs: Sequence[Job], read: Sequence[str]) -> None:
    sources = {os.path.realpath(job.path) for job in jobs if job.path}
    others = set(map(os.path.realpath, read))
    for job in jobs:
        if job.target and os.path.realpath(job.target) in sources:
            raise UsageError(f"{job.target} would be overwritten by its own conversion; choose another -o")
        if job.target and os.path.realpath(job.target) in others:
            raise UsageError(f"{job.target} is a file that the command reads; choose another -o")


def _is_below(target: Path, folder: Path) -> bool:
    return target.resolve().is_relative_to(folder.resolve())


def convert_all(
    planned: Plan,
    convert: Callable[[Job], Result],
    environments: Sequence[str] = (),
    writing: Writing | None = None,
    *,
    processes: int = 1,
    begins: Callable[[Job], None] = lambda job: None,
) -> Generator[Outcome, None, None]:
    """Convert and write one job of a plan after the other. What goes wrong with one is in its outcome and stops no
    other. What the document of another one nests is part of that one's result. ``environments``: files that
    may name such documents.

    ``writing``: how results are written. Those without a target are left to the caller. With BPCONVERT_DEBUG set,
    internal errors are raised. ``processes``: so many convert, in this process if that is 1; the outcomes are the same,
    in the same order. ``begins`` is called with each job when its turn comes."""
    yield from map(unread_folder, planned.unread)
    owners: dict[str, str] = {}
    claims = _Claims(planned)
    writing = writing or Writing(Options())
    for jobs in _outermost_first(planned.jobs, environments):
        own = [job for job in jobs if _owner(owners, job) is None]
        with ExitStack() as stack:
            run = _ahead(own, convert, processes, stack)
            for job in jobs:
                begins(job)
                outcome = Outcome(job)
                outcome.nested_in = _owner(owners, job)
                if outcome.nested_in is None:
                    _convert_one(outcome, run, planned, (owners, claims), writing)
                yield outcome


def processes_for(documents: int, asked: int | None = None) -> int:
    """How many processes convert so many documents: as many as ``asked``, else a core's each where that is worth it."""
    if documents < 2 or os.environ.get("BPCONVERT_DEBUG"):
        return 1
    from bpconvert.workers import can_copy, cores

    if not can_copy():
        return 1
    if asked is not None:
        return min(asked, documents)
    return cores() if documents >= MANY else 1


def _owner(owners: Mapping[str, str], job: Job) -> str | None:
    """The source whose result has that of the job."""
    return None if job.path is None else owners.get(os.path.realpath(job.path))


def _ahead(
    jobs: Sequence[Job], convert: Callable[[Job], Result], processes: int, stack: ExitStack
) -> Callable[[Job], Result]:
    """What yields the results of the jobs, one after the other; ``stack`` ends the processes that it takes."""
    if processes < 2 or len(jobs) < 2:
        return convert
    from bpconvert.workers import Ahead

    workers = Ahead(jobs, convert, processes)
    stack.callback(workers.end)
    numbers = {id(job): number for number, job in enumerate(jobs)}
    return lambda job: workers.take(numbers[id(job)])


def _convert_one(
    outcome: Outcome,
    convert: Callable[[Job], Result],
    planned: Plan,
    shared: tuple[dict[str, str], _Claims],
    writing: Writing,
) -> None:
    """Convert and write one job. ``shared``: what the jobs share: which sources are part of whose results, and which
    files belong to whom."""
    job, (owners, claims) = outcome.job, shared
    try:
        outcome.result = convert(job)
        if planned.tree is not None:
            _gather(outcome, outcome.result, planned.tree.output)
        outcome.diagnostics = list(outcome.result.diagnostics)
        folder = job.path.parent if job.path is not None else Path()
        for place in outcome.result.nested.values():
            owners.setdefault(os.path.realpath(folder / place), job.name)
        if job.target is not None:
            claims.check(job, job.target, outcome.result)
            _write(outcome, outcome.result, job.target, writing._replace(options=writing.options.for_path(job.path)))
    except DocumentError as error:
        outcome.kind, outcome.error = "source", error.diagnostic.message
        outcome.diagnostics = list(error.diagnostics)
    except OSError as error:
        outcome.kind, outcome.error = "file", describe(error, job.name)
    except UsageError as error:
        outcome.kind, outcome.error = "file", str(error)
    except ModuleNotFoundError:  # the same for every document
        raise
    except Exception as error:
        if os.environ.get("BPCONVERT_DEBUG"):
            raise
        outcome.kind, outcome.error = "internal", in_one_line(error)


def unread_folder(finding: Diagnostic) -> Outcome:
    """What became of a folder that cannot be read, as the finding says."""
    outcome = Outcome(Job(finding.file, None, None))
    outcome.kind, outcome.error, outcome.diagnostics = "file", finding.message, [finding]
    return outcome


def _outermost_first(jobs: Sequence[Job], environments: Sequence[str]) -> list[list[Job]]:
    """The jobs in two groups, in the last those whose files others seem to nest."""
    inner = nested_by_others([job.path for job in jobs if job.path is not None], environments)
    return [[job for job in jobs if (job.path in inner) is last] for last in (False, True)]


def _gather(outcome: Outcome, result: Result, output: Path) -> None:
    """Let the files that keep sources be in one folder of all results."""
    target = outcome.job.target
    if target is None:
        return
    below = Path(os.path.relpath(target.parent, output)).parts
    for name in [name for name in result.files if below and name.startswith(f"{FOLDER}/")]:
        moved = posixpath.join(*[".."] * len(below), FOLDER, *below, name.removeprefix(f"{FOLDER}/"))
        result.files[moved] = result.files.pop(name)
        outcome.records[moved] = output


class _Claims:
    """Which file belongs to which result, so that none replaces what another one has written."""

    def __init__(self, planned: Plan) -> None:
        self._targets = {os.path.abspath(job.target): job for job in planned.jobs if job.target}
        sources = [str(job.path) for job in planned.jobs if job.path]
        self._read = {os.path.realpath(name): name for name in (*planned.read, *sources)}
        self._written: dict[str, tuple[str, str]] = {}

    def check(self, job: Job, target: Path, result: Result) -> None:
        """Raise UsageError, before anything of the result is written, where one of its files belongs to another one or
        the conversion has read it."""
        if target.resolve() in result.read:
            raise UsageError(f"not written: {target} is a file that the document uses; choose another -o")
        folder = job.path.parent if job.path is not None else Path()
        inner = {os.path.realpath(folder / place) for place in result.nested.values()}
        for name, text in result.files.items():
            place = os.path.abspath(target.parent / name)
            other = self._targets.get(place)
            if other is not None and (other.path is None or os.path.realpath(other.path) not in inner):
                raise UsageError(f"not written: its file {name} has the name of the result of {other.name}")
            read = None if os.path.realpath(place) in inner else self._read_at(job, name, place, result)
            if read is not None:
                raise UsageError(f"not written: its file {name} would replace {read}, which the command reads")
            owner, earlier = self._written.get(place, (job.name, text))
            if earlier != text:
                raise UsageError(f"not written: its file {name} would replace that of {owner}, which is another one")
        self._written |= {os.path.abspath(target.parent / n): (job.name, text) for n, text in result.files.items()}

    def _read_at(self, job: Job, name: str, place: str, result: Result) -> str | None:
        """The file at a place that is read, and that a file of the result would change."""
        text, real = result.files[name], os.path.realpath(place)
        owner = self._read.get(real, place if Path(real) in result.read else None)
        is_kept = name in result.kept_files or not _may_write(job, name, Path(place), text)
        return None if owner is None or is_kept or not _differs(Path(real), text) else owner


def _write(outcome: Outcome, result: Result, target: Path, writing: Writing) -> None:
    """Write the result and its further files; a further file never leaves the target's folder nor replaces a
    source; one that the document carried replaces nothing. All of them are in the target that is an archive."""
    source = outcome.job.path
    mode = ANYONE  # values of environments are in the result
    for file in (source, *writing.options.environments, *(file for _, file in writing.options.stages)):
        mode &= Path(file).stat().st_mode if file is not None else mode
    if is_archive(target.name):
        data = _packed(result, target)
        if not writing.force and target.is_file() and target.read_bytes() != data:
            outcome.result = _with_edits(outcome, result, target, result.files, writing)
            data = _packed(outcome.result, target)
        _put(outcome, {target: data}, mode, writing)
        return
    folder = target.parent.resolve()
    for name in result.nested:
        place = Path(os.path.normpath(folder / name))
        if place == target.resolve() or not _may_write(outcome.job, name, place, result.files[name]):
            raise UsageError(f"not written: it would replace the nested file {name}; choose another folder with -o")
    places = _places(outcome, result, target)
    texts = {target: result.text, **{place: result.files[name] for name, place in places.items()}}
    if not writing.force and any(_differs(place, text) for place, text in texts.items()):
        result = outcome.result = _with_edits(outcome, result, target, places, writing)
    outcome.failed_files += [name for name in result.files if name not in places]
    contents = {places[name]: text for name, text in result.files.items() if name in places}
    _put(outcome, {**contents, target: result.text}, mode, writing)
    outcome.written += [os.path.normpath(target.parent / name) for name in result.files if name in places]


def _packed(result: Result, target: Path) -> bytes:
    """The archive of a result. Raises UsageError where there is none."""
    from bpconvert.api import packed

    try:
        return packed(result, f"{target.stem}.yaml")
    except ValueError as error:
        raise UsageError(f"not written: {error}") from None


def _places(outcome: Outcome, result: Result, target: Path) -> dict[str, Path]:
    """The further files of a result that may be written, and where."""
    job = outcome.job
    folder = target.parent.resolve()
    places: dict[str, Path] = {}
    for name, text in result.files.items():
        place = Path(os.path.normpath(folder / name))
        with suppress(OSError, ValueError):
            top = outcome.records[name].resolve() if name in outcome.records else folder
            inside = place.resolve().is_relative_to(top) and place != target.resolve()
            taken = name in result.kept_files and _differs(place, text)
            is_other = place.exists() and not place.is_file()
            if inside and not taken and not is_other and _may_write(job, name, place, text):
                places[name] = place
    return places


def _differs(place: Path, text: str) -> bool:
    """True for a file that has another text."""
    return place.is_file() and place.read_bytes() != text.encode()


def _with_edits(outcome: Outcome, result: Result, target: Path, names: Collection[str], writing: Writing) -> Result:
    """The result with what was edited in the earlier one. ``names``: the further files that are written.

    Raises UsageError where that cannot be."""
    from bpconvert.reruns import rerun

    settled = rerun(result, names, target, outcome.job.path, writing.options)
    outcome.unused = [os.path.normpath(target.parent / name) for name in settled.unused]
    outcome.diagnostics += [*settled.findings, *settled.refused]
    if settled.refused:
        places = [str(finding.span) for finding in settled.refused]
        more = f" and {len(places) - 5} more" if len(places) > 5 else ""
        raise UsageError(f"not written: --force would overwrite what is at {', '.join(places[:5])}{more}")
    return replace(result, text=settled.text, files=settled.files)


def _put(outcome: Outcome, contents: Mapping[Path, str | bytes], mode: int, writing: Writing) -> None:
    """Write files, all or none, without those that have their content already. Raises OSError."""
    changes: list[Change] = []
    for place, content in contents.items():
        data = content.encode() if isinstance(content, str) else content
        before = place.read_bytes() if place.is_file() else None
        if before != data:
            changes.append(Change(place, before, data))
    if not writing.dry:
        for folder in {place.resolve().parent for place in contents}:
            tidy(folder)
        devices = [change for change in changes if change.place.exists() and not change.place.is_file()]
        write_together([Content(change.place, change.after, mode) for change in changes if change not in devices])
        for change in devices:
            write_atomically(change.place, change.after, mode)
    outcome.changes += changes


def _may_write(job: Job, name: str, place: Path, text: str) -> bool:
    """False for the source's own file of that name, unless it has that text already."""
    own = (job.path.parent if job.path else Path()) / name
    return not own.exists() or not place.exists() or not own.samefile(place) or place.read_bytes() == text.encode()
