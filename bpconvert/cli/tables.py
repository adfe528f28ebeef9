"""What a cloud has: tables of its flavors and images (``--flavors``, ``--images``), its network with public addresses
(``--public-network``); which deployment of several that a document has (``--flavour``);
what deploys the result (``--for``)."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli.command import READING, RESULTS, VALUES, attempt, group_of
from bpconvert.options import CHOICES

if TYPE_CHECKING:
    from bpconvert.cli.formatters import TextFormatter

#: other names of columns, as ``openstack flavor list -f json`` has them -> ours
_COLUMNS: Final = {"vcpus": "cpus", "os_distro": "distribution", "os_version": "version", "os_type": "type"}
_NUMBERS: Final = ("cpus", "ram", "disk")
_TABLES: Final = {"flavors": "cpus, ram in MiB, disk in GiB", "images": "architecture, type, distribution, version"}


def take_tables(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    for name, columns in _TABLES.items():
        text = f"a map in YAML: name -> {columns}; the best one is taken where the source asks for what it has"
        group_of(parser, VALUES).add_argument(f"--{name}", metavar="FILE", help=text)
    text = "the network of the cloud with public addresses; it is taken where the source asks for such an address"
    group_of(parser, VALUES).add_argument("--public-network", metavar="NAME", help=text)
    text = "the deployment flavour of a VNF descriptor; by default the one that its input has by default"
    group_of(parser, READING).add_argument("--flavour", metavar="NAME", help=text)
    words = [word for word in CHOICES["orchestrator"] if word is not None]
    text = (
        "what deploys the result: Tacker gives a HOT template its values in the parameter nfv; opera runs playbooks "
        "only, so one runs the scripts of a service template"
    )
    group_of(parser, RESULTS).add_argument("--for", dest="orchestrator", choices=words, help=text)


def read_tables(arguments: argparse.Namespace, messages: TextFormatter) -> bool:
    """Set the tables in place of the names of their files. False, with the error reported, where one cannot be
    used."""
    for name in _TABLES:
        file = getattr(arguments, name)
        if file is not None:
            table = attempt(partial(table_of, file), messages, "bpconvert")
            if table is None:
                return False
            setattr(arguments, name, table)
    return True


def table_of(name: str) -> dict[str, dict[str, Any]]:
    """The rows of a file by their names: a map, or a list of rows with ``name``. Raises SourceError where it is no such
    table, OSError where it cannot be read."""
    from pathlib import Path

    from bpconvert.diagnostics import Reporter, SourceError
    from bpconvert.yamlio.document import load

    document = load(Path(name).read_bytes(), name)
    data, problem = document.data, "a map of names is expected"
    if isinstance(data, list):
        lowered = [{str(key).lower(): value for key, value in row.items()} for row in data if isinstance(row, dict)]
        data = {str(row["name"]): row for row in lowered if "name" in row}
    if isinstance(data, dict):
        rows = {str(key): _row(row) for key, row in data.items()}
        wrong = next((key for key, row in rows.items() if row is None), None)
        if wrong is None:
            return {key: row for key, row in rows.items() if row is not None}
        problem = f"'{wrong}' is no row: numbers are expected for {', '.join(_NUMBERS)}"
    raise SourceError(Reporter(document).build("BPC827", (), problem=problem))


def _row(row: Any) -> dict[str, Any] | None:
    if not isinstance(row, dict):
        return None
    cells = {_COLUMNS.get(str(key).lower(), str(key).lower()): value for key, value in row.items()}
    odd = [key for key in _NUMBERS if key in cells and (not isinstance(cells[key], (int, float)) or cells[key] is True)]
    return None if odd else cells
