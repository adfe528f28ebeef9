"""The machines of a network function in their numbers: groups, what scales them, and the level that they begin with."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Constraint, Input, Topology
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.read import tacker
from bpconvert.translators.tosca.read.nfv_scaling import Plan, Unit, count, profile, usual
from bpconvert.translators.tosca.read.policy_nodes import Added
from bpconvert.translators.tosca.read.scaling import Scaled

#: name of the input for the level (ETSI GS NFV-SOL 003, ``InstantiateVnfRequest``: ``instantiationLevelId``)
_LEVEL: Final = "instantiation_level"


def scaled(plan: Plan, topology: Topology, added: Added, findings: Reports, by_tacker: bool) -> list[Scaled]:
    """The nodes of which there are several by ``plan``, with the policies that change their number. Numbers that differ
    from one instantiation level to another are chosen by an input; what contradicts itself is reported. ``by_tacker``:
    it gives the number of each machine, which then is scaled by itself."""
    units = plan.units()
    if by_tacker:
        units = [replace(unit, members=[name]) for unit in units for name in unit.members]
    for contradiction in plan.contradictions:
        texts = {
            "node": contradiction.machine,
            "given": contradiction.given,
            "by": f"level '{contradiction.level}'",
            "made": contradiction.made,
        }
        findings.report("BPC888", contradiction.path, **texts, other="its scaling aspects")
    for path, (aspect, policy) in plan.idle.items():
        findings.report("BPC810", path, name=aspect, node=policy, why=": nothing is scaled by it")
    for path, name in plan.telling.items():
        findings.report("BPC147", path, what=f"'{path[-1]}' of '{name}'", why="it is for readers")
    differ = not by_tacker and any(count(unit) is MISSING for unit in units)
    level = _level(plan, units, topology, findings) if differ else ""
    groups_scaled = []
    for unit in units:
        for name in unit.members:
            _overrule(topology, name, unit, findings)
        number = count(unit)
        if (unit.least, unit.most, number) == (1, 1, 1):
            continue
        aspects = list(unit.steps)
        alone = len(aspects) == 1 and sum(aspects[0] in each.steps for each in units) == 1
        name = aspects[0] if alone and not by_tacker else f"{unit.members[0]}_group"
        name = f"{name}_group" if name in topology.nodes else name
        limits = (unit.least, unit.most) if unit.least < unit.most else (MISSING, MISSING)
        if by_tacker and (number is MISSING or unit.least < unit.most):
            number = tacker.capacity(topology, unit.members[0], unit.path, findings)
        number = _chosen(plan, units, unit, level) if number is MISSING else number
        group = Scaled(name, unit.members, number, limits, unit.path)
        groups_scaled.append(group)
        for aspect in aspects:
            _steps(added, unit, group, aspect, [each for each in units if aspect in each.steps], findings)
    return groups_scaled


def _steps(added: Added, unit: Unit, group: Scaled, aspect: str, units: list[Unit], findings: Reports) -> None:
    """What scales a unit by an aspect, which scales all ``units``."""
    step, names = unit.steps[aspect], ", ".join(unit.members)
    if step is None:
        findings.report("BPC890", unit.path, aspect=aspect, nodes=names)
    elif step and unit.least < unit.most:
        name = aspect if len(units) == 1 else f"{aspect}_{unit.members[0]}"
        added.steps(name, group, step, unit.path, {}, called=aspect)
    if len(units) > 1 and unit is units[0]:
        findings.report(
            "BPC889", unit.path, aspect=aspect, nodes=", ".join(name for each in units for name in each.members)
        )


def _overrule(topology: Topology, name: str, unit: Unit, findings: Reports) -> None:
    """Take back the numbers that the profile of a machine gives, where policies give it others."""
    node = topology.nodes[name]
    allowed, numbers = profile(node), [unit.least, unit.most, *unit.numbers.values()]
    if allowed is not None and not (allowed[0] <= min(numbers) and max(numbers) <= allowed[1]):
        profiled, wanted = (_words(*pair) for pair in (allowed, (min(numbers), max(numbers))))
        texts = {"node": name, "given": profiled, "by": "its profile", "made": wanted, "other": "its policies"}
        findings.report("BPC888", unit.path, **texts)
    node.instances, node.limits = MISSING, (MISSING, MISSING)
    node.origins.pop(("instances",), None)


def _words(least: int, most: int) -> str:
    return f"{least}" if least == most else f"{least} to {most}"


# -- levels ---------------------------------------------------------------------------------------------------


def _level(plan: Plan, units: list[Unit], topology: Topology, findings: Reports) -> str:
    """The input for the instantiation level."""
    path = plan.path
    name = fresh(_LEVEL, topology.inputs)
    first = usual(plan, units) or MISSING
    level_input = Input(name, "string", first, description="level to begin with", path=path, added=True)
    level_input.constraints.append(Constraint("allowed_values", list(plan.levels), path=path))
    topology.inputs[name] = level_input
    findings.report("BPC891", path, input=name, levels=", ".join(plan.levels))
    return name


def _chosen(plan: Plan, units: list[Unit], unit: Unit, level: str) -> Value:
    """The number of a unit at the level that is asked for."""
    others = unit.numbers[usual(plan, units) or plan.levels[-1]]
    number: Value = others
    for name in reversed(plan.levels):
        if unit.numbers[name] != others:
            same = ex.Equals(ex.Input(level, path=plan.path), name, path=plan.path)
            number = ex.If(same, unit.numbers[name], number, path=plan.path)
    return number
