"""Policies: placement is a group of servers, scaling a number of nodes. Everything else is for an orchestrator.

The standard's own policy types have no properties (Simple Profile 1.3, 5.11): everybody derives types from them, whose
properties are known here by the names of the types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.places import exists
from bpconvert.translators.tosca.read import counts, nfv_groups, nfv_scaling, scaling, security, tacker
from bpconvert.translators.tosca.read.alarms import Alarms
from bpconvert.translators.tosca.read.policy_nodes import Added
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.sizes import number
from bpconvert.translators.tosca.read.types import Types
from bpconvert.translators.tosca.read.written_policies import Policy, PolicyReader
from bpconvert.translators.tosca.vocabulary import SCALING_POLICY, SERVER_GROUP_POLICY

_SERVER_GROUP: Final = "OS::Nova::ServerGroup"
_AFFINITY: Final = "affinity"
_APART: Final = "anti-affinity"
_SOFT: Final = "soft-"
#: by how much a policy changes a number, and how long it waits until it does so again
_INCREMENT: Final = "increment"
_COOLDOWN: Final = "cooldown"
#: what the scope of a rule is called where it is the host
_HOST_SCOPES: Final = ("nfvi_node", "host", "")


class Policies:
    """The policies of one service template."""

    def __init__(
        self, topology: Topology, template: tosca.ServiceTemplate, types: Types, reading: Reading, catalogue: Catalogue
    ) -> None:
        self.topology = topology
        self.template = template
        self.reading = reading
        self.added = Added(topology, catalogue)
        self.scaled: list[scaling.Scaled] = []
        self._reader = PolicyReader(template, types, reading)
        self._written = self._reader.policies()
        self.plan = nfv_scaling.Plan(self._written, topology.nodes)

    def apply(self) -> None:
        """Let the nodes of the topology be what the policies want; report what no policy can be here."""
        for policy in self._written:
            handlers = (_HANDLERS[type] for type in policy.ancestry if type in _HANDLERS)
            why = next(handlers, _monitoring if policy.triggers else _unknown)(self, policy)
            if policy.ancestry[0] == _PLACEMENT and not policy.properties:
                self._report("BPC836", policy.path, name=policy.name)
            elif why:
                self._report("BPC835", policy.path, name=policy.name, type=policy.ancestry[0], why=why)
        by_tacker = self.reading.files.orchestrator == tacker.NAME and not self.reading.files.inner
        self.scaled += nfv_groups.scaled(self.plan, self.topology, self.added, self.reading.findings, by_tacker)
        alarms = Alarms(self.topology, self.added, self.reading)
        for policy in self._written:
            alarms.add(policy, [group for group in self.scaled if group.policies])
        counts.settle_software(self.topology, self.reading)
        scaling.assign_counts(self.topology, self.scaled, self.reading.findings, always=by_tacker)
        for name in self.template.groups:
            if name not in self._reader.used:
                self._report("BPC836", ("groups", name), name=name)

    def _report(self, code: str, path: Path, **texts: Any) -> None:
        self.reading.findings.report(code, path, **texts)

    def _targets(self, policy: Policy, kind: str = "") -> list[Node]:
        """The targets of a policy that the template creates, of one kind or of any that is known."""
        nodes = [self.topology.nodes[name] for name in policy.targets if name in self.topology.nodes]
        return [node for node in nodes if node.kind is not None and kind in ("", node.kind) and not node.exists]

    def _report_others(self, policy: Policy, nodes: list[Node]) -> None:
        """Report the targets of a policy that are not among the nodes for which it has its effect."""
        for name in policy.targets:
            if name not in [node.name for node in nodes]:
                self._report("BPC840", (*policy.path, "targets"), name=name, policy=policy.name)

    # -- what they become -------------------------------------------------------------------------------------

    def place(self, policy: Policy, properties: dict[str, Value]) -> str:
        """Put the servers that are targets of a policy into a server group; returns why that cannot be."""
        servers = self._targets(policy, "server")
        if not servers:
            return "none of its targets is a server that the template creates"
        self._report_others(policy, servers)
        group = self.added.node(policy.name, _SERVER_GROUP, properties, policy.path, servers[0].name)
        for node in servers:
            hints = node.properties.get("scheduler_hints") or {}
            if not isinstance(hints, dict) or "group" in hints:
                self._report("BPC840", (*policy.path, "targets"), name=node.name, policy=policy.name)
                continue
            place = (*policy.path, "targets")
            node.properties["scheduler_hints"] = {**hints, "group": ex.Identity(group.name, path=place)}
            node.origins["scheduler_hints", "group"] = place
        return ""

    def guard(self, policy: Policy) -> str:
        """Let a rule decide what reaches the ports that are targets of a policy; returns why that cannot be."""
        ports = self._targets(policy, "port")
        if not ports:
            return "none of its targets is a port that the template creates"
        rule = security.policy_rule(policy.properties)
        if rule is None or any(isinstance(port.properties.get("security_groups"), ex.Expr) for port in ports):
            return "what it needs to know is computed"
        group = self.added.node(policy.name, security.GROUP, {"rules": [rule]}, policy.path, ports[0].name)
        group.origins["rules",] = (*policy.path, "properties")
        self._report_others(policy, ports)
        for port in ports:
            security.add_group(port, group, (*policy.path, "targets"))
        return ""

    def scale(self, policy: Policy, sizes: Mapping[str, Value], *, renames: bool = False) -> str:
        """Let there be several of the nodes that are targets of a policy; returns why that cannot be. ``sizes``:
        ``least``, ``most``, ``count``; ``renames``: a single node gets the policy's name."""
        nodes = self._targets(policy)
        if not nodes:
            return "none of its targets is a resource that the template creates"
        numbers = {key: number(size) for key, size in sizes.items()}
        if None in numbers.values():
            return "its numbers are no whole numbers"
        least, most = numbers.get("least", MISSING), numbers.get("most", MISSING)
        count = numbers.get("count", least)
        if count is MISSING:
            return "it does not have their number"
        limits = (1 if least is MISSING else least, most) if most is not MISSING else (MISSING, MISSING)
        names = [node.name for node in nodes if self._has_no_other(node.name, count, limits)]
        if not names:
            return "another policy gives the number of its targets"
        for node in nodes:
            if node.name not in names:
                self._report("BPC840", (*policy.path, "targets"), name=node.name, policy=policy.name)
        group = scaling.Scaled(policy.name, names, count, limits, policy.path)
        group.policy, group.listed = policy.name, policy.ancestry[:1] == [SCALING_POLICY]
        group.renames = renames and policy.name not in self.topology.nodes
        self.scaled.append(group)
        step = policy.properties.get(_INCREMENT)
        if most is not MISSING and step is not None:
            self._steps(policy, group, step)
        for name in (_INCREMENT, _COOLDOWN) if not group.policies else ():
            place = (*policy.path, "properties", name)
            if exists(self.reading.combined.data, place) and (step is None or most is MISSING or name != _INCREMENT):
                why = "the number of its targets does not change by steps"
                self._report("BPC147", place, what=f"'{name}' of '{policy.name}'", why=why)
        return ""

    def _has_no_other(self, name: str, count: Value, limits: tuple[Value, Value]) -> bool:
        """False for a node that has another number by an earlier policy, or gets its name."""
        others = [group for group in self.scaled if name in group.members]
        return all((other.instances, other.limits) == (count, limits) and not other.renames for other in others)

    def _steps(self, policy: Policy, group: scaling.Scaled, step: Value) -> None:
        """What changes the number by ``step``, one policy for each direction."""
        if not isinstance(step, int) or isinstance(step, bool):
            self._report("BPC835", (*policy.path, "properties", _INCREMENT), name=policy.name,
                         type=policy.ancestry[0], why="its increment is computed")  # fmt: skip
            return
        properties = policy.properties
        more = {_COOLDOWN: properties[_COOLDOWN]} if _COOLDOWN in properties else {}
        self.added.steps(policy.name, group, step, policy.path, more)


