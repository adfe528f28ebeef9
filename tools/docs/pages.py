"""The pages of docs/, made from the data that they describe: each is one row of :data:`PAGES`."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

import api_page
import function_matrix as matrix
import man_page
import mapping_language as language
import options_page
import pictures
import tosca_types
import yaml
from corpus_examples import FORMS
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bpconvert import serving
from bpconvert.batch import write_atomically
from bpconvert.cli import type_tables
from bpconvert.diagnostics.codes import CODES
from bpconvert.reports import model
from bpconvert.translators.catalogue.types import builtin

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
#: the hundreds of a code say where the finding belongs
AREAS = {
    "1": "Reading, mappings of types, checks",
    "2": "Functions",
    "3": "Types and properties",
    "4": "Dependencies",
    "5": "Inputs and outputs",
    "6": "Text, names and files",
    "7": "Software, groups, nesting, further types",
    "8": "TOSCA service templates",
    "9": "Runs, folders and limits",
}


def diagnostics(root: Path) -> str:
    """The page of all diagnostics, from :data:`bpconvert.diagnostics.codes.CODES`."""
    codes = {code: entry.pattern() for code, entry in sorted(CODES.items())}
    areas = [(AREAS[area], list(members)) for area, members in groupby(codes.items(), key=lambda entry: entry[0][3])]
    return _render("diagnostics.md.j2", codes=codes, areas=areas)


def functions(root: Path) -> str:
    """The conversion matrix of the functions, from the function tables and the rules; its links from the corpus."""
    hot, cfy = matrix.Cells(root, "hot"), matrix.Cells(root, "cfy")
    return _render(
        "functions.md.j2",
        forms=FORMS,
        value_forms=matrix.VALUE_FORMS,
        condition_forms=matrix.CONDITION_FORMS,
        dsl_forms=matrix.DSL_FORMS,
        values=matrix.hot_rows(hot, "value"),
        conditions=matrix.hot_rows(hot, "condition"),
        dsl=matrix.dsl_rows(cfy),
        pseudo=matrix.pseudo_cells(hot),
        hot_functions=matrix.function_rows(),
        dsl_functions=matrix.dsl_functions(),
        tosca=matrix.tosca_rows(),
    )


def types(root: Path) -> str:
    """The page of all mapped types, from the catalogue."""
    return _render(
        "types.md.j2",
        rows=type_tables.rows(builtin()),
        node_types=list(type_tables.node_types(builtin())),
        sheets=type_tables.sheets(builtin()),
        tosca_types=list(tosca_types.tosca_types()),
        in_tosca=tosca_types.written,
    )


def catalogue(root: Path) -> str:
    """The page of the mapping language, from the classes of the catalogue, and an example from the corpus."""
    place = root / "corpus/hot/types-of-a-site/site-types.yaml"
    example = place.read_text("utf-8") if place.is_file() else ""
    return _render(
        "catalogue.md.j2",
        example=example,
        sections=language.sections(yaml.safe_load(example) or []),
        split=language.split(),
        functions=language.functions(),
    )


def serve_schema(root: Path) -> str:
    """The JSON Schema of what ``bpconvert serve`` reads and writes."""
    return json.dumps(serving.schema(), indent=2) + "\n"


def report_schema(root: Path) -> str:
    """The JSON Schema of reports, from :mod:`bpconvert.reports.model`."""
    return json.dumps(model.schema(), indent=2) + "\n"


def manual(root: Path) -> str:
    """The manual page, from the arguments of the commands."""
    return _render("bpconvert.1.j2", **man_page.values())


def options(root: Path) -> str:
    """The page of all commands and options, from their arguments."""
    return _render("options.md.j2", **options_page.values())


def api(root: Path) -> str:
    """The page of the library's public names, from their docstrings."""
    return re.sub(r"\n{3,}", "\n\n", _render("api.md.j2", **api_page.values())).rstrip() + "\n"


#: page below the checkout -> what writes it, given the checkout
PAGES: dict[str, Callable[[Path], str]] = {
    "docs/diagnostics.md": diagnostics,
    "docs/functions.md": functions,
    "docs/types.md": types,
    "docs/catalogue.md": catalogue,
    "docs/options.md": options,
    "docs/api.md": api,
    "docs/pictures/topology.svg": pictures.topology,
    "docs/pictures/terminal.svg": pictures.terminal,
    "docs/bpconvert.1": manual,
    "bpconvert/reports/report.schema.json": report_schema,
    "bpconvert/serve.schema.json": serve_schema,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check all pages; returns the exit code: 0 done, 1 stale (with ``--check``)."""
    parser = argparse.ArgumentParser(prog="python tools/docs", description="Generate the pages of docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when a page is stale")
    parser.add_argument("--root", type=Path, default=CHECKOUT, help="the checkout (default: the one of this script)")
    chosen = parser.parse_args(arguments)
    pages = {chosen.root / name: page(chosen.root) for name, page in PAGES.items()}
    stale = [place for place, text in pages.items() if not place.is_file() or place.read_bytes() != text.encode()]
    for place in stale:
        print(f"{place}: {'stale; run python tools/docs' if chosen.check else 'written'}", file=sys.stderr)
        if not chosen.check:
            write_atomically(place, pages[place])
    return 1 if stale and chosen.check else 0


def _render(template: str, **values: object) -> str:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        markdown=escape, roff=man_page.roff, capitalize_first=lambda text: text[:1].upper() + text[1:]
    )
    return environment.get_template(template).render(values)


def escape(text: str) -> str:
    """Text for markdown: no character is taken for markup."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)
