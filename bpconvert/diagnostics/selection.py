"""Which findings are wanted: by their codes, or the beginnings of codes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from bpconvert.diagnostics import Diagnostic, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.light import NamedTuple

_PATTERN: Final = r"BPC\d{0,3}"


class Selection(NamedTuple):
    """``select`` and ``ignore``: codes, or beginnings of codes (``BPC3``). The longer one decides, and of two equal
    ones ``ignore``. An error is only left out by its whole code in ``ignore``."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def has(self, item: Diagnostic) -> bool:
        """Whether the finding is wanted."""
        if item.severity == Severity.ERROR:
            return item.code not in self.ignore
        wanted = _longest(item.code, self.select) if self.select else 0
        return wanted > _longest(item.code, self.ignore)


def covers(pattern: str, item: Diagnostic) -> bool:
    """Whether a code, or the beginning of one, leaves out the finding."""
    return item.code == pattern or (item.severity != Severity.ERROR and item.code.startswith(pattern))


def whole_code(text: str) -> str:
    """A code as it is in the tables: ``bpc302`` and ``302`` are BPC302, as users write it."""
    code = text.strip().upper()
    return f"BPC{code}" if code.isdecimal() else code


def _longest(code: str, patterns: Iterable[str]) -> int:
    return max((len(pattern) for pattern in patterns if code.startswith(pattern)), default=-1)


def problem(pattern: str, codes: Collection[str] = CODES.keys()) -> str:
    """Why ``pattern`` is no code and no beginning of one, with what may be meant; "" if it is one."""
    if re.fullmatch(_PATTERN, pattern) and any(code.startswith(pattern) for code in codes):
        return ""
    from bpconvert.diagnostics.suggest import guess

    return f"there is no code '{pattern}'{guess(pattern, codes)}"
