"""The commands that convert, one for any two languages of :data:`~bpconvert.translators.dialects.DIALECTS`."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli import command as shared
from bpconvert.cli import filters, reruns
from bpconvert.cli.parameters import read_params, take_nearby, take_params
from bpconvert.cli.stages import check_stages, take_stages
from bpconvert.cli.tables import read_tables, take_tables
from bpconvert.limits import LIMITS
from bpconvert.limits import wrong as wrong_limits
from bpconvert.options import CHOICES, wrong
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import DIALECTS, read_environments

if TYPE_CHECKING:
    from bpconvert.api import Result
    from bpconvert.batch import Job, Outcome, Plan
    from bpconvert.cli.files import File
    from bpconvert.cli.formatters import TextFormatter
    from bpconvert.cli.printing import Progress
    from bpconvert.options import Options


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "file (with the files that it nests), directory (searched for templates), or - for standard input"
    add("inputs", nargs="*", metavar="INPUT", help=text)
    add("-o", "--output", metavar="PLACE", help="file, directory or - (default: standard output)")
    shared.take_looks(parser, "print errors only", "print every finding, with its explanation")
    add = shared.group_of(parser, shared.FINDINGS_GROUP).add_argument
    text = "write all findings as the ending asks: .html, .json, .sarif, .md, .csv (-: JSON to standard output)"
    add("--report", metavar="FILE", help=text)
    formats = ["text", "concise", "github"]
    text = f"how to print the findings: {', '.join(formats)} (default: text, in GitHub's workflows github)"
    add("--format", choices=formats, metavar="FORMAT", help=text)
    filters.take_filters(parser, filters.NEVER)
    add = shared.group_of(parser, shared.RESULTS).add_argument
    text = "keep the source for the way back: in the result, in .bpconvert/ beside results, nowhere (default: inline)"
    add("--carry", dest="carried", choices=["inline", "file", "none"], default="inline", help=text)
    add("--no-carry", dest="carried", action="store_const", const="none", help="the same as --carry none")
    text = "write no comments with codes above stand-ins and inputs that are asked for"
    add("--no-notes", dest="notes", action="store_false", help=text)
    add("--templates", metavar="DIR", type=_folder, help="jinja2 templates that replace built-in ones of the same name")
    text = "so many processes convert the documents (default: one for each core, from 20 documents on)"
    add("--jobs", metavar="N", type=_number, help=text)
    text = "write the secrets to create and the uploads, in order: a script (.sh) or a page (.md); needs -o"
    add("--deploy-notes", metavar="FILE", help=text)
    text = "print what becomes of this parameter, resource or output, step by step, and no result"
    add("--trace", metavar="NAME", help=text)
    reruns.take_reruns(parser)
    take_params(parser)
    take_nearby(parser)
    shared.take_types(parser)
    take_tables(parser)
    shared.take_places(parser, "template")
    shared.take_maps(parser)
    filters.take_search(parser)
    names = ", ".join(f"{name} (default: {limit.usual})" for name, limit in LIMITS.items())
    text = f"how much is done for one document: {names}; may be repeated"
    add = shared.group_of(parser, shared.READING).add_argument
    add("--limit", dest="limits", metavar="NAME=N", type=_limit, action="append", default=[], help=text)


def _limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not (number.isascii() and number.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=NUMBER")
    problem = wrong_limits({name: int(number)})
    if problem is not None:
        raise argparse.ArgumentTypeError(problem)
    return name, int(number)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def _folder(name: str) -> str:
    if not os.path.isdir(name):
        raise argparse.ArgumentTypeError(f"no directory {name!r}")
    return name


def _run(arguments: argparse.Namespace) -> int:
    if not arguments.inputs:
        if sys.stdin is None or sys.stdin.isatty():
            arguments.parser.print_help(sys.stderr)
            return shared.FAILED
        arguments.inputs = ["-"]
    from bpconvert.cli.printing import Printer, Progress

    messages = shared.formatter(arguments)
    planned = shared.attempt(partial(_plan, arguments), messages, f"bpconvert {arguments.name}")
    readers = (shared.read_types, read_params, read_tables, _read_environments)
    if planned is None or not all(read(arguments, messages) for read in readers):
        return shared.FAILED
    if arguments.trace is not None:
        from bpconvert.cli import tracing

        return tracing.run(arguments, planned, _options(arguments), messages)
    chosen = filters.chosen(arguments, messages, filters.NOT_OF_CONVERSIONS)
    if chosen is None:
        return shared.FAILED
    is_silent = reruns.is_silent(arguments)
    is_tree = len(planned.jobs) > 1 and any(map(os.path.isdir, arguments.inputs)) and not is_silent
    printer = Printer(arguments, messages, is_tree, partial(shared.print_message, end=""))
    outcomes: list[Outcome] = []
    left: list[Outcome] = []
    options = _options(arguments).among(planned.environments, planned.tree and planned.tree.base)
    run = _converter(arguments, options, messages)
    progress = Progress(len(planned.jobs), arguments.quiet)
    try:
        for outcome in _outcomes(arguments, planned, run, options, progress):
            outcomes.append(outcome)
            if outcome.kind is None:
                outcome.diagnostics = chosen.wanted(outcome.diagnostics, _documents(outcome))
            if outcome.result and outcome.job.target is None:
                shared.write_stdout(outcome.result.text)
            if outcome.kind is not None or not is_silent:
                printer.print_file(_file(outcome), list(_problems(outcome)))
            reruns.print_changes(arguments, outcome)
        for outcome in reruns.finish_tree(arguments, outcomes, planned, options):
            left.append(outcome)
            outcome.diagnostics = chosen.wanted(outcome.diagnostics, [])
            printer.print_file(_file(outcome), list(_problems(outcome)))
        printer.all()
        if not (arguments.quiet or is_silent):
            _summarise(outcomes, planned, chosen, arguments.verbose)
    finally:
        reported = arguments.report is None or _report(arguments, [*outcomes, *left], planned)
    written = reported and chosen.write() and _write_deploy_notes(arguments, outcomes)
    if not written or any(outcome.kind for outcome in [*outcomes, *left]):
        return shared.FAILED
    findings = (item for outcome in [*outcomes, *left] for item in outcome.diagnostics)
    has_failed = reruns.is_stale(arguments, outcomes, left) or filters.has_failed(findings, arguments)
    return shared.FINDINGS if has_failed else shared.OK


def _write_deploy_notes(arguments: argparse.Namespace, outcomes: Sequence[Outcome]) -> bool:
    if arguments.deploy_notes is None:
        return True
    from bpconvert.cli.deploy_notes import write_deploy_notes

    return write_deploy_notes(arguments, outcomes)


def _outcomes(
    arguments: argparse.Namespace,
    planned: Plan,
    run: Callable[[Job], Result],
    options: Options,
    progress: Progress,
) -> Iterator[Outcome]:
    """What becomes of each document, while ``progress`` shows how far the run is."""
    from bpconvert.batch import convert_all, processes_for

    results = convert_all(
        planned,
        run,
        options.environment_files,
        reruns.writing(arguments, options),
        processes=processes_for(len(planned.jobs), arguments.jobs),
        begins=lambda job: progress.show(job.name),
    )
    with closing(results):
        try:
            for outcome in results:
                progress.clear()
                yield outcome
        finally:
            progress.clear()


def _documents(outcome: Outcome) -> list[str]:
    """The names of the documents that an outcome has all findings of."""
    if outcome.nested_in is not None or outcome.result is None:
        return []
    folder = outcome.job.path.parent if outcome.job.path is not None else None
    nested = outcome.result.nested.values() if folder is not None else ()
    return [outcome.job.name, *(str(folder / place) for place in nested if folder is not None)]


def _plan(arguments: argparse.Namespace) -> Plan:
    """The jobs; raises UsageError when the places of the results do not fit together."""
    from bpconvert.batch import STDIN, plan
    from bpconvert.diagnostics import UsageError
    from bpconvert.files import is_archive

    reruns.check_usage(arguments)
    if arguments.trace is not None:
        from bpconvert.cli import tracing

        tracing.check_usage(arguments)
    check_stages(arguments)
    languages = [dialect for dialect in DIALECTS.values() if dialect.name != arguments.target]
    if arguments.source is not None:
        languages = [DIALECTS[arguments.source]]
    tables = [name for name in (arguments.flavors, arguments.images) if name is not None]
    stages = [file for _, file in arguments.stages]
    stages += [file for _, _, file in arguments.by_path]
    read = [*arguments.environments, *stages, *arguments.types, *arguments.params_file, *tables]
    search = filters.search_of(arguments)
    planned = plan(arguments.inputs, arguments.output, languages, arguments.stdin_filename, read, search)
    target = DIALECTS[arguments.target]
    archive = next((job.target for job in planned.jobs if job.target and is_archive(job.target.name)), None)
    if archive is not None and target.packing() is None:
        raise UsageError(f"-o {archive}: there are no archives of {target.title} {target.word}s")
    places = [str(path) for job in planned.jobs for path in (job.path, job.target) if path]
    if arguments.deploy_notes is not None:
        from bpconvert.cli import deploy_notes

        deploy_notes.check_usage(arguments, [*read, *places, arguments.report or ""])
    if arguments.report == STDIN:
        if planned.jobs[0].target is None:
            raise UsageError("--report - needs -o FILE: standard output holds the document")
    elif arguments.report is not None:
        from bpconvert.reports import ENDINGS, format_of

        place = os.path.realpath(arguments.report)
        if any(os.path.realpath(path) == place for path in [*read, *places]):
            raise UsageError(f"--report {arguments.report} is a source or a result; choose another file")
        if format_of(arguments.report) is None:
            raise UsageError(f"--report {arguments.report}: the ending chooses the format: {ENDINGS}")
    return planned


def _options(arguments: argparse.Namespace) -> Options:
    """The options of the command line."""
    from bpconvert.options import Options

    chosen = {name: value for name, value in vars(arguments).items() if name in Options._fields}
    chosen |= {"carry": arguments.carried != "none", "carry_file": arguments.carried == "file"}
    chosen["limits"] = dict(arguments.limits) or None
    repeated = {name: tuple(value) for name, value in chosen.items() if isinstance(value, list)}
    return Options(**{**chosen, **repeated})


def _converter(arguments: argparse.Namespace, options: Options, messages: TextFormatter) -> Callable[[Job], Result]:
    """The function that converts one job with the ``options``."""
    from bpconvert.api import convert

    def run(job: Job) -> Result:
        document: Any = job.path
        if job.path is None:
            document = shared.read_stdin(messages.texts, job.name)
        name = job.name if job.path or arguments.stdin_filename else None
        return convert(document, arguments.source, arguments.target, name=name, options=options)

    return run


def _read_environments(arguments: argparse.Namespace, messages: TextFormatter) -> bool:
    """False, with the reason printed, when an environment file cannot be used."""
    others = [file for _, file in arguments.stages] + [file for _, _, file in arguments.by_path]
    files, who = [*arguments.environments, *others], f"bpconvert {arguments.name}"
    sources = [DIALECTS[arguments.source]] if arguments.source else DIALECTS.values()
    return not files or shared.attempt(partial(read_environments, files, *sources), messages, who) is not None


def _file(outcome: Outcome) -> File:
    """A document in the tables."""
    from bpconvert.cli.files import FAILED, NESTED, File

    name, findings = outcome.job.name, outcome.diagnostics
    if outcome.kind is not None:
        return File(name, FAILED, findings, outcome.error)
    if outcome.job.path is None and outcome.result is None:
        return File(name, "", findings)  # what an earlier run left
    return File(name, NESTED if outcome.result is None else str(outcome.result.fidelity), findings)


def _problems(outcome: Outcome) -> Iterator[str]:
    """What is to be known about a document besides its findings."""
    if outcome.kind == "file" and all(item.message != outcome.error for item in outcome.diagnostics):
        yield f"error: {outcome.error}"
    elif outcome.kind == "internal":
        yield f"error: {shared.internal(outcome.error)}"
    elif outcome.result is not None:
        left = outcome.failed_files if outcome.job.target else list(outcome.result.files)
        why = "note: these files belong to the document and are written with -o only"
        if outcome.job.target:
            why = "warning: not written, their place is taken or outside the folder"
        if left:
            yield f"{why}: {', '.join(left)}"


def _summarise(outcomes: Sequence[Outcome], planned: Plan, chosen: filters.Filter, verbose: bool) -> None:
    """One closing line: the findings that were not printed and, for a batch, how many files came through."""
    from bpconvert.diagnostics import Severity

    parts: list[str] = []
    if len(planned.jobs) > 1 or planned.skipped or planned.unread:
        unread = len(planned.unread)
        failed = sum(outcome.kind is not None for outcome in outcomes) - unread
        nested = sum(outcome.nested_in is not None for outcome in outcomes)
        total = len(outcomes) - unread
        parts.append(f"converted {total - failed} of {shared.count(total, 'template')}")
        if nested:
            parts[-1] += f", {nested} as part of others"
        if failed:
            parts.append(f"{failed} failed")
        if unread:
            parts.append(f"{shared.count(unread, 'folder')} cannot be read")
        if verbose and planned.skipped:
            parts.append(f"{shared.count(planned.skipped, 'other file')} skipped")
    infos = sum(d.severity < Severity.WARNING for outcome in outcomes for d in outcome.diagnostics)
    if infos and not verbose:
        parts.append(f"{shared.count(infos, 'info')} not shown (-v shows them)")
    parts += [*reruns.summary(outcomes), *chosen.summary()]
    if parts:
        shared.print_message(f"bpconvert: {'; '.join(parts)}")


def _report(arguments: argparse.Namespace, outcomes: Sequence[Outcome], planned: Plan) -> bool:
    """Write the report, of an interrupted run with what is missing; False when that is not possible."""
    from pathlib import Path

    from bpconvert.batch import STDIN, describe
    from bpconvert.reports import DEFAULT, of_conversions, rendered, write

    done = {outcome.job for outcome in outcomes}
    missing = [job.name for job in planned.jobs if job not in done]
    report = of_conversions(arguments.name, outcomes, planned.skipped, missing)
    if arguments.report == STDIN:
        shared.write_stdout(rendered(report, DEFAULT))
        return True
    place = Path(arguments.report).resolve()
    written = {Path(name).resolve() for outcome in outcomes for name in outcome.written}
    if place in written or any(outcome.result and place in outcome.result.read for outcome in outcomes):
        shared.print_message(f"bpconvert: error: the report {arguments.report} is a file that a document uses")
        return False
    try:
        values = [*arguments.environments, *(file for _, file in arguments.stages), *arguments.params_file]
        write(report, arguments.report, values)
    except OSError as error:
        shared.print_message(f"bpconvert: error: cannot write the report: {describe(error)}")
        return False
    if len(planned.jobs) > 1 and not arguments.quiet:
        shared.print_message(f"bpconvert: the report is {arguments.report}")
    return True


def _version(option: str, value: str) -> str:
    problem = wrong(option, value)
    if problem is not None:
        raise argparse.ArgumentTypeError(problem)
    return value


def _words(option: str) -> list[str]:
    """The words that the option takes."""
    return [word for word in CHOICES[option] if word is not None]


#: field of ``Options`` -> the help of its option
HELP: Final = {
    "dsl_version": f"{', '.join(_words('dsl_version'))} (default: the lowest that is enough)",
    "plugin": "generation of the OpenStack plugin (default: v3)",
    "files": "get_file: put the text in, also copy the file beside the result, or keep the reference (default: inline)",
    "asked": "what the engine cannot compute: nodes do; inputs for odd texts and lists, or for all (default: values)",
    "client_config": "where the OpenStack credentials come from (default: secrets)",
    "profile": "import the types of OpenStack's resources from a file beside the result, which is written with it",
    "tosca_version": f"{', '.join(_words('tosca_version'))} (default: 1.3, which all engines take)",
    "hot_version": "heat_template_version, by date or name of the release (default: the lowest that is enough)",
}
#: those that take no word of ``CHOICES`` as it is -> what reads their value
READERS: Final[dict[str, Callable[[str], str]]] = {
    "dsl_version": lambda text: _version("dsl_version", text.removeprefix("cloudify_dsl_").replace(".", "_")),
    "hot_version": lambda text: _version("hot_version", text),
    "tosca_version": lambda text: _version("tosca_version", text),
}


def add_options(group: Any, names: Sequence[str]) -> None:
    """Add the options that set the fields ``names`` of ``Options`` to a group of a parser."""
    for name in names:
        flag, read = f"--{name.replace('_', '-')}", READERS.get(name)
        if name not in CHOICES:
            group.add_argument(flag, action="store_true", help=HELP[name])
        elif read is not None:
            group.add_argument(flag, metavar="VERSION", type=read, help=HELP[name])
        else:
            group.add_argument(flag, choices=_words(name), default=CHOICES[name][0], help=HELP[name])


def commands() -> dict[str, Callable[[], shared.Command]]:
    """Name of a command (``hot2cfy``) -> what makes it, for any two languages, and first the one that recognises
    what it is given."""
    pairs = itertools.permutations(DIALECTS.values(), 2)
    direct = {f"{_short(source)}2{_short(target)}": partial(_command, source, target) for source, target in pairs}
    return {"convert": _any_command, **direct}


def _short(dialect: Dialect) -> str:
    return dialect.short or dialect.name


def _command(source: Dialect, target: Dialect) -> shared.Command:
    name = f"{_short(source)}2{_short(target)}"

    def arguments(parser: argparse.ArgumentParser) -> None:
        _add_arguments(parser)
        parser.set_defaults(environments=[], stages=[])
        if source.environments:
            _take_environments(parser)
        add_options(parser.add_argument_group(target.word), target.options)
        parser.set_defaults(source=source.name, target=target.name, name=name, parser=parser)

    summary = f"{source.title} {source.word} to {target.title} {target.word}"
    return shared.Command(summary, _examples(name, source, target), arguments, _run)


def _take_environments(parser: argparse.ArgumentParser) -> None:
    shared.take_environments(parser, "what types stand for, and values of parameters")
    take_stages(parser)


def _any_command() -> shared.Command:
    """The command that recognises the language of its sources."""
    name = "convert"

    def arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--to", dest="target", choices=list(DIALECTS), required=True, help="the language to write")
        _add_arguments(parser)
        _take_environments(parser)
        for target in DIALECTS.values():
            if target.options:
                group = parser.add_argument_group(f"{target.title} {target.word}")
                add_options(group, target.options)
        parser.set_defaults(source=None, name=name, parser=parser)

    summary = f"any document to one of another language ({', '.join(DIALECTS)})"
    examples = "  bpconvert convert app.yaml --to {0} -o made.yaml\n  bpconvert convert mixed/ --to {0} -o made/"
    return shared.Command(summary, examples.format(next(iter(DIALECTS))), arguments, _run)


def _examples(name: str, source: Dialect, target: Dialect) -> str:
    sources, targets = (language.word.replace(" ", "-") for language in (source, target))
    source_name, result_name = f"{sources}.yaml", f"{targets}.yaml"
    environment = " -e site.yaml" if source.environments else ""
    packed = f"  bpconvert {name} {source_name} -o {targets}.csar\n" if target.archive else ""
    return (
        f"  bpconvert {name} {source_name} -o {result_name}\n{packed}"
        f"  cat {source_name} | bpconvert {name} - --report report.json > {result_name}\n"
        f"  bpconvert {name} {sources}s/ -o {targets}s/ --types site-types.yaml{environment} --strict"
    )
