"""Typos in a document that is converted: one error with a suggestion, as ``check`` has it, in place of the warnings
that follow from it."""

from __future__ import annotations

from copy import copy
from typing import Final

from bpconvert.diagnostics import Diagnostic, Reporter, SourceError
from bpconvert.diagnostics.codes import CODES
from bpconvert.files import Files
from bpconvert.limits import limits
from bpconvert.models.expressions import Path
from bpconvert.translation import Way
from bpconvert.translators.dialects import catalogue
from bpconvert.yamlio.document import Document

#: what an error has that knows a better name
_GUESS: Final = "did you mean"
#: what is reported of a property, an attribute, a reference that is not known
_FOLLOW: Final = frozenset({"BPC201", "BPC202", "BPC230", "BPC232", "BPC301", "BPC354", "BPC810"})


def report_typos(document: Document, way: Way, files: Files, reporter: Reporter) -> None:
    """Report the names that the source's engine refuses and that are nearly right, in place of what ``reporter`` has of
    them. Never raises: what cannot be checked, an environment for instance, has been reported."""
    errors = [found for found in _checked(document, way, files) if str(found.severity) == "error"]
    errors = [found for found in errors if _GUESS in found.message]
    places = {found.path for found in errors}
    owners = {path[:-1] for path in places if path[-1:] == ("type",)}
    if errors:
        reporter.diagnostics[:] = [found for found in reporter.diagnostics if not _follows(found, places, owners)]
    better = {(found.path, found.code): found.message for found in errors}
    reporter.diagnostics[:] = [
        found for found in reporter.diagnostics if better.get((found.path, found.code), found.message) == found.message
    ]
    known = {found.path for found in reporter.diagnostics if str(found.severity) == "error"}
    for found in errors:
        if found.path not in known:
            reporter.record(found)


def _checked(document: Document, way: Way, files: Files) -> list[Diagnostic]:
    check, scratch, beside = way.source.check(), Reporter(document, of_names=True), copy(files)
    beside.used, beside.merged, beside.mapped, beside.opener = dict(files.used), dict(files.merged), {}, None
    types = way.options.types
    try:
        if check is not None:
            with limits(way.options.limits):
                check(document, scratch, beside, way.options.environments, catalogue(types) if types else None)
    except (SourceError, OSError, RecursionError):
        return []
    return scratch.in_order()


def _follows(found: Diagnostic, places: set[Path], owners: set[Path]) -> bool:
    """True for a warning that a typo at its place leads to, and for the stand-in for a type that is misspelt."""
    if str(found.severity) != "warning":
        return False
    is_stand_in = found.path in owners and CODES[found.code].causes == "node"
    return is_stand_in or (found.path in places and found.code in _FOLLOW)
