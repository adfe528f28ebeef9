"""Checking a document without converting it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bpconvert.api import dialect_of, opened
from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.limits import limits
from bpconvert.options import Options
from bpconvert.translators.dialects import DIALECTS, catalogue, load


def check(
    document: str | bytes | Path,
    *,
    name: str | None = None,
    environments: Iterable[str] = (),
    types: Iterable[str] = (),
    allow_outside: bool = False,
    maps: Iterable[tuple[str, str]] = (),
    used: set[Path] | None = None,
) -> list[Diagnostic]:
    """What the engine refuses in a HOT template or a blueprint, and what is doubtful, in the order of their places.

    Args:
        document: a path, or the document's text (a ``str`` with a line break, or ``bytes``).
        name: what messages call the document; its folder is where the document's files are. Default: the path.
        environments: Heat environment files: what types stand for, and values of parameters.
        types: files with mappings of types, whose names are known then.
        allow_outside: read files outside the document's folder.
        maps: how URLs begin, and the folder that they are read from.
        used: takes the paths of the files that are read because the document names them.

    Returns:
        findings of severity ``error`` (refused), ``warning`` (may be refused, or is without effect) and ``info``.

    Raises:
        SourceError: a file cannot be read as YAML, or the document is of no known language.
        OSError: a file cannot be read.
        UsageError: ``maps`` has no URL, or a folder that is not there."""
    asked = Options(allow_outside=allow_outside, maps=tuple(maps))
    asked.check()
    source = opened(document, name)
    read = load(source.text, source.label)
    dialect = DIALECTS[dialect_of(read)]
    reporter = Reporter(read)
    for duplicate in read.duplicates:
        reporter.report(duplicate.code, duplicate.path, key=duplicate.key)
    mappings, files, check_document = tuple(types), source.files(asked), dialect.check()
    files.opened = files.opened if used is None else used
    with limits(None):
        if check_document is None:
            dialect.read()(read, catalogue(mappings), reporter, files)
        else:
            check_document(read, reporter, files, tuple(environments), catalogue(mappings) if mappings else None)
    if any(finding.code == "BPC175" for finding in reporter.diagnostics):
        from bpconvert.near_types import explain_types  # few documents need it

        explain_types(read, dialect, mappings, files, reporter)
    findings: dict[tuple[Any, ...], Diagnostic] = {}
    for item in reporter.in_order():  # what is written once may be used several times
        findings.setdefault((item.span, item.code, item.message), item)
    return list(findings.values())
