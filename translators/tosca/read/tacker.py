"""What Tacker gives a base template (VNF LCM API v2, the user data that it has by default): one parameter, in which a
value stands under the name of the node template that it is for. It fills in what the template asks for with the steps
that are known here, from the grant, the request and the descriptor; of others it knows nothing."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path
from bpconvert.models.topology import Input, Topology
from bpconvert.translators.support.findings import Reports

#: the name of the option's value
NAME: Final = "tacker"
#: the parameter
PARAMETER: Final = "nfv"
#: what stands in it
MACHINES: Final = "VDU"
POINTS: Final = "CP"
#: property of a further capability that names a flavor
FLAVOR: Final = "requested_additional_capability_name"
_NUMBER: Final = "desired_capacity"


def ask_to_give(topology: Topology, wanted: Input, keys: Path, findings: Reports) -> ex.Input:
    """What ``wanted`` asks for, as the part of the parameter that ``keys`` lead to."""
    declared = topology.inputs.setdefault(PARAMETER, Input(PARAMETER, "json", path=wanted.path, added=True))
    if keys not in declared.parts:
        declared.parts[keys] = wanted
        way = ", ".join(map(str, (PARAMETER, *keys)))
        findings.report("BPC985", wanted.path, what=wanted.description, way=way)
    return ex.Input(PARAMETER, keys, path=wanted.path)


def capacity(topology: Topology, node: str, path: Path, findings: Reports) -> ex.Input:
    """How many there are of a machine that is scaled."""
    wanted = Input(f"{node}_number", "number", description=f"number of {node}", path=path)
    return ask_to_give(topology, wanted, (MACHINES, node, _NUMBER), findings)
