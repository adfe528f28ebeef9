"""What references of a stack yield, as far as it is recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bpconvert.models.running import Recorded
from bpconvert.translators.hot import flattening
from bpconvert.translators.hot.running import DRAWN
from bpconvert.translators.support.places import entries

#: type -> attribute -> the property that it yields, where that is given
_SAME: Final = {
    "OS::Heat::Value": {"value": "value"},
    "OS::Neutron::Net": {"name": "name", "mtu": "mtu"},
    "OS::Neutron::Subnet": {"name": "name", "cidr": "cidr", "gateway_ip": "gateway_ip"},
    "OS::Neutron::Port": {"name": "name", "mac_address": "mac_address", "fixed_ips": "fixed_ips"},
    "OS::Neutron::FloatingIP": {"floating_ip_address": "floating_ip_address"},
    "OS::Neutron::SecurityGroup": {"name": "name"},
    "OS::Nova::Server": {"name": "name"},
    "OS::Nova::KeyPair": {"public_key": "public_key"},
}
#: how the names of types begin that are of Heat alone, and those of them that are the same in every stack
_OWN: Final = ("OS::Heat::", "AWS::CloudFormation::", "AWS::AutoScaling::")
_PLAIN: Final = frozenset({"OS::Heat::Value", "OS::Heat::RandomString"})
#: attributes that no file has
_SECRET: Final = frozenset({"private_key", "password", "admin_password", "adminPass"})
#: type -> attributes that Heat makes of the names of the stack and the resource
_OF_NAMES: Final = {"OS::Nova::Server": frozenset({"name", "os_collect_config"})}
#: functions of the first version of HOT -> those that are called so since
FIRST: Final = {"Ref": "get_resource", "Fn::GetAtt": "get_attr"}

Json = dict[str, Any]


class Level:
    """A stack whose references are replaced. ``template`` and ``rows``: its template, and what is exported of its
    resources; ``names``: those that are stacks of their own; ``flat``: all resources as those of one stack."""

    def __init__(self, recorded: Recorded, flat: flattening.Flat | None = None) -> None:
        self.template, self.rows, self.flat = recorded.data["template"], recorded.data["resources"], flat
        self.attributes, self.is_outermost = recorded.attributes, True
        self.names: Mapping[str, Any] = flat.stack.names if flat is not None else {}
        self.recorded = recorded

    @property
    def own(self) -> Mapping[str, Any]:
        """The resources of the template."""
        return entries(self.template, "resources")

    @property
    def has_first_functions(self) -> bool:
        """True for a template of the version that has the functions of CloudFormation."""
        return str(self.template.get("heat_template_version")) == "2013-05-23"

    def inner(self, row: Mapping[str, Any], stack: Any) -> Level:
        """A stack that a resource of this one is."""
        level = Level(self.recorded, self.flat)
        level.template, level.rows, level.names = row["template"], row.get("resources") or {}, stack.names
        level.attributes, level.is_outermost = {}, False
        return level

    def outer(self) -> Level:
        """All resources as those of one stack."""
        level = Level(self.recorded)
        if self.flat is not None:
            level.template, level.rows = self.flat.template, self.flat.rows
        return level

    def literal(self, value: Any) -> Any:
        """A value with what its references yield. Raises ValueError for one that the record does not have."""
        if isinstance(value, list):
            return [self.literal(item) for item in value]
        if not isinstance(value, dict):
            return value
        ((name, argument), *others) = value.items() or [("", None)]
        steps = argument if isinstance(argument, list) else [argument]
        name_asked = steps[0] if steps and isinstance(steps[0], str) else ""
        if self.has_first_functions and (name == "Fn::GetAtt" or name_asked in self.own):
            name = FIRST.get(name, name)
        if others or name not in ("get_resource", "get_attr"):
            return {key: self.literal(item) for key, item in value.items()}
        if name_asked not in self.rows and "condition" in (self.own.get(name_asked) or {}):
            return None  # it is not there, and neither is what refers to it
        target, row = self.names.get(name_asked), self.rows.get(name_asked) or {}
        if target is not None and not isinstance(target, str):
            return self._of_stack(name, name_asked, target, steps[1:])
        drawn = (row.get("resource_data") or {}).get(DRAWN.get(str(row.get("type")), ""))
        if drawn and (name == "get_resource" or steps[1:] == ["value"]):
            return drawn
        if name == "get_resource" and row.get("resource_id"):
            return row["resource_id"]
        if name == "get_attr" and row:
            return self._attribute(name_asked, str(row.get("type")), steps[1:])
        raise ValueError(f"what '{name}' yields of '{name_asked}' is not recorded")

    def _of_stack(self, call: str, name: str, target: Any, steps: Sequence[Any]) -> Any:
        """What a reference to a stack of its own yields."""
        try:
            if call == "get_resource" and not flattening.has_own_id(target):
                raise ValueError(f"it reads what '{name}' is in its own stack alone")
            value = flattening.reference(target) if call == "get_resource" else flattening.attribute(target, [*steps])
        except flattening.Unknown as why:
            raise ValueError(f"what '{call}' yields of '{name}' is not known: {why}") from None
        literal = self.outer().literal(value)
        if not self.is_outermost and "get_param" in flattening.keys(literal):
            raise ValueError(f"what '{call}' yields of '{name}' depends on a parameter of the outermost stack")
        return literal

    def _attribute(self, name: str, kind: str, steps: Sequence[Any]) -> Any:
        """What an attribute of a resource yields: as it is recorded, or as the template gives it."""
        if kind.startswith(_OWN) and kind not in _PLAIN:
            raise ValueError(f"it reads what '{name}' is in its own stack alone")
        try:
            computed = str(steps[0]) in _OF_NAMES.get(kind, ()) if steps else False
            if not computed and name in self.attributes and all(isinstance(step, (str, int)) for step in steps):
                if not _SECRET.isdisjoint(map(str, steps)):
                    raise ValueError(f"what it reads of '{name}' is secret")
                shown = self.attributes[name]
                shown = {key: value for key, value in {**_addresses(shown), **shown}.items() if key not in _SECRET}
                return flattening.within(shown, [*steps])
            properties = (self.own.get(name) or {}).get("properties") or {}
            setting = _SAME.get(kind, {}).get(str(steps[0])) if steps else None
            if setting in properties and (setting != "fixed_ips" or steps[2:] == ["ip_address"]):
                return flattening.within(self.literal(properties[setting]), [*steps[1:]])
        except flattening.Unknown:
            pass
        raise ValueError(f"what 'get_attr' yields of '{name}' is not recorded: give it with its attributes")


def _addresses(shown: Mapping[str, Any]) -> Json:
    """What Heat makes of the addresses that Nova shows of a server (nova/server.py, ``_resolve_any_attribute``)."""
    addresses = shown.get("addresses")
    if not isinstance(addresses, dict) or not all(isinstance(rows, list) for rows in addresses.values()):
        return {}
    networks = {
        net: [row.get("addr") if isinstance(row, dict) else row for row in rows] for net, rows in addresses.items()
    }
    first = next((rows[0] for _, rows in sorted(networks.items(), reverse=True) if rows), "")
    return {"networks": networks, "first_address": first}
