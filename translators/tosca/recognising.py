"""Which documents are service templates."""

from __future__ import annotations

from typing import Any, Final

#: what the versions of TOSCA begin with, of its kin as well (Alien4Cloud's)
_VERSIONS: Final = ("tosca_", "alien_dsl_")


def is_service_template(data: Any) -> bool:
    """True for the data of a document that says it is one, of whatever version."""
    version = data.get("tosca_definitions_version") if isinstance(data, dict) else None
    return isinstance(version, str) and version.startswith(_VERSIONS)
