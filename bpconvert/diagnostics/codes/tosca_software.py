"""Diagnostics of TOSCA's software, policies, groups and nesting; part of the registry in
:mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC830": Code("property of software", "info", "carried",
        "property '{name}' of '{node}' is only used where something refers to it",
        "Nothing to do unless a program outside of the template looks at it.",
        "Software is its operations and their order in other languages. References to the property have its value."),
    "BPC832": Code("artifact that no operation runs", "warning", "carried",
        "artifact '{name}' of '{node}' is not used by any operation",
        "Put the file to where it is needed by hand, or let an operation do so.",
        "Other languages have no files beside those that operations run and that values name."),
}
