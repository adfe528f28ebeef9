"""Types of OpenStack that other tools have with Heat's names of properties: ONAP and Puccini."""

from __future__ import annotations

import re
from typing import Final

from bpconvert.translators.tosca.vocabulary import heat_name

#: ONAP's importer: the name of a type ends as that of Heat's (onap/sdc: ``openecomp-heat-lib``)
_ONAP: Final = re.compile(r"org\.openecomp\.resource\.(?:.+\.)?nodes\.heat\.(?:network\.)?(\w+)\.(\w+)")
_OTHER_NAMES: Final = {"SecurityRules": "SecurityGroup"}


def resource_type(name: str) -> str | None:
    """The resource type that a node type with Heat's own names of properties stands for; None for others."""
    match = _ONAP.fullmatch(name)
    if match is not None:
        return heat_name(f"openstack.{match[1]}.{_OTHER_NAMES.get(match[2], match[2])}")
    return heat_name(name.replace(":", ".", 1)) if name.startswith("openstack:") else None
