"""Do two documents mean the same? Both are computed under the same inputs and runtime values, and compared."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, Final

from bpconvert.api import dialect_of, opened
from bpconvert.diagnostics import Diagnostic, Fidelity, Reporter, Span, UsageError
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.engines.client import Engine
from bpconvert.limits import bounded, limits
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, is_constant
from bpconvert.models.light import NamedTuple, dataclass, field, replace
from bpconvert.models.topology import Input as Declared
from bpconvert.options import Options
from bpconvert.translators.comparing.filling import REFUSED
from bpconvert.translators.comparing.model import Deployment
from bpconvert.translators.dialects import DIALECTS, catalogue, load, read_environments
from bpconvert.translators.passes.choosing import joined
from bpconvert.translators.passes.descriptions import described
from bpconvert.translators.verify import canonical, scripts
from bpconvert.translators.verify import draws as drawing
from bpconvert.translators.verify.compare import Found, compare, partners, same
from bpconvert.translators.verify.natively import filled
from bpconvert.translators.verify.nested import Codes, Level
from bpconvert.translators.verify.parts import deployment
from bpconvert.translators.verify.side import Side, World

#: how many places a note names
_SHOWN: Final = 5


class Difference(NamedTuple):
    """A place where two documents differ.

    ``what`` names it (``server.flavor``, ``outputs.ip``); ``first`` and ``second`` are the values (MISSING: there is
    none) at their places; ``inputs``: those under which they differ; ``codes``: of the diagnostics of a conversion
    that named the place."""

    what: str
    first: Any
    second: Any
    first_place: Span
    second_place: Span
    inputs: dict[str, Any]
    codes: tuple[str, ...] = ()

    @property
    def is_reported(self) -> bool:
        """True where a diagnostic reports that the values are not the same, or that the first document's own engine
        refuses what stands there."""
        codes = [CODES[code] for code in self.codes]
        return any(
            Fidelity(finding.fidelity) >= Fidelity.APPROXIMATED or finding.severity == "error" for finding in codes
        )


@dataclass
class Verification:
    """``compared``: how many values, all draws together; ``equal``: those of them that are; ``reported``: those that
    are not, where a diagnostic reports that; ``reworded``: where a diagnostic reports that they mean
    the same in another form; ``differences``: one for each place; ``notes``: what could not be compared."""

    compared: int = 0
    equal: int = 0
    reported: int = 0
    reworded: int = 0
    differences: list[Difference] = field(default_factory=list)
    #: values of hidden inputs, which are not printed
    secrets: Secrets = field(default_factory=Secrets)
    notes: list[str] = field(default_factory=list)
    #: code -> how many values it is reported of
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
    reported: Sequence[Diagnostic] | Callable[[], Sequence[Diagnostic]] = (),
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
        reported: diagnostics of the conversion of ``first`` to ``second``, or what returns them, which is called once
            something differs; a difference has those that name its place.
        options: ``allow_outside``, ``maps``, ``types`` and ``environments`` count.

    Raises:
        SourceError, OSError: as :func:`bpconvert.convert`.
        EngineMissing, EngineFailed: with ``engines``, an engine is not installed or does not start.
        UsageError: an input does not take the value given."""
    chosen = options or Options()
    sides = (_side(first, chosen), _side(second, chosen))
    count = _Count()
    for side in sides:
        _hide(side, inputs or {}, count.result.secrets)
    tops = [posixpath.dirname(side.document.name) for side in sides]

    @cache
    def findings() -> Sequence[Diagnostic]:
        with limits(chosen.limits):  # what converting takes is not counted where values are computed
            return reported() if callable(reported) else reported

    outermost = Level(sides, findings, (tops[0], tops[1]), notes=count.result.notes)
    with ExitStack() as stack:
        running = {} if isinstance(engines, bool) else engines
        if engines is True:
            running = {dialect: stack.enter_context(Engine(name)) for dialect, name in _engines().items()}
        asked = _Request.from_sides(sides)
        computed = _Computed()
        for number in range(draws + 1):
            world = _world(sides, inputs or {}, drawing.Turn(str(seed), number), asked)
            count.result.notes += [f"no value was found that input '{name}' takes" for name in world.missing]
            pairs = computed.under(world)
            if pairs is None:
                with limits(chosen.limits):
                    pairs = _pairs(outermost, (world, replace(world)), running) or []
                computed.add(world, pairs)
            for pair in pairs:
                count.add(pair, world)
    return count.finished(sides[0].document.name)


def _engines() -> dict[str, str]:
    adapters = {name: dialect.compared().engine for name, dialect in DIALECTS.items()}
    return {name: adapter.name for name, adapter in adapters.items() if adapter is not None}


