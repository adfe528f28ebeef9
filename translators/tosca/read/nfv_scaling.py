"""How many machines a network function has (ETSI GS NFV-SOL 001, 6.10; ETSI GS NFV-IFA 011, 7.1.6 and 7.1.10).

At scale level 0 there are as many as the initial delta says; each step of an aspect adds what its delta says. An
instantiation level gives the number to begin with: for a machine itself, else by the scale level of each aspect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple, dataclass, field
from bpconvert.models.topology import Node
from bpconvert.translators.support.places import entries, inside, items
from bpconvert.translators.tosca.read.written_policies import Policy

_NFV: Final = "tosca.policies.nfv."
ASPECTS: Final = f"{_NFV}ScalingAspects"
DELTAS: Final = f"{_NFV}VduScalingAspectDeltas"
INITIAL: Final = f"{_NFV}VduInitialDelta"
LEVELS: Final = f"{_NFV}InstantiationLevels"
VDU_LEVELS: Final = f"{_NFV}VduInstantiationLevels"
#: types of policies that are read here
TYPES: Final = (ASPECTS, DELTAS, INITIAL, LEVELS, VDU_LEVELS)
_NUMBER: Final = "number_of_instances"
_NO_MACHINE: Final = "none of its targets is a machine that the template creates"
_COMPUTED: Final = "its numbers are computed"


class Aspect(NamedTuple):
    """What is scaled together. ``most``: the greatest scale level; ``steps``: the delta of each step, or of all."""

    name: str
    most: int
    steps: list[str]


@dataclass(eq=False, repr=False)
class Machine:
    """The numbers of one machine. ``steps``: aspect -> what each step adds, one number where it is always the same;
    ``at``: instantiation level -> the number it gives; ``path``: the policy that has the last word about limits."""

    name: str
    initial: int
    steps: dict[str, list[int]] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    path: Path = ()


class Contradiction(NamedTuple):
    """A level whose number of a machine is out of the limits. ``made``: the number that it is."""

    level: str
    machine: str
    given: int
    made: int
    path: Path


@dataclass(eq=False, repr=False)
class Unit:
    """Machines that are scaled together, by the same numbers. ``numbers``: level -> how many; ``steps``: aspect -> how
    many a step adds, None where that differs."""

    members: list[str]
    least: int
    most: int
    numbers: dict[str, int]
    steps: dict[str, int | None]
    path: Path


class Plan:
    """What the policies of a template say about numbers. ``levels``: the names of the instantiation levels;
    ``default``: that of the usual one, "" for none; ``path``: where they are given; ``why``: place of a policy -> why
    it has no effect, "" where it has; ``idle``: aspects that scale nothing, of policies with others, by their place;
    ``telling``: places of what is for readers, with the name of what it is about;
    ``contradictions``: what cannot be as it is given."""

    def __init__(self, policies: Sequence[Policy], nodes: Mapping[str, Node]) -> None:
        self.why: dict[Path, str] = {}
        self.contradictions: list[Contradiction] = []
        self._nodes = nodes
        self.idle: dict[Path, tuple[str, str]] = {}
        self.telling: dict[Path, str] = {}
        self._rows = {type: [policy for policy in policies if type in policy.ancestry] for type in TYPES}
        self._aspects = self._read_aspects()
        self._machines: dict[str, Machine] = {}
        self._read_initial()
        self._read_deltas()
        self._note_idle()
        self._scale_levels: dict[str, Mapping[Any, Any]] = {}
        self.levels: list[str] = []
        self.default = ""
        self.path: Path = ()
        self._read_levels()
        self._read_numbers()

    def units(self) -> list[Unit]:
        """The machines by what they are scaled with, each with its numbers."""
        units: dict[Any, Unit] = {}
        for machine in self._machines.values():
            limits = machine.initial, self._number(machine, {name: self._aspects[name].most for name in machine.steps})
            numbers = {level: self._at(machine, level, limits) for level in self.levels}
            sizes = {name: steps[0] if len(set(steps)) == 1 else None for name, steps in machine.steps.items()}
            alone = machine.name if not machine.steps else ""
            key = (
                alone,
                limits,
                tuple(numbers.items()),
                tuple((name, tuple(row)) for name, row in machine.steps.items()),
            )
            unit = units.setdefault(key, Unit([], *limits, numbers, sizes, machine.path))
            unit.members.append(machine.name)
        return list(units.values())

    # -- what is given ----------------------------------------------------------------------------------------

    def _read_aspects(self) -> dict[str, Aspect]:
        aspects: dict[str, Aspect] = {}
        for policy in self._rows[ASPECTS]:
            self.why[policy.path] = "nothing is scaled by its aspects"
            for name, row in entries(policy.properties, "aspects").items():
                most = inside(row, ("max_scale_level",))
                steps = [delta for delta in items(inside(row, ("step_deltas",))) if isinstance(delta, str)]
                if _is_number(most) and len(steps) in (0, 1, most):
                    aspects[str(name)] = Aspect(str(name), most, steps)
        return aspects

    def _targets(self, policy: Policy) -> list[str]:
        """The machines that a policy is about; where it is about none, that is why it has no effect."""
        nodes = [self._nodes.get(name) for name in policy.targets]
        machines = [node.name for node in nodes if node is not None and node.kind == "server" and not node.exists]
        self.why[policy.path] = "" if machines else _NO_MACHINE
        return machines

    def _read_initial(self) -> None:
        for policy in self._rows[INITIAL]:
            number = inside(policy.properties, ("initial_delta", _NUMBER))
            for name in self._targets(policy):
                if _is_number(number):
                    self._machines[name] = Machine(name, number, path=policy.path)
                else:
                    self.why[policy.path] = _COMPUTED

    def _machine(self, name: str, path: Path) -> Machine:
        """The numbers of a machine, which without an initial delta begin with the least that its profile allows."""
        allowed = profile(self._nodes[name])
        return self._machines.setdefault(name, Machine(name, 1 if allowed is None else allowed[0], path=path))

    def _read_deltas(self) -> None:
        for policy in self._rows[DELTAS]:
            targets = self._targets(policy)
            aspect = self._aspects.get(str(policy.properties.get("aspect")))
            if aspect is None:
                self.why[policy.path] = f"there is no aspect '{policy.properties.get('aspect')}' with its steps"
                continue
            deltas = entries(policy.properties, "deltas")
            wanted = aspect.steps or list(deltas)[:1]
            lacking = next((delta for delta in wanted if delta not in deltas), None)
            sizes = [inside(deltas.get(delta), (_NUMBER,)) for delta in wanted]
            if lacking is not None or not wanted:
                self.why[policy.path] = f"it has no delta '{lacking or ''}', by which aspect '{aspect.name}' is scaled"
            elif not all(map(_is_number, sizes)):
                self.why[policy.path] = _COMPUTED
            else:
                for name in targets:
                    machine = self._machine(name, policy.path)
                    machine.steps[aspect.name], machine.path = sizes, policy.path

    def _note_idle(self) -> None:
        used = {name for machine in self._machines.values() for name in machine.steps}
        for policy in self._rows[ASPECTS]:
            names = entries(policy.properties, "aspects")
            if used & set(names):
                self.why[policy.path] = ""
                place = (*policy.path, "properties", "aspects")
                self.idle |= {(*place, name): (str(name), policy.name) for name in names if name not in used}
                self._note_telling(policy, "aspects", [name for name in names if name in used])

    def _note_telling(self, policy: Policy, section: str, names: Iterable[Any]) -> None:
        """Note what informs people about entries of a policy."""
        for name in names:
            row = entries(policy.properties, section)[name]
            for key in row.keys() & {"name", "description"} if isinstance(row, dict) else ():
                place: Path = (*policy.path, "properties", section, name, key)
                self.telling[place] = str(name)

    # -- instantiation levels ---------------------------------------------------------------------------------

    def _read_levels(self) -> None:
        for policy in self._rows[LEVELS]:
            self.why[policy.path], self.path = "", policy.path
            for name, row in entries(policy.properties, "levels").items():
                self._scale_levels[str(name)] = {
                    aspect: inside(entry, ("scale_level",))
                    for aspect, entry in entries(row if isinstance(row, dict) else {}, "scale_info").items()
                }
            self._note_telling(policy, "levels", entries(policy.properties, "levels"))
            default = policy.properties.get("default_level")
            if isinstance(default, str) and default in self._scale_levels:
                self.default = default
        self.levels = list(self._scale_levels)
        for policy in self._rows[VDU_LEVELS] if not self.path else ():
            self.path = policy.path
            self.levels += [str(name) for name in entries(policy.properties, "levels") if name not in self.levels]
        if len(self.levels) == 1:
            self.default = self.levels[0]

    def _read_numbers(self) -> None:
        for policy in self._rows[VDU_LEVELS]:
            for name in self._targets(policy):
                for level, row in entries(policy.properties, "levels").items():
                    number = inside(row, (_NUMBER,))
                    if _is_number(number):
                        self._machine(name, policy.path).at[str(level)] = number
                    else:
                        self.why[policy.path] = _COMPUTED

    # -- what follows -----------------------------------------------------------------------------------------

    def _number(self, machine: Machine, scale: Mapping[str, int]) -> int:
        """How many there are at a scale level of each aspect."""
        return machine.initial + sum(_after(steps, scale.get(name, 0)) for name, steps in machine.steps.items())

    def _at(self, machine: Machine, level: str, limits: tuple[int, int]) -> int:
        scale = self._scale_levels.get(level, {})
        scales = {name: scale[name] for name in machine.steps if _is_number(scale.get(name))}
        number = machine.at.get(level, self._number(machine, scales))
        if not machine.steps:
            return number
        allowed = min(max(number, limits[0]), limits[1])
        if number != allowed:
            self.contradictions.append(Contradiction(level, machine.name, number, allowed, machine.path))
        return allowed


def profile(machine: Node) -> tuple[int, int] | None:
    """The least and the greatest number that the profile of a machine allows; None where it does not say both."""
    profile_given = machine.declared.get("vdu_profile")
    least, most = (inside(profile_given, (f"{end}_number_of_instances",)) for end in ("min", "max"))
    return (least, most) if _is_number(least) and _is_number(most) and least <= most else None


def _after(steps: list[int], level: int) -> int:
    return steps[0] * level if len(steps) == 1 else sum(steps[:level])


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def usual(plan: Plan, units: Iterable[Unit]) -> str:
    """The level that is taken where no other one is asked for: the usual one, else one at which there are as few
    machines as there can be; "" for none."""
    if plan.default:
        return plan.default
    rows = list(units)
    return next((level for level in plan.levels if all(row.numbers[level] == row.least for row in rows)), "")


def count(unit: Unit) -> Value:
    """The number of a unit that is the same at each level; MISSING where it is not."""
    numbers = set(unit.numbers.values()) or {unit.least}
    return numbers.pop() if len(numbers) == 1 else MISSING
