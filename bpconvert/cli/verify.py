"""The command that compares what two documents mean: ``verify``."""

from __future__ import annotations

import argparse
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bpconvert.cli import command as shared
from bpconvert.cli.parameters import read_params, take_params

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.diagnostics import Diagnostic
    from bpconvert.options import Options
    from bpconvert.verification import Difference, Verification

_DRAWS: Final = 5
_LIMIT: Final = 20
#: imports of a blueprint that declare no inputs
_ELSEWHERE: Final = ("plugin:", "cloudify/types/", "http:", "https:")


class Side(NamedTuple):
    """One of the documents: what :func:`verify` takes, its name in messages, its dialect, its inputs with
    their declarations; ``has_imports``: files beside it may declare more."""

    document: Path | bytes
    name: str
    dialect: str
    inputs: dict[str, Any]
    has_imports: bool

    @property
    def defaults(self) -> dict[str, Any]:
        """Name of an input -> its default as written."""
        declared = {name: entry for name, entry in self.inputs.items() if isinstance(entry, dict)}
        return {name: entry["default"] for name, entry in declared.items() if "default" in entry}


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("first", metavar="FIRST", help="template or blueprint, or - for standard input")
    add("second", metavar="SECOND", help="what it is compared with: of the same language or the other one")
    take_params(parser, decided=False)
    text = f"how many times to draw values for the other inputs; 0: defaults only (default: {_DRAWS})"
    add("--draws", metavar="N", type=_number, default=_DRAWS, help=text)
    add("--seed", metavar="N", type=int, default=0, help="the same one draws the same values (default: 0)")
    add("--engines", action="store_true", help="let Heat and Cloudify compute the values (needs the extra 'engines')")
    text = "differences that the conversion of FIRST reports at their place do not count"
    add("--allow-told", action="store_true", help=text)
    shared.take_environments(parser, "what types stand for")
    add("--format", choices=["text", "json"], default="text", help="how to print the differences (default: text)")
    text = f"print the first N differences only; 0: all (default: {_LIMIT})"
    add("--limit", metavar="N", type=_number, default=_LIMIT, help=text)
    add("--allow-outside", action="store_true", help="read files outside the documents' folders")
    text = "print whole values, all inputs, and what --allow-told allows"
    shared.take_looks(parser, "print differences and errors only", text)
    shared.take_types(parser)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return int(text)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import STDIN
    from bpconvert.engines.client import EngineFailed, EngineMissing
    from bpconvert.options import Options

    given = (arguments.first, arguments.second)
    if STDIN in given and (arguments.engines or given[0] == given[1]):
        problem = "is not for --engines: the engines read files" if arguments.engines else "can be one of them only"
        shared.print_message(f"bpconvert verify: error: '-' (standard input) {problem}")
        return shared.FAILED
    messages = shared.formatter(arguments)
    if not shared.read_types(arguments, messages) or not read_params(arguments, messages):
        return shared.FAILED
    options = Options(
        allow_outside=arguments.allow_outside, types=tuple(arguments.types), environments=tuple(arguments.environments)
    )

    def compare() -> tuple[list[Side], Verification] | None:
        sides = [_opened(name, messages.texts) for name in given]
        if not arguments.quiet:
            _warn_of_unknown(arguments.params or {}, sides)
        try:
            return sides, _verified(arguments, sides[0], sides[1], options)
        except (EngineFailed, EngineMissing, ValueError) as error:
            shared.print_message(f"bpconvert verify: error: {error}")
            return None

    found = shared.attempt(compare, messages, "bpconvert verify")
    return shared.FAILED if found is None else _printed(arguments, *found)


def _opened(name: str, texts: dict[str, str]) -> Side:
    """Read what a document is; that of standard input is put into ``texts``. Raises SourceError and OSError."""
    from pathlib import Path

    from bpconvert.api import dialect_of, read
    from bpconvert.batch import STDIN, UNNAMED
    from bpconvert.translators.dialects import DIALECTS

    given: Path | bytes = Path(name)
    if name == STDIN:
        given = shared.read_stdin(texts, UNNAMED)
    document = read(given)
    dialect = dialect_of(document)
    inputs = document.data.get(DIALECTS[dialect].section("inputs"))
    imports = document.data.get("imports") or []
    named = [one for one in imports if isinstance(one, str)] if isinstance(imports, list) else []
    beside = len(named) < len(imports) or not all(one.startswith(_ELSEWHERE) for one in named)
    return Side(given, document.name, dialect, inputs if isinstance(inputs, dict) else {}, beside)