def drawn_inputs(source: str | bytes | Path, seed: int | str, number: int) -> dict[str, Any]:
    """A value for each input of a document, as :func:`verify` draws it the ``number``th time; 0: inputs that have a
    default have that value. The errors are those of :func:`bpconvert.convert`."""
    side = _side(source, Options())
    values = _world((side,), {}, drawing.Turn(str(seed), number), _Request.from_sides((side,))).inputs
    defaults = {n: d.default for n, d in side.topology.inputs.items() if d.default is not MISSING}
    return {name: value for name, value in {**defaults, **values}.items() if is_constant(value)}


class _Compared(NamedTuple):
    """A pair of values of two documents, outermost or nested: what it is called, the documents, and what is
    reported of the inputs of nested ones."""

    what: str
    outcome: Found
    level: Level
    outside: Codes


class _Computed:
    """What was compared under inputs alone: where no value of a running deployment is asked for, another turn with the
    same inputs yields the same."""

    def __init__(self) -> None:
        self._rows: list[tuple[dict[str, Any], list[_Compared]]] = []

    def under(self, world: World) -> list[_Compared] | None:
        """The pairs of values under the inputs of ``world``; None where they have to be computed."""
        return next((pairs for inputs, pairs in self._rows if same(inputs, world.inputs)), None)

    def add(self, world: World, pairs: list[_Compared]) -> None:
        """Keep what was computed in ``world``."""
        if not world.drawn:
            self._rows.append((world.inputs, pairs))


class _Count:
    """What is counted while two documents are compared."""

    def __init__(self) -> None:
        self.result = Verification()
        #: place -> its difference, and whether that is reported
        self.seen: dict[str, tuple[Difference, bool]] = {}
        #: what the first document has no value for
        self.refused: dict[str, None] = {}

    def add(self, pair: _Compared, world: World) -> None:
        """Count a pair of values."""
        result, outcome = self.result, pair.outcome
        if outcome.first is REFUSED:
            self.refused.setdefault(pair.what)
            return
        result.compared += 1
        if outcome.is_equal:
            result.equal += 1
            return
        if pair.what not in self.seen:
            places = pair.level.place(0, outcome), pair.level.place(1, outcome)
            codes = pair.level.reported.codes(outcome, pair.outside)
            difference = Difference(pair.what, outcome.first, outcome.second, *places, dict(world.inputs), codes)
            self.seen[pair.what] = difference, difference.is_reported
        difference, is_reported = self.seen[pair.what]
        result.reported += is_reported
        result.reworded += bool(difference.codes) and not is_reported
        result.codes.update(difference.codes)

    def finished(self, name: str) -> Verification:
        """The whole; ``name``: of the first document."""
        if self.refused:
            self.result.notes.append(f"{name} has no value for {_some(list(self.refused))}")
        self.result.notes = list(dict.fromkeys(self.result.notes))
        self.result.differences = [difference for difference, _ in self.seen.values()]
        return self.result


def _pairs(
    level: Level,
    worlds: tuple[World, World],
    engines: Mapping[str, Engine],
    prefix: str = "",
    outside: Codes | None = None,
    done: dict[str, bool] | None = None,
) -> list[_Compared] | None:
    """Every pair of values of two documents and of what they nest; None where an engine refuses one of the two.
    ``done``: pairs of nested documents under the same values -> whether both deploy."""
    both = level.settled(worlds, _deployments)
    if engines:
        native = _native(level, engines)
        if native is None:
            return None
        both = native
        for number in (0, 1):
            level.repeated(number, both[number], worlds[number])
    done = {} if done is None else done
    inner: list[_Compared] = []
    own = list(level.missing(both))
    for child in level.children(both, worlds):
        if child.key not in done:
            name = f"{prefix}{child.parts[0].name}/"
            pairs = _pairs(child.level, child.worlds, engines, name, child.codes(level), done)
            done[child.key] = pairs is not None
            inner += pairs or ()
        if done[child.key]:
            child.join()
    own += compare(*both)
    return [*(_Compared(prefix + ".".join(map(str, pair.steps)), pair, level, outside or {}) for pair in own), *inner]


def _native(level: Level, engines: Mapping[str, Engine]) -> tuple[Deployment, Deployment] | None:
    """What both deploy by their engines; None where one refuses a document."""
    filled_sides = [filled(side, engines.get(side.topology.dialect)) for side in level.sides]
    deployments = []
    for side, filled_side in zip(level.sides, filled_sides, strict=True):
        if isinstance(filled_side, str):
            level.notes.append(f"{side.document.name} is refused: {filled_side}")
        else:
            filled_side.enter(side.world)
            deployments.append(deployment(filled_side))
    if len(deployments) < len(level.sides):
        return None
    canonical.unify_both(*deployments)
    scripts.unify(*deployments)
    scripts.bring(deployments[0], deployments[1], level.sides)
    return deployments[0], deployments[1]