#: (policies, policy) -> why it is carried, "" where it has its effect
_Handler = Callable[[Policies, Policy], str]


def _unknown(policies: Policies, policy: Policy) -> str:
    return "what it means is a matter of its orchestrator"


def _monitoring(policies: Policies, policy: Policy) -> str:
    """One that has triggers only: they are alarms, or reported as none."""
    return _unknown(policies, policy) if policy.properties.keys() - _FOR_READERS else ""


#: properties of a policy with triggers that inform people
_FOR_READERS: Final = frozenset({"name", "description", "vendor"})


def _grouped(policies: Policies, policy: Policy, strategy: Value) -> str:
    soft = policy.properties.get("strict") is False
    return policies.place(policy, {"name": policy.name, "policies": [f"{_SOFT}{strategy}" if soft else strategy]})


def _tacker(policies: Policies, policy: Policy) -> str:
    """``policy``: ``affinity`` (which is the default) or ``anti-affinity``, ``strict``."""
    strategy = policy.properties.get("policy", _AFFINITY)
    if strategy not in (_AFFINITY, _APART):
        return f"'{strategy}' is no strategy of placement"
    return _grouped(policies, policy, strategy)


def _rule(strategy: str, key: str, policies: Policies, policy: Policy) -> str:
    """A rule that holds for hosts; other scopes have no counterpart. ``key``: the property with the scope."""
    scope = policy.properties.get(key, "")
    if scope not in _HOST_SCOPES:
        return f"its {key} is '{scope}', and a server group knows hosts only"
    return _grouped(policies, policy, strategy)


