"""Which documents are service templates."""

from __future__ import annotations

import re
from typing import Any, Final

#: what the versions of TOSCA begin with, of its kin as well (Alien4Cloud's)
_VERSIONS: Final = ("tosca_", "alien_dsl_")
#: the beginning of a section that defines types, and of one that a topology has
_TYPES: Final = re.compile(rb"^['\"]?[a-z]+_types['\"]?[ \t]*:", re.MULTILINE)
_TOPOLOGY: Final = re.compile(
    rb"^['\"]?(topology_template|service_template|node_templates|inputs|outputs)['\"]?[ \t]*:", re.MULTILINE
)
#: the version line of TOSCA 2.0
_VERSION_2_0: Final = re.compile(r"^['\"]?tosca_definitions_version['\"]?[ \t]*:[ \t]*['\"]?tosca_2_0\b", re.MULTILINE)


def is_service_template(data: Any) -> bool:
    """True for the data of a document that says it is one, of whatever version."""
    version = data.get("tosca_definitions_version") if isinstance(data, dict) else None
    return isinstance(version, str) and version.startswith(_VERSIONS)


def is_core(text: str) -> bool:
    """True for the text of a service template of TOSCA 2.0, which is YAML 1.2 (TOSCA 2.0, 5.3.1)."""
    return bool(_VERSION_2_0.search(text))


def is_library(text: bytes) -> bool:
    """True for the text of a document that defines types and has no topology."""
    return bool(_TYPES.search(text)) and not _TOPOLOGY.search(text)
