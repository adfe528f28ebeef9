"""Patterns of constraints: what ends in any text is written so that all engines read it (JavaScript's have no
``(?s:...)``)."""

from typing import Final

_ANYTHING: Final = "(?s:.*)"
_PORTABLE: Final = r"[\s\S]*"


def portable(pattern: str) -> str:
    """The pattern as it is written."""
    return pattern.removesuffix(_ANYTHING) + _PORTABLE if pattern.endswith(_ANYTHING) else pattern


def plain(pattern: str) -> str:
    """The pattern that is written so."""
    return pattern.removesuffix(_PORTABLE) + _ANYTHING if pattern.endswith(_PORTABLE) else pattern
