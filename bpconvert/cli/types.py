"""The command that lists the mapped types: ``types``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from bpconvert.cli.command import FAILED, OK, Command, formatter, print_message, read_types, take_types, write_stdout
from bpconvert.translators.dialects import DIALECTS, catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bpconvert.cli.type_tables import Sheet
    from bpconvert.translators.catalogue.types import Catalogue


def _arguments(parser: argparse.ArgumentParser) -> None:
    text = "a type of any language, like OS::Nova::Server (default: list all)"
    parser.add_argument("names", nargs="*", metavar="TYPE", help=text)
    formats = ["text", "json", *(name for name, dialect in DIALECTS.items() if dialect.profile)]
    text = "how to print; with the name of a language all types as a file that its documents import (default: text)"
    parser.add_argument("--format", choices=formats, default="text", help=text)
    take_types(parser)
    parser.set_defaults(quiet=False, verbose=False, color="auto")


def _suggestion(name: str, names: Iterable[str]) -> str:
    from bpconvert.diagnostics.suggest import similar

    close = similar(name, names, 0.8)
    return f"; did you mean {' or '.join(close)}?" if close else "; 'bpconvert types' lists all types"


def _run(arguments: argparse.Namespace) -> int:
    if not read_types(arguments, formatter(arguments)):
        return FAILED
    dialect = DIALECTS.get(arguments.format)
    if dialect is not None and (arguments.names or arguments.types):
        problem = f"--format {dialect.name} prints all built-in types, and takes no others"
        print_message(f"bpconvert types: error: {problem}")
        return FAILED
    if dialect is not None:
        write_stdout(dialect.types_file() or "")
        return OK
    types = catalogue(arguments.types)
    as_json = arguments.format == "json"
    if not arguments.names:
        write_stdout(_all(types, as_json))
        return OK
    return _some(arguments.names, types, as_json)


def _some(names: Sequence[str], types: Catalogue, as_json: bool) -> int:
    from bpconvert.cli import type_tables
    from bpconvert.diagnostics.suggest import similar

    kinds = type_tables.names(types)
    sheets, texts, unknown = [], [], []
    for name in names:
        if name in kinds:
            sheet = type_tables.Sheet(kinds[name], types)
            sheets.append(sheet.as_dict())
            texts.append(sheet_text(sheet))
            continue
        text = type_tables.unmapped(name, types)
        if text is None or similar(name, kinds, 0.95):  # rather a slip of the pen than another type of the namespace
            unknown.append(name)
        else:
            sheets.append({"name": name, "how": text})
            texts.append(f"{name}\n  {text}\n")
    write_stdout(_json(sheets) if as_json else "\n".join(texts))
    for name in unknown:
        print_message(f"bpconvert types: error: nothing is known about '{name}'{_suggestion(name, kinds)}")
    return FAILED if unknown else OK


def _all(types: Catalogue, as_json: bool) -> str:
    from bpconvert.cli import type_tables

    if as_json:
        return _json([row.as_dict() for row in type_tables.rows(types)])
    head = ("HEAT", "CLOUDIFY", "2.x", "TOSCA", "HOW", "FIDELITY")
    cells = [(row.heat, row.cloudify, row.v2, row.tosca, row.how, row.fidelity) for row in type_tables.rows(types)]
    return _aligned([head, *cells])


def _json(data: Sequence[Any]) -> str:
    import json

    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def sheet_text(sheet: Sheet) -> str:
    """All that is known of a kind, as lines."""
    kind, row = sheet.kind, sheet.kind.cloudify
    written = next(sheet.rows())
    facts = [
        ("Cloudify", written.cloudify),
        ("2.x", written.v2),
        ("TOSCA", written.tosca),
        ("read from", ", ".join(name for name in sheet.node_types if name not in (written.cloudify, written.v2))),
        ("how", "; ".join(word for word in (sheet.how, written.fidelity) if word)),
        ("imports", (row.plugin or "") if row else ""),
        ("get_resource", f"runtime property {kind.identity}" if written.cloudify and kind.identity else ""),
        ("note", kind.note or ""),
    ]
    parts = [", ".join((*kind.heat, *kind.also)) + "\n" + _indented([fact for fact in facts if fact[1]])]
    properties = [(rule.name, rule.path or "-", rule.words) for rule in sheet.properties]
    sections: list[tuple[str, Sequence[Sequence[str]]]] = [
        ("properties", properties),
        ("attributes", sheet.attributes),
        ("written always", sheet.constants),
        ("side effects of any relationship", sheet.side_effects),
        ("from a blueprint: relationships", sheet.relationships),
        ("from a blueprint: runtime properties", sheet.runtime),
        ("from a blueprint: what only Cloudify has", sheet.only),
    ]
    return "\n".join([*parts, *(f"{title}\n{_indented(rows)}" for title, rows in sections if rows)])


def _indented(rows: Sequence[Sequence[str]]) -> str:
    return "".join(f"  {line}\n" for line in _aligned(rows).splitlines())


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """The rows as lines, each column as wide as its widest cell; the last one is as long as it is."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "".join(f"{line}\n" for line in lines)


COMMAND = Command(
    "what maps to what, and how well",
    "  bpconvert types\n  bpconvert types OS::Nova::Server tosca.nodes.Compute\n"
    "  bpconvert types Acme::DNS::Alias --types site-types.yaml\n"
    "  bpconvert types --format tosca > openstack-types.yaml",
    _arguments,
    _run,
    "exit codes: 0 done; 2 wrong usage, an unknown type, or a file of mappings with errors",
)
