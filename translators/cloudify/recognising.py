"""Which documents are blueprints."""

from __future__ import annotations

from typing import Any, Final

_MARKER: Final = "tosca_definitions_version"
#: what the versions of others begin with that have the same key
_OTHERS: Final = ("tosca_", "alien_dsl_")


def is_blueprint(data: Any) -> bool:
    """True for the data of a document that says it is one, also with a version that no parser knows."""
    if not isinstance(data, dict) or _MARKER not in data:
        return False
    return not str(data[_MARKER]).startswith(_OTHERS)
