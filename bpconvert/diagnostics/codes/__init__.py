"""The registry of diagnostics, one table for each area. docs/diagnostics.md is generated from it.

Hundreds say the area: 1 reading, mappings and checking, 2 functions, 3 types and properties, 4 dependencies, 5 inputs
and outputs, 6 text and files, 7 more about types: kinds, software, groups, nesting, values that cannot fit, stand-ins, 8 TOSCA,
9 TOSCA 2.0.
A code is never given a second meaning; texts may change."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code
from bpconvert.diagnostics.codes import (
    adoption,
    blueprint,
    functions,
    groups,
    hot,
    inputs,
    reading,
    software,
    tosca,
    tosca_documents,
    tosca_nodes,
    tosca_second,
    tosca_software,
    types,
)

#: one table for each area
TABLES: Final = (
    adoption.CODES, blueprint.CODES, functions.CODES, groups.CODES, hot.CODES, inputs.CODES, reading.CODES, software.CODES, tosca.CODES,
    tosca_documents.CODES, tosca_nodes.CODES, tosca_second.CODES, tosca_software.CODES, types.CODES,
)  # fmt: skip
#: codes that meant something once: they are not given again
RETIRED: Final = frozenset({"BPC340", "BPC368"})
CODES: Final[dict[str, Code]] = dict(sorted((code, entry) for table in TABLES for code, entry in table.items()))
