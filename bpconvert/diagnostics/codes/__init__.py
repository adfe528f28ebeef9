"""The registry of diagnostics, one table for each area. docs/diagnostics.md is generated from it.

Hundreds say the area: 1 reading, mappings and checking, 2 functions, 3 types and properties, 4 dependencies, 5 inputs
and outputs, 6 text and files, 7 more about types: kinds, software, groups, nesting, values that cannot fit, stand-ins, 8 TOSCA,
9 TOSCA 2.0.
A code is never given a second meaning; texts may change.

The tables of languages that a run has nothing to do with are imported when one of their codes is looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Final

from bpconvert.diagnostics.code import Code
from bpconvert.diagnostics.codes import blueprint, functions, groups, hot, inputs, reading, software, types

#: the tables of areas that most runs report something of
_COMMON: Final = (
    blueprint.CODES, functions.CODES, groups.CODES, hot.CODES, inputs.CODES, reading.CODES, software.CODES, types.CODES,
)  # fmt: skip
#: the modules with the others
_OTHERS: Final = ("adoption", "tosca", "tosca_documents", "tosca_nodes", "tosca_2_0", "tosca_software")
#: codes that meant something once: they are not given again
RETIRED: Final = frozenset(
    {
        "BPC340", "BPC354", "BPC368", "BPC403", "BPC531", "BPC533", "BPC606", "BPC792", "BPC804", "BPC877",
    }
)  # fmt: skip


def tables() -> tuple[dict[str, Code], ...]:
    """One table for each area."""
    return (*_COMMON, *(import_module(f"{__name__}.{name}").CODES for name in _OTHERS))


class _Codes(Mapping[str, Code]):
    """All codes, in their order."""

    def __init__(self) -> None:
        self._common = {code: entry for table in _COMMON for code, entry in table.items()}

    @cached_property
    def _all(self) -> dict[str, Code]:
        return dict(sorted((code, entry) for table in tables() for code, entry in table.items()))

    def __getitem__(self, code: str) -> Code:
        entry = self._common.get(code)
        return self._all[code] if entry is None else entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


CODES: Final[Mapping[str, Code]] = _Codes()