def _warn_of_unknown(params: dict[str, Any], sides: list[Side]) -> None:
    """Name the given inputs that neither document declares."""
    if not any(side.has_imports for side in sides):
        for name in sorted(params.keys() - sides[0].inputs.keys() - sides[1].inputs.keys()):
            shared.print_message(
                f"bpconvert: warning: neither {sides[0].name} nor {sides[1].name} has an input '{name}'"
            )


def _verified(arguments: argparse.Namespace, first: Side, second: Side, options: Options) -> Verification:
    from bpconvert.verification import verify

    return verify(
        first.document,
        second.document,
        inputs=arguments.params,
        draws=arguments.draws,
        seed=arguments.seed,
        engines=arguments.engines,
        reported=_findings(first, second, arguments.params or {}, options),
        options=options,
    )


def _findings(first: Side, second: Side, params: dict[str, Any], options: Options) -> list[Diagnostic]:
    """The findings of the conversion of ``first`` to the language of ``second``. A given input that ``second`` does not
    have was decided when it was made, and is here."""
    from bpconvert.api import convert

    if first.dialect == second.dialect:
        return []
    decided = {name: value for name, value in params.items() if name in first.inputs and name not in second.inputs}
    chosen = options._replace(carry=False, params=decided or None)
    return convert(first.document, first.dialect, second.dialect, options=chosen).diagnostics


# -- what is printed ----------------------------------------------------------------------------------------


def _printed(arguments: argparse.Namespace, sides: list[Side], found: Verification) -> int:
    """Print the differences; returns the exit code."""
    found = _masked(found)
    silent = [difference for difference in found.differences if not difference.is_reported]
    notes = list(dict.fromkeys(found.notes))
    failed = not found.compared and bool(notes)
    if arguments.format == "json":
        shared.write_stdout(_report(arguments, sides, found, len(silent)))
    else:
        printed = silent if arguments.allow_told and not arguments.verbose else found.differences
        defaults = found.secrets.masked_in({**sides[1].defaults, **sides[0].defaults})
        shared.write_stdout(_text(arguments, printed, defaults))
        for note in notes if failed or not arguments.quiet else ():
            shared.print_message(f"bpconvert: not compared: {note}")
        if not arguments.quiet:
            shared.print_message(f"bpconvert: {_summary(found, len(silent))}")
    if failed:
        return shared.FAILED
    return shared.FINDINGS if (silent if arguments.allow_told else found.differences) else shared.OK


def _masked(found: Verification) -> Verification:
    """The same without the values of hidden inputs."""
    from dataclasses import replace

    hide = found.secrets.masked_in
    differences = [
        one._replace(first=hide(one.first), second=hide(one.second), inputs=hide(one.inputs))
        for one in found.differences
    ]
    return replace(found, differences=differences, notes=hide(found.notes))


def _summary(found: Verification, silent: int) -> str:
    if not found.compared:
        return "nothing was compared" if found.notes else "nothing to compare"
    values = f"{shared.count(found.compared, 'value')} compared, {found.equal} equal"
    if found.is_same:
        return f"{values}: the same"
    places = shared.count(len(found.differences), "place")
    return f"{values}; different at {places}: {len(found.differences) - silent} reported, {silent} silent"


def _text(arguments: argparse.Namespace, found: list[Difference], defaults: dict[str, Any]) -> str:
    first = found[: arguments.limit or None]
    lines = [line for one in first for line in _lines(one, defaults, arguments.verbose)]
    if len(first) < len(found):
        lines.append(f"... and at {shared.count(len(found) - len(first), 'more place')} (--limit 0 shows all)")
    return "".join(f"{line}\n" for line in lines)


