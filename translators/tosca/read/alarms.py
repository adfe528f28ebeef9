"""Triggers of policies as alarms of Aodh: what is measured of the machines of a group, and which scaling that signals.

Tacker and heat-translator write what is measured in the trigger (``metric``, ``condition`` with ``threshold``,
``granularity``, ``evaluations``, ``aggregation_method``, ``comparison_operator``, ``resource_type``); where it is left
out, the constraint has the number in words (``utilization greater_than 50%``). What is above the threshold scales out,
what is below scales in. The alarm is about the machines with the group's name in their metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Topology
from bpconvert.translators.support.places import entries, texts
from bpconvert.translators.tosca.read.policy_nodes import Added
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.scaling import Scaled
from bpconvert.translators.tosca.read.written_policies import Policy

_ALARM: Final = "OS::Aodh::GnocchiAggregationByResourcesAlarm"
#: words of a constraint -> the operator
_WORDS: Final = {"greater_than": "gt", "greater_or_equal": "ge", "less_than": "lt", "less_or_equal": "le"}
_CONSTRAINT: Final = re.compile(rf"\s*\w+\s+({'|'.join(_WORDS)})\s+([0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)\s*%?\s*")
#: operators -> which of the two policies of a group they signal: out or in
_DIRECTIONS: Final = {"gt": 0, "ge": 0, "lt": 1, "le": 1}
#: key of a condition -> property of the alarm
_NUMBERS: Final = {"granularity": "granularity", "evaluations": "evaluation_periods"}
_TEXTS: Final = {"aggregation_method": "aggregation_method", "resource_type": "resource_type"}
#: the key of a server's metadata that Ceilometer keeps with what it measures, as Tacker has it
_METADATA: Final = "metering.server_group"
_SERVER_GROUP: Final = "server_group"


class _Measured(NamedTuple):
    """What a trigger measures: the properties of its alarm, and the scaling that it signals."""

    properties: dict[str, Value]
    direction: int


class Alarms:
    """Adds the alarms of one service template."""

    def __init__(self, topology: Topology, added: Added, reading: Reading) -> None:
        self.topology = topology
        self.added = added
        self.reading = reading

    def add(self, policy: Policy, scaled: Sequence[Scaled]) -> None:
        """Make alarms of the triggers of a policy; those that cannot be are reported."""
        for name, trigger in policy.triggers.items():
            path = (*policy.path, "triggers", name)
            measured = _measured(trigger)
            signalled = [group for group in _signalled(policy, trigger, scaled) if len(group.policies) == 2]
            why = "it does not define what is measured" if measured is None else ""
            why = why or ("" if signalled else "it does not name what scales")
            if why or measured is None:
                self._report("BPC839", path, name=name, policy=policy.name, why=f": {why}")
                continue
            self._alarm(name, policy, measured, signalled, path)

    def _alarm(self, name: Any, policy: Policy, measured: _Measured, signalled: list[Scaled], path: Path) -> None:
        properties = dict(measured.properties)
        signals = [group.policies[measured.direction] for group in signalled]
        properties["alarm_actions"] = [
            ex.Concat(("trust+", ex.Attribute(node.name, "signal_url", path=path)), path=path) for node in signals
        ]
        group = self._group(signalled, policy.triggers[name], path)
        properties["query"] = _query(group, path)
        node = self.added.node(str(name), _ALARM, properties, path)
        node.trigger = (str(name), policy.name)
        self._report("BPC869", path, name=name, policy=policy.name, metric=properties["metric"])

    def _group(self, signalled: list[Scaled], trigger: Any, path: Path) -> Value:
        """What the metadata of the machines call their group: what the template calls it, else the deployment's id."""
        servers = [
            self.topology.nodes[name] for group in signalled for name in group.members if name in self.topology.nodes
        ]
        servers = [node for node in servers if node.kind == "server"]
        names_in_metadata = [entries(node.properties, "metadata").get(_METADATA) for node in servers]
        name_in_trigger = entries({"": trigger}, "").get("metadata")
        group_name = next(
            (candidate for candidate in (*names_in_metadata, name_in_trigger) if isinstance(candidate, str)), None
        )
        group: Value = ex.System("deployment.id", path=path) if group_name is None else group_name
        for node in servers:
            metadata = node.properties.get("metadata") or {}
            if isinstance(metadata, dict) and _METADATA not in metadata:
                node.properties["metadata"] = {**metadata, _METADATA: group}
                node.origins["metadata", _METADATA] = path
        return group

    def _report(self, code: str, path: Path, **texts: Any) -> None:
        self.reading.findings.report(code, path, **texts)


def _measured(trigger: Any) -> _Measured | None:
    """What a trigger measures; None where that is not all known."""
    condition, event = entries({"": trigger}, "").get("condition"), _event(trigger)
    if not isinstance(condition, dict):
        return None
    words = _CONSTRAINT.fullmatch(str(condition.get("constraint", "")))
    operator = condition.get("comparison_operator") or (_WORDS[words[1]] if words else None)
    threshold = condition.get("threshold", float(words[2]) if words else None)
    metric = trigger.get("metric") or trigger.get("meter_name") or event.get("metric") or condition.get("metric")
    if (
        not isinstance(operator, str)
        or operator not in _DIRECTIONS
        or not isinstance(metric, str)
        or not _is_number(threshold)
    ):
        return None
    properties: dict[str, Value] = {"metric": metric}
    if isinstance(condition.get("constraint"), str):
        properties["description"] = condition["constraint"]
    properties |= {mine: condition[key] for key, mine in _NUMBERS.items() if _is_number(condition.get(key))}
    properties |= {mine: condition[key] for key, mine in _TEXTS.items() if isinstance(condition.get(key), str)}
    threshold = int(threshold) if isinstance(threshold, float) and threshold.is_integer() else threshold
    properties |= {"threshold": threshold, "comparison_operator": operator}
    properties.setdefault("resource_type", "instance")
    return _Measured(properties, _DIRECTIONS[operator])


def _query(group: Value, path: Path) -> Value:
    """What Gnocchi looks for: the machines of a group."""
    if isinstance(group, str):
        return json.dumps({"=": {_SERVER_GROUP: group}})
    begin, _, end = json.dumps({"=": {_SERVER_GROUP: "|"}}).partition("|")
    return ex.Concat((begin, group, end), path=path)


def _event(trigger: Any) -> Mapping[Any, Any]:
    """The event that a trigger names, as a map."""
    row = entries({"": trigger}, "")
    return entries(row, "event_type") or entries(row, "event")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _signalled(policy: Policy, trigger: Any, scaled: Sequence[Scaled]) -> Iterator[Scaled]:
    """The groups that a trigger scales: those of the policies that it names, of its own policy, else the only one."""
    names = set(texts(entries({"": trigger}, "").get("action")))
    own = [group for group in scaled if group.policy in names] or [
        group for group in scaled if group.policy == policy.name
    ]
    yield from own or (scaled if len(scaled) == 1 else ())
