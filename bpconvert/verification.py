"""Do two documents mean the same? Both are computed under the same inputs and runtime values, and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bpconvert.api import dialect_of, read
from bpconvert.codes import CODES
from bpconvert.diagnostics import Diagnostic, Fidelity, Reporter, Span
from bpconvert.engines.client import Engine
from bpconvert.files import Files
from bpconvert.models.expressions import MISSING, is_constant
from bpconvert.options import Options
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.specialise import given_value
from bpconvert.translators.types import catalogue
from bpconvert.translators.verify import draws as drawing
from bpconvert.translators.verify.compare import Found, compare, paired
from bpconvert.translators.verify.natively import Refusal, filled
from bpconvert.translators.verify.parts import Deployment, deployment
from bpconvert.translators.verify.side import REFUSED, Side, World
from bpconvert.translators.verify.told import Told


class Difference(NamedTuple):
    """A place where two documents differ.

    ``what`` names it (``server.flavor``, ``outputs.ip``); ``first`` and ``second`` are the values (MISSING: there is
    none) at their places; ``inputs``: those under which they differ; ``told``: codes of the diagnostics of a conversion
    that named the place."""

    what: str
    first: Any
    second: Any
    first_place: Span
    second_place: Span
    inputs: dict[str, Any]
    told: tuple[str, ...] = ()

    @property
    def is_reported(self) -> bool:
        """True where a diagnostic says that the values are not the same."""
        return any(Fidelity[CODES[code].fidelity.upper()] >= Fidelity.APPROXIMATED for code in self.told)


@dataclass
class Verification:
    """``compared``: how many values, all draws together; ``equal``: those of them that are; ``reported``: those that
    are not, where a diagnostic says that they are not the same; ``reworded``: where a diagnostic says that they mean
    the same in another form; ``differences``: one for each place; ``notes``: what could not be compared."""

    compared: int = 0
    equal: int = 0
    reported: int = 0
    reworded: int = 0
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: code -> how many values it is said of
    codes: Counter[str] = field(default_factory=Counter)

    @property
    def is_same(self) -> bool:
        """True when no difference was found."""
        return not self.differences


def verify(
    first: str | bytes | Path,
    second: str | bytes | Path,
    *,
    inputs: Mapping[str, Any] | None = None,
    draws: int = 5,
    seed: int | str = 0,
    engines: bool | Mapping[str, Engine] = False,
    told: Sequence[Diagnostic] = (),
    options: Options | None = None,
) -> Verification:
    """Compare what two documents of any dialects mean: nodes with their properties and dependencies, and outputs.

    Args:
        first, second: as for :func:`bpconvert.convert`.
        inputs: parameters and inputs that are given; the others have their defaults at first, then drawn values.
        draws: how many times values are drawn.
        seed: the same one draws the same values.
        engines: the real engines compute the values (extra ``engines``); running ones, by the names of dialects, are
            used and stay open.
        told: diagnostics of the conversion of ``first`` to ``second``; a difference says which of them named its place.
        options: ``allow_outside``, ``types`` and ``environments`` count.

    Raises:
        SourceError, OSError: as :func:`bpconvert.convert`.
        EngineMissing, EngineFailed: with ``engines``, an engine is not installed or does not start.
        ValueError: an input does not take the value given.
    """
    chosen = options or Options()
    sides = (_side(first, chosen), _side(second, chosen))
    result = Verification()
    naming = Told(told, sides[0])
    seen: dict[tuple[Any, ...], Difference] = {}
    with ExitStack() as stack:
        running: Mapping[str, Engine] = {}
        if engines:
            names = {"hot": "heat", "cloudify": "cloudify"}
            running = (
                engines
                if not isinstance(engines, bool)
                else {dialect: stack.enter_context(Engine(name)) for dialect, name in names.items()}
            )
        for number in range(draws + 1):
            world = _world(sides, inputs or {}, f"{seed}.{number}", defaults=number == 0)
            both = _deployments(sides, world)
            if running:
                found_both = _native(sides, world, running, result)
                if found_both is None:
                    continue
                both = found_both
            for found in compare(*both):
                if found.first is REFUSED:
                    continue
                result.compared += 1
                if found.is_equal:
                    result.equal += 1
                    continue
                if found.steps not in seen:
                    seen[found.steps] = _difference(found, sides, world, naming)
                one = seen[found.steps]
                result.reported += one.is_reported
                result.reworded += bool(one.told) and not one.is_reported
                result.codes.update(one.told)
    result.differences = list(seen.values())
    return result


def drawn_inputs(source: str | bytes | Path, seed: str, *, defaults: bool = False) -> dict[str, Any]:
    """A value for each input of a document, as :func:`verify` draws it. ``defaults``: inputs that have a default have
    that value. The errors are those of :func:`bpconvert.convert`."""
    side = _side(source, Options())
    values = _world((side,), {}, seed, defaults=defaults).inputs
    given = {n: d.default for n, d in side.topology.inputs.items() if d.default is not MISSING}
    return {name: value for name, value in {**given, **values}.items() if is_constant(value)}


def _native(
    sides: tuple[Side, Side], world: World, engines: Mapping[str, Engine], result: Verification
) -> tuple[Deployment, Deployment] | None:
    """What the engines say that both deploy; None where one refuses a document."""
    made = [filled(side, engines[side.topology.dialect]) for side in sides]
    deployments = []
    for side, one in zip(sides, made, strict=True):
        if isinstance(one, Refusal):
            result.notes.append(f"{side.document.name} is refused: {one.text}")
        else:
            one.enter(world)
            deployments.append(deployment(one))
    return (deployments[0], deployments[1]) if len(deployments) == 2 else None


def _side(source: str | bytes | Path, options: Options) -> Side:
    """A document, read and lifted."""
    document = read(source)
    folder = Path(document.name).parent if isinstance(source, Path) or "\n" not in str(source) else None
    files = Files(folder, options.allow_outside)
    types = catalogue(options.types)
    topology = DIALECTS[dialect_of(document)].lift()(document, types, Reporter(document), files)
    return Side(document, topology, types, files)


def _deployments(sides: tuple[Side, Side], world: World) -> tuple[Deployment, Deployment]:
    """What both deploy under ``world``, with the same names for nodes that correspond."""
    sides[1].names = {}
    for _ in range(2):
        for side in sides:
            side.enter(world)
        found = deployment(sides[0]), deployment(sides[1])
        pairs = [(one.name, other.node.name) for one, other in paired(found[0].parts, found[1].parts) if one and other]
        names = {other: one for one, other in pairs if one != other}
        if names == sides[1].names:
            break
        sides[1].names = names
    return found


def _world(sides: Sequence[Side], given: Mapping[str, Any], seed: str, *, defaults: bool) -> World:
    """Inputs and attributes: those given, and drawn ones. ``defaults``: inputs that have a default keep it."""
    world = World(seed)
    values = [value for side in sides for value in side.expressions()]
    shapes, candidates = drawing.asked(values), drawing.compared(values)
    world.shapes = drawing.attributes(values)
    for side in sides:
        for name, declared in side.topology.inputs.items():
            if name in given and name not in world.inputs:
                world.inputs[name] = given_value(side.topology.dialect, declared, given[name])
            elif name in world.inputs or (defaults and declared.default is not MISSING):
                continue
            elif declared.default is MISSING or is_constant(declared.default):
                takers = [
                    (one.topology.dialect, one.topology.inputs[name]) for one in sides if name in one.topology.inputs
                ]
                value = drawing.input_value(takers, seed, shapes.get(name, {}), candidates.get(name, []))
                if value is not MISSING:
                    world.inputs[name] = value
    return world


def _difference(found: Found, sides: tuple[Side, Side], world: World, told: Told) -> Difference:
    places = sides[0].place(found.first_path), sides[1].place(found.second_path)
    what = ".".join(map(str, found.steps))
    return Difference(what, found.first, found.second, *places, dict(world.inputs), told.codes(found))
