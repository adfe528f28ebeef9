"""The command that takes over what runs: ``adopt``."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from bpconvert.cli import command as shared
from bpconvert.translators.dialects import DIALECTS

if TYPE_CHECKING:
    from bpconvert.api import Result

_TARGETS = [dialect.name for dialect in DIALECTS.values() if dialect.adopts]


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "what 'openstack stack export' printed; with a list of what runs, the template or blueprint"
    add("input", metavar="INPUT", help=text)
    text = "what 'openstack stack resource list -n 5 -f json' printed, or 'cfy node-instances list --json'"
    add("--resources", "--instances", metavar="FILE", help=text)
    add("--inputs", metavar="FILE", help="values that the deployment was given, where the export does not have them")
    text = "attributes of the resources, by their names, as 'openstack stack resource show' or 'server show' print them"
    add("--attributes", metavar="FILE", help=text)
    text = "the language of the result (default: %(default)s)"
    add("--to", dest="target", choices=_TARGETS, default="cloudify", help=text)
    text = "directory for the document (blueprint.yaml, template.yaml, service_template.yaml) and what it is given"
    add("-o", "--output", metavar="DIR", help=text)
    text = "take over these resources only, and let them refer to the others (can be given several times)"
    add("--only", metavar="NAME", action="append", default=[], help=text)
    add("--without", metavar="NAME", action="append", default=[], help="leave a resource where it is")
    text = "write the steps with their checks, and the way back, beside the result: a script (.sh) or a page (.md)"
    add("--deploy-notes", metavar="NAME", help=text)
    add("--check", action="store_true", help="report what forbids to take over; write nothing")
    add("-f", "--force", action="store_true", help="replace files that have other contents")
    shared.take_looks(parser, "print errors only", "print infos as well")
    shared.take_types(parser)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.adoption import Wanted, adopt
    from bpconvert.diagnostics import Severity, UsageError
    from bpconvert.options import Options

    messages = shared.formatter(arguments)
    who = "bpconvert adopt"
    if arguments.output is None and not arguments.check:
        shared.print_message(f"{who}: error: -o DIR is needed, or --check")
        return shared.FAILED
    options = Options(types=tuple(arguments.types))
    if not shared.read_types(arguments, messages):
        return shared.FAILED
    files = {"resources": arguments.resources, "inputs": arguments.inputs, "attributes": arguments.attributes}
    wanted = Wanted(tuple(arguments.only), tuple(arguments.without), arguments.deploy_notes or "")
    work = partial(adopt, arguments.input, arguments.target, **files, wanted=wanted, options=options)
    result = shared.attempt(work, messages, who)
    if result is None:
        return shared.FAILED
    shared.print_message(shared.not_for_runners(messages.format(result.diagnostics)), end="")
    if not arguments.check:
        try:
            _write(result, arguments.output, arguments.force)
        except (OSError, UsageError) as error:
            shared.print_message(f"{who}: error: {error}")
            return shared.FAILED
    warned = any(finding.severity is not Severity.INFO for finding in result.diagnostics)
    return shared.FINDINGS if arguments.check and warned else shared.OK


def _write(result: Result, folder: str, force: bool) -> None:
    """Write the result. Raises OSError and UsageError."""
    from pathlib import Path

    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    result.write(place / DIALECTS[result.target].file_name, force=force)


COMMAND = shared.Command(
    "take over what runs: nothing is created again",
    "  openstack stack export app > stack.json\n"
    "  bpconvert adopt stack.json --check\n"
    "  bpconvert adopt stack.json --to cloudify -o app/\n"
    "  bpconvert adopt stack.json --to hot -o other-heat/\n"
    "  bpconvert adopt app.yaml --resources resources.json -o app/\n"
    "  bpconvert adopt blueprint.yaml --instances node-instances.json --inputs inputs.yaml --to hot -o heat/",
    _arguments,
    _run,
    f"exit codes: 0 done; 1 findings, with --check; {shared.FAILURES}, or something would be created or changed",
)
