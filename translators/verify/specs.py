"""Settings of Neutron's API that a template gives by the names of the API (``value_specs``), in one form.

Heat puts them in the place of the properties of the same names (heat: neutron/neutron.py, ``merge_value_specs``)."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.comparing.model import Part

_SPECS: Final = "value_specs"
_EXTERNAL: Final = "router_external"
#: names of the API -> properties of a network on what a provider has (heat: neutron/provider_net.py)
_OF_PROVIDER: Final = {
    "provider:network_type": "network_type",
    "provider:physical_network": "physical_network",
    "provider:segmentation_id": "segmentation_id",
    "router:external": _EXTERNAL,
}
_NETWORK: Final = "net"
_PROVIDER_NETWORK: Final = "provider_net"


def unfold(part: Part) -> None:
    """Make the settings of ``part`` its properties; a network with those of a provider is one of a provider. That it
    is not external, is what Neutron does by itself."""
    _unfold(part)
    if part.kind == _PROVIDER_NETWORK and part.properties.get(_EXTERNAL) is False:
        part.properties = part.without(_EXTERNAL)


def _unfold(part: Part) -> None:
    specs = part.properties.get(_SPECS)
    if not isinstance(specs, dict) or not all(isinstance(name, str) for name in specs):
        return
    names = {name: name for name in specs}
    if part.kind in (_NETWORK, _PROVIDER_NETWORK):
        names |= {name: _OF_PROVIDER[name] for name in specs if name in _OF_PROVIDER}
    if any(name.startswith("provider:") for name in specs) and part.kind == _NETWORK:
        part.kind = _PROVIDER_NETWORK
    part.properties = {**part.without(_SPECS), **{names[name]: value for name, value in specs.items()}}
    written, origin = {mine: name for name, mine in names.items()}, part.origin

    def place(*steps: Any) -> Path:
        return origin(_SPECS, written[steps[0]], *steps[1:]) if steps and steps[0] in written else origin(*steps)

    part.origin = place