#: the type that others are derived from: alone, it has no rule
_PLACEMENT: Final = "tosca.policies.Placement"


def _placement(policies: Policies, policy: Policy) -> str:
    if "policy" in policy.properties:
        return _tacker(policies, policy)
    return "it does not define whether its targets are to be together or apart"


_SIZES: Final = {"min_instances": "least", "max_instances": "most", "default_instances": "count"}


def _sizes(policy: Policy) -> dict[str, Value]:
    return {_SIZES[key]: value for key, value in policy.properties.items() if key in _SIZES}


def _scaling(policies: Policies, policy: Policy) -> str:
    sizes = _sizes(policy)
    if not sizes:
        nodes = [policies.topology.nodes.get(name) for name in policy.targets]
        return "" if nodes and all(node is not None and node.is_scaled for node in nodes) else "it has no numbers"
    return policies.scale(policy, sizes)


def _own_scaling(policies: Policies, policy: Policy) -> str:
    return policies.scale(policy, _sizes(policy), renames=True)


_HANDLERS: Final[dict[str, _Handler]] = {
    # our own type: the properties are those of the resource
    SERVER_GROUP_POLICY: lambda policies, policy: policies.place(policy, policy.properties),
    "tosca.policies.tacker.Placement": _tacker,
    "tosca.policies.nfv.AffinityRule": partial(_rule, _AFFINITY, "scope"),
    "tosca.policies.nfv.AntiAffinityRule": partial(_rule, _APART, "scope"),
    "org.alien4cloud.policies.Affinity": partial(_rule, _AFFINITY, "level"),
    "org.alien4cloud.policies.AntiAffinity": partial(_rule, _APART, "level"),
    "yorc.openstack.policies.ServerGroupAffinity": partial(_rule, _AFFINITY, "level"),
    "yorc.openstack.policies.ServerGroupAntiAffinity": partial(_rule, _APART, "level"),
    _PLACEMENT: _placement,
    "openstack.policies.AutoScalingGroup": _own_scaling,
    "openstack.policies.ResourceGroup": _own_scaling,
    "tosca.policies.Scaling": _scaling,
    "tosca.policies.tacker.Scaling": _scaling,
    "tosca.policies.Scaling.Cluster": _scaling,
    "tosca.policies.nfv.SecurityGroupRule": Policies.guard,
    # several policies give the numbers of machines together
    **dict.fromkeys(nfv_scaling.TYPES, lambda policies, policy: policies.plan.why.get(policy.path, "")),
}