def _lines(found: Difference, defaults: dict[str, Any], whole: bool) -> list[str]:
    """One difference: a line for each document, the inputs under which it shows, the codes that name the place."""
    from bpconvert.cli.formatters import printable

    values = _written(found.first, found.second, whole)
    places = zip((found.first_place, found.second_place), values, strict=True)
    lines = [printable(f"{place}: {found.what} {value}") for place, value in places]
    given = {name: v for name, v in found.inputs.items() if whole or name not in defaults or defaults[name] != v}
    if given:
        lines.append(f"    with {printable(_inputs(given, whole))}")
    if found.codes:
        how = "reported" if found.is_reported else "not reported, but said in other words"
        lines.append(f"    {how} by {', '.join(found.codes)}")
    return lines


_LONGEST: Final = 80
_LONGEST_INPUTS: Final = 100


def _written(first: Any, second: Any, whole: bool) -> tuple[str, str]:
    """Both values in words. Of long ones the part where they begin to differ, unless they are to be ``whole``."""
    texts = [_in_words(first), _in_words(second)]
    if whole or max(map(len, texts)) <= _LONGEST:
        return texts[0], texts[1]
    pairs = enumerate(zip_longest(*texts))
    same = next((place for place, (one, other) in pairs if one != other), 0)
    start = same - _LONGEST // 4 if same > _LONGEST // 2 else 0
    head = "is ..." if start else ""
    cut = [head + text[start:] if len(text) > start else text for text in texts]
    left, right = (text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..." for text in cut)
    return left, right


def _in_words(value: Any) -> str:
    words = {"missing": "is not there", "refused": "cannot be computed"}
    return words.get(_state(value)["state"], f"is {value!r}")


def _state(value: Any) -> dict[str, Any]:
    """A value of a difference as plain data: whether there is one, whether the engine refuses it, and which it is."""
    from bpconvert.models.expressions import MISSING
    from bpconvert.translators.comparing.filling import REFUSED

    for state, found in (("missing", MISSING), ("refused", REFUSED)):
        if value is found:
            return {"state": state}
    return {"state": "value", "value": value}


def _inputs(given: dict[str, Any], whole: bool) -> str:
    """``env=prod, zones=["a", "b"]``, as ``--param`` takes them."""
    import json

    pairs = [
        f"{name}={v if isinstance(v, str) else json.dumps(v, ensure_ascii=False, default=str)}"
        for name, v in given.items()
    ]
    if whole:
        return ", ".join(pairs)
    kept: list[str] = []
    for pair in pairs:
        if kept and len(", ".join([*kept, pair])) > _LONGEST_INPUTS:
            break
        kept.append(pair if len(pair) <= _LONGEST_INPUTS else f"{pair[: _LONGEST_INPUTS - 3]}...")
    left = len(pairs) - len(kept)
    return ", ".join(kept) + (f", and {left} more" if left else "")


def _report(arguments: argparse.Namespace, sides: list[Side], found: Verification, silent: int) -> str:
    """Everything as JSON, whatever ``--limit`` says."""
    from bpconvert.reports.as_json import json_report

    parts = {
        "files": [{"file": side.name, "dialect": side.dialect} for side in sides],
        "engines": arguments.engines,
        "draws": arguments.draws,
        "seed": arguments.seed,
        "differences": [
            {
                "what": one.what,
                "first": {**_state(one.first), **one.first_place._asdict()},
                "second": {**_state(one.second), **one.second_place._asdict()},
                "inputs": one.inputs,
                "told": list(one.codes),
                "reported": one.is_reported,
            }
            for one in found.differences
        ],
        "notes": list(dict.fromkeys(found.notes)),
        "summary": {
            "compared": found.compared,
            "equal": found.equal,
            "unequal_reported": found.reported,
            "unequal_reworded": found.reworded,
            "differences": len(found.differences),
            "reported": len(found.differences) - silent,
            "silent": silent,
        },
    }
    return json_report("verify", **parts)


COMMAND = shared.Command(
    "compare what two documents mean, under the same inputs; exit code 1 if they differ",
    "  bpconvert verify app.yaml blueprint.yaml --param env=prod\n"
    "  bpconvert hot2cfy app.yaml | bpconvert verify --allow-told app.yaml -",
    _arguments,
    _run,
    f"exit codes: 0 the same; 1 differences, with --allow-told silent ones; {shared.FAILURES}",
)
