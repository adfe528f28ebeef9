"""Types of Heat that stand for something else than a resource of the cloud, or that others need to know: templates,
groups, software, what keeps a record."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.topology import Node, Shown
from bpconvert.translators.passes.capabilities import Software
from bpconvert.translators.provenance.carry import KEY

#: creates nothing
NONE: Final = "OS::Heat::None"
RESOURCE_GROUP: Final = "OS::Heat::ResourceGroup"
AUTO_SCALING_GROUP: Final = "OS::Heat::AutoScalingGroup"
#: scales a group, which it names
SCALING_POLICY: Final = "OS::Heat::ScalingPolicy"
SOFTWARE_CONFIG: Final = "OS::Heat::SoftwareConfig"
SOFTWARE_DEPLOYMENT: Final = "OS::Heat::SoftwareDeployment"
SOFTWARE_DEPLOYMENT_GROUP: Final = "OS::Heat::SoftwareDeploymentGroup"
SERVER: Final = "OS::Nova::Server"
#: the endings by which Heat knows the name of a template (heat/engine/environment.py)
TEMPLATE_ENDINGS: Final = (".yaml", ".template")

#: variables that Heat itself adds (heat: software_deployment.py, DERIVED_CONFIG_INPUTS)
_DERIVED: Final = (
    r"\bdeploy_(?:server_id|action|signal_id|stack_id|resource_name|auth_url|username|password|project_id|user_id"
    r"|signal_verb|signal_transport|queue_id|region_name)\b"
)

#: programs that take values of any type: the hook hands them on as JSON (heat-agents: heat-config-ansible)
TYPED_TOOLS: Final = ("ansible",)
#: where a script leaves its outputs (heat-agents: hook-script.py)
_PUBLISH: Final = """            printf '%s' "$ctx_value" >"$heat_outputs_path.$3\""""
SOFTWARE: Final = Software(
    SOFTWARE_CONFIG, SOFTWARE_DEPLOYMENT, _DERIVED, ungrouped=("ungrouped", "Heat::Ungrouped"), publish=_PUBLISH
)


#: the ends of the names of a stand-in's properties: that of the type, after the name of the language, and all others
_TYPE: Final = "_type"
_OTHERS: Final = ("properties", "interfaces")


def shown_by(language: str) -> Shown:
    """What a stand-in shows of a node of ``language``."""
    return Shown(language, f"{language}{_TYPE}", *_OTHERS)


def shown(node: Node) -> Shown | None:
    """What a resource shows of the node that it stands for; None where it is no stand-in."""
    if node.source_type != NONE or not isinstance(node.properties, dict):
        return None
    keys = [str(key) for key, value in node.properties.items() if str(key).endswith(_TYPE) and isinstance(value, str)]
    return shown_by(keys[0].removesuffix(_TYPE)) if len(keys) == 1 else None


def holds(resource: Any) -> bool:
    """True for a resource that keeps the record of what a template was made from (see :mod:`~.hot.sidecar`)."""
    if not isinstance(resource, dict) or resource.get("type") != NONE:
        return False
    metadata = resource.get("metadata")
    kept = metadata.get(KEY) if isinstance(metadata, dict) else None
    return isinstance(kept, dict) and ("digests" in kept or "source" in kept)