def _side(source: str | bytes | Path, options: Options) -> Side:
    """A document, read and lifted."""
    source_file = opened(source)
    document = load(source_file.text, source_file.label)
    files = source_file.files(options)
    files.environment, _ = read_environments(options.environments, *DIALECTS.values())
    types = catalogue(options.types)
    dialect = DIALECTS[dialect_of(document)]
    with bounded(options.limits):
        read = dialect.read()(dialect.compared().seen(document), types, Reporter(document), files)
        topology = described(joined(read))
    return Side(document, topology, types, files)


def _hide(side: Side, values: Mapping[str, Any], secrets: Secrets) -> None:
    """Enter the values of hidden inputs into ``secrets``, which become those of the document."""
    for name, declared in side.topology.inputs.items():
        if declared.hidden and name in values:
            secrets.add(values[name])
        if declared.hidden and not isinstance(declared.default, (dict, list)) and is_constant(declared.default):
            secrets.add(declared.default)
    secrets.join(side.document.secrets)
    side.document.secrets = secrets


def _deployments(sides: tuple[Side, Side], worlds: tuple[World, World]) -> tuple[Deployment, Deployment]:
    """What both deploy under ``worlds``, with the same names for nodes that correspond."""
    for _ in range(3):  # begins with what corresponds under other values
        for side, world in zip(sides, worlds, strict=True):
            side.enter(world)
        deployments = deployment(sides[0]), deployment(sides[1])
        canonical.unify_both(*deployments)
        scripts.unify(*deployments)
        scripts.bring(*deployments, sides)
        pairs = partners(*deployments)
        names = scripts.same_nodes((node, other) for node, other in pairs if node and other)
        if names == sides[1].names:
            break
        sides[1].names = names
    return deployments


class _Request(NamedTuple):
    """What documents ask of values that are drawn. ``shapes``: input -> its parts; ``candidates``: input -> what it is
    compared with; ``references``: what refers to attributes."""

    shapes: dict[str, drawing.Shape]
    candidates: dict[str, list[Any]]
    references: list[Any]

    @classmethod
    def from_sides(cls, sides: Sequence[Side]) -> _Request:
        """That of some documents."""
        values = [value for side in sides for value in side.expressions()]
        return cls(drawing.asked(ex.Input, values), drawing.compared(values), drawing.references(values))


@bounded(None)
def _world(sides: Sequence[Side], values: Mapping[str, Any], turn: drawing.Turn, asked: _Request) -> World:
    """Inputs and attributes: those given, and drawn ones; in the first turn inputs that have a default keep it. Those
    that only the second document has always do: who deploys the first one gives no such values."""
    world = World(str(turn))
    shapes, candidates, references = asked
    for side in sides:
        for name, declared in side.topology.inputs.items():
            if name in values and name not in world.inputs:
                world.inputs[name] = _input_value(side, declared, values[name])
            elif name in world.inputs or (declared.default is not MISSING and turn.keeps(declared, candidates)):
                continue
            elif not side.language.inputs.is_asked(declared) and not all(
                name in side.topology.inputs for side in sides
            ):
                continue  # it is no input that a user gives
            elif declared.default is not MISSING and name not in sides[0].topology.inputs:
                continue
            elif declared.default is MISSING or is_constant(declared.default):
                takers = [
                    (side.topology.dialect, side.topology.inputs[name])
                    for side in sides
                    if name in side.topology.inputs
                ]
                value = drawing.input_value(takers, turn, shapes.get(name, {}), candidates.get(name, []))
                if value is MISSING:
                    world.missing.append(name)
                else:
                    world.inputs[name] = value
    defaults = {name: declared.default for side in sides[::-1] for name, declared in side.topology.inputs.items()}
    world.shapes = drawing.attributes(references, {**defaults, **world.inputs})
    return world


def _input_value(side: Side, declared: Declared, value: Any) -> Any:
    """What the input is when it is given ``value``; the UsageError of one that it does not take names the input."""
    try:
        return DIALECTS[side.topology.dialect].accept(declared, value)
    except ValueError as wrong:
        problem = side.document.secrets.masked(str(wrong))
        raise UsageError(f"input '{declared.name}' of {side.document.name}: {problem}") from wrong


def _some(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
