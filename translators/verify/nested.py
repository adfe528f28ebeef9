"""The nested documents of two documents, in pairs by the component that they belong to.

What the two hand on are the inputs under which a pair is compared: Heat makes a value what the nested parameter's type
is (heat/engine/resources/template_resource.py, ``child_params``), a Cloudify deployment gets it as it is. What only one
of them hands on is an input of its own: what it is good for is seen in what the nested documents deploy."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from bpconvert.diagnostics import Diagnostic, Reporter, SourceError, Span
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.translators.comparing.filling import is_plain
from bpconvert.translators.comparing.model import COMPONENT, Deployment, Given, NotNested, Part
from bpconvert.translators.dialects import DIALECTS, load, recognised
from bpconvert.translators.passes.choosing import joined
from bpconvert.translators.passes.descriptions import described
from bpconvert.translators.verify import draws, members, scripts
from bpconvert.translators.verify.compare import Found, partners, same, values
from bpconvert.translators.verify.parts import deployment
from bpconvert.translators.verify.reported import Reported
from bpconvert.translators.verify.side import Side, World

#: documents in documents
_DEEPEST: Final = 8
#: how often what components publish is handed on to other components
_ROUNDS: Final = 4

Sides = tuple[Side, Side]
Worlds = tuple[World, World]
Deployments = tuple[Deployment, Deployment]
#: the place of an input -> the codes of what is reported of its value
Codes = dict[Path, set[str]]
Computes = Callable[[Sides, Worlds], Deployments]


@dataclass(eq=False, repr=False)
class Level:
    """Two documents that are compared. ``diagnostics`` returns those of the conversion; ``top``: the folders of the
    outermost documents, as messages call them; ``depth``: how deep the two are nested."""

    sides: Sides
    diagnostics: Callable[[], Sequence[Diagnostic]]
    top: tuple[str, str]
    depth: int = 0
    notes: list[str] = field(default_factory=list)
    inner: dict[tuple[str, str], Level] = field(default_factory=dict)
    #: what each component of each pair published under the same values
    known: dict[str, dict[tuple[str, str], Value]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        written = [value for side in self.sides for value in side.expressions()]
        self.references, self.asked = draws.references(written), draws.asked(ex.Input, written)
        #: part -> the document that a group repeats
        self.inside: dict[str, Side] = {}
        members.prepare(*self.sides)
        self.opened: tuple[dict[str, Side | str], dict[str, Side | str]] = ({}, {})

    @cached_property
    def reported(self) -> Reported:
        """What is reported of the first document, looked up once something differs."""
        return Reported(self.diagnostics(), self.sides[0])

    def settled(self, worlds: Worlds, computes: Computes) -> Deployments:
        """What both deploy, with the values that their components publish where both publish the same ones."""
        for _ in range(_ROUNDS):
            both = computes(self.sides, worlds)
            published: dict[tuple[str, str], Value] = {}
            exposed: dict[str, set[str]] = {}
            for child in self.children(both, worlds):
                published |= child.published(computes)
                exposed[child.parts[0].name] = child.exposed
            published_now = [published | self.repeated(number, both[number], worlds[number]) for number in (0, 1)]
            scripts.unify(*both)
            if all(
                before.exposed == exposed and before.published == now
                for before, now in zip(worlds, published_now, strict=True)
            ):
                break
            identities = _identities(self.sides)
            for world, published in zip(worlds, published_now, strict=True):
                world.published, world.exposed = published, exposed
                world.identities = {node: value for (node, name), value in published.items() if name in identities}
        return both

    def repeated(self, number: int, deployed: Deployment, world: World) -> dict[tuple[str, str], Value]:
        """Put the nodes of the templates that groups repeat in place of the components (see members.py); what these
        publish."""
        outputs: dict[tuple[str, str], Value] = {}
        side = self.sides[number]
        for part in list(deployed.parts.values()):
            group, _, index = part.node.name.rpartition(".")
            nested = self._side(number, part) if part.kind == COMPONENT and group in side.repeated else ""
            if isinstance(nested, str):
                continue
            own = Side(nested.document, nested.topology, nested.catalogue, nested.files)
            own.names = {name: f"{name}.{index}" for name in own.topology.nodes}
            own.enter(world.inner(world.seed, _taken(side, part, own), world.shapes))
            inner = deployment(own)
            for repeated in inner.parts.values():
                repeated.among = (*part.among, *repeated.among)
            del deployed.parts[part.name]
            deployed.parts |= inner.parts
            deployed.bare |= inner.bare
            deployed.empty |= inner.empty
            targets = deployed.waits.pop(part.name, set())
            deployed.waits |= {name: waits | targets for name, waits in inner.waits.items()}
            deployed.waits[part.name] = {*inner.waits, *inner.parts}
            self.inside |= dict.fromkeys(inner.parts, own)
            outputs |= {(part.name, name): output.value for name, output in inner.outputs.items()}
        return outputs

    def place(self, number: int, pair: Found) -> Span:
        """Where a value is written."""
        part = str(pair.steps[0])
        inside = self.inside.get(part) if self.sides[number].repeated else None
        return (inside or self.sides[number]).place(pair.first_path if number == 0 else pair.second_path)

    def children(self, both: Deployments, worlds: Worlds) -> Iterator[Child]:
        """The pairs of components that nest a document, with what is handed on to it."""
        for part, other in _components(both):
            level = self._level(part, other)
            if level is not None:
                yield Child(level, self, (part, other), worlds)

    def missing(self, both: Deployments) -> Iterator[Found]:
        """The components whose nested document only one of the two has."""
        for part, other in _components(both):
            there = [self._side(number, part) for number, part in enumerate((part, other))]
            if isinstance(there[0], Side) is not isinstance(there[1], Side):
                texts = [self._text(number, part) for number, part in enumerate((part, other))]
                if texts[0] is not None and texts[0] == texts[1]:
                    continue
                names = [side.document.name if isinstance(side, Side) else MISSING for side in there]
                yield Found((part.name, "nested document"), names[0], names[1], part.path, other.path)

    def _text(self, number: int, part: Part) -> str | None:
        """The text of the nested document of a component, in a file or written out; None for none."""
        side = self.sides[number]
        try:
            return side.files.look(side.language_of(part.node).nesting.file(side, part.node))[0]
        except NotNested as why:
            return why.text

    def _level(self, part: Part, other: Part) -> Level | None:
        sides = self._side(0, part), self._side(1, other)
        first, second = sides
        if isinstance(first, str) or isinstance(second, str):
            number, why = (0, first) if isinstance(first, str) else (1, second)
            note = f"{self.sides[number].document.name}: what '{part.name}' nests is not compared: {why}"
            if note not in self.notes:
                self.notes.append(note)
            return None
        key = first.document.name, second.document.name
        if key not in self.inner:
            self.inner[key] = Level((first, second), self.diagnostics, self.top, self.depth + 1, self.notes)
        return self.inner[key]

    def _side(self, number: int, part: Part) -> Side | str:
        """The nested document of a component; why there is none."""
        side, nested = self.sides[number], self.opened[number]
        try:
            name = side.language_of(part.node).nesting.file(side, part.node)
        except NotNested as why:
            return str(why)
        if self.depth >= _DEEPEST:
            return f"'{name}' is nested too deeply"
        if name not in nested:
            nested[name] = opened(side, name, part.node.name, self.top[number])
        return nested[name]


def _components(both: Deployments) -> Iterator[tuple[Part, Part]]:
    if not all(any(part.kind == COMPONENT for part in deployed.parts.values()) for deployed in both):
        return
    for part, other in partners(*both):
        if part is not None and other is not None and part.kind == other.kind == COMPONENT:
            yield part, other


def opened(side: Side, name: str, node: str, top: str) -> Side | str:
    """The document ``name`` beside ``side``, nested by ``node``; why there is none."""
    place, (text, _) = side.files.place(name), side.files.look(name)
    if text is None or place is None:
        return f"'{name}' is not beside it"
    try:
        document = load(text, side.files.label(name, posixpath.join(top, place)))
        dialect = recognised(document.data)
        if dialect is None:
            return f"'{name}' is no template and no blueprint"
        files = side.files.nested_in(name, node)
        topology = described(
            joined(dialect.read()(dialect.compared().seen(document), side.catalogue, Reporter(document), files))
        )
        side.document.secrets.join(document.secrets)
        document.secrets = side.document.secrets
    except SourceError as error:
        return f"'{name}': {error.diagnostic.message}"
    return Side(document, topology, side.catalogue, files)


class Child:
    """Two nested documents under the inputs that a pair of components hands on."""

    def __init__(self, level: Level, outer: Level, parts: tuple[Part, Part], worlds: Worlds) -> None:
        self.level, self.parts = level, parts
        self.given = tuple(_inputs_given(side, part) for side, part in zip(outer.sides, parts, strict=True))
        inputs = [_taken(outer.sides[n], parts[n], level.sides[n]) for n in (0, 1)]
        declared = [side.topology.inputs for side in level.sides]
        for number, other in ((0, 1), (1, 0)):  # what only one document asks the person deploying for
            asked = _asked(outer.sides[other], parts[other], outer.sides[number])
            open_ones = {n for n, d in declared[number].items() if d.default is MISSING and n not in inputs[number]}
            inputs[number] |= {n: inputs[other][n] for n in open_ones & asked if n in inputs[other]}
        self.common = [n for n in declared[0] if n in declared[1]]
        self.outside, seeds = worlds, [f"{world.seed} {parts[0].name}" for world in worlds]
        defaults = {name: taken.default for taking in declared[::-1] for name, taken in taking.items()}
        shapes = draws.attributes(level.references, {**defaults, **inputs[0]})
        pair = [worlds[n].inner(seeds[n], inputs[n], shapes) for n in (0, 1)]
        self.worlds = pair[0], pair[1]
        for side, world, outside in zip(level.sides, self.worlds, worlds, strict=True):
            self._complete(side, world, outside)
        self.effective = [self._effective(number) for number in (0, 1)]
        for name in self.common:
            if {declared[0][name].type, declared[1][name].type} & {"number", "boolean"}:
                _in_one_form(self.effective, name)

    def codes(self, outer: Level) -> Codes:
        """The place of an input in the first nested document -> what is reported of its value, where the values that
        are handed on differ. To be asked for before the parts are joined."""
        codes_by_place: Codes = {}
        for name in self.common:
            first, second = (properties.get(name, MISSING) for properties in self.effective)
            if not same(first, second):
                part, other = self.parts
                place = self.given[0].places.get(name) or part.node.origin(name)
                pairs = values((part.name, name), first, second, place, other.path)
                codes = {code for pair in pairs if not pair.is_equal for code in outer.reported.codes(pair)}
                codes_by_place[self.level.sides[0].topology.inputs[name].path] = codes
        return codes_by_place

    def _complete(self, side: Side, world: World, outside: World) -> None:
        """Give values to the inputs that have to be given and are not: in Heat those of the environment's
        ``parameter_defaults``, which reach all nested templates by the name of the parameter."""
        for name, declared in side.topology.inputs.items():
            if name in world.inputs or declared.default is not MISSING:
                continue
            value = outside.inputs.get(name, MISSING)
            if value is MISSING or not draws.accepts(side.topology.dialect, declared, value):
                turn = draws.Turn(world.seed, 1)
                outside.drawn.add(name)
                value = draws.input_value([(side.topology.dialect, declared)], turn, self.level.asked.get(name, {}), [])
            if value is not MISSING:
                world.inputs[name] = value

    def _effective(self, number: int) -> dict[str, Value]:
        """The values of the inputs that both nested documents have."""
        side, world = self.level.sides[number], self.worlds[number]
        side.enter(world)
        return {n: world.inputs[n] if n in world.inputs else side.value(ex.Input(n)) for n in self.common}

    @property
    def key(self) -> str:
        """Differs where the documents or the values that are handed on do."""
        names = [side.document.name for side in self.level.sides]
        return repr((names, self.worlds[0].inputs, self.worlds[1].inputs))

    @property
    def exposed(self) -> set[str]:
        """The names of what both nested documents publish."""
        first, second = ({*side.topology.outputs, *side.topology.capabilities} for side in self.level.sides)
        return first & second

    def published(self, computes: Computes) -> dict[tuple[str, str], Value]:
        """(Component, name) -> what both nested documents publish where it is the same."""
        node = self.parts[0].name
        asked = self._asked()
        common = asked & self.exposed
        if not common:
            return {}
        key = f"{self.worlds[0].seed} {self.key}"
        if key not in self.level.known:
            outputs, other = (deployment.outputs for deployment in self.level.settled(self.worlds, computes))
            agreed = {
                n: outputs[n].value
                for n in outputs
                if n in other and n in asked and same(outputs[n].value, other[n].value)
            }
            for name in common & _identities(self.level.sides):
                agreed.setdefault(name, f"{node}-stack-id")
            self.level.known[key] = {(node, n): value for n, value in agreed.items() if is_plain(value)}
        return self.level.known[key]

    def _asked(self) -> set[str]:
        """The names of what the nesting documents ask components for."""
        shapes = self.outside[0].shapes
        asked = {*shapes}
        for side in self.level.sides:
            nesting = side.language.nesting
            asked |= {name.removeprefix(nesting.prefix) for name in shapes}
            if not shapes.keys().isdisjoint(nesting.published):  # all of them, or some
                asked |= self.exposed
        return asked

    def join(self) -> None:
        """Let the two parts have what they hand on in one form: the values that their documents use, given or not, and
        without those that only one of the documents has an input for."""
        declared = [side.topology.inputs for side in self.level.sides]
        names = {*self.given[0].inputs, *self.given[1].inputs}
        for number, part in enumerate(self.parts):
            own = self.given[number]
            odd = {n: v for n, v in own.inputs.items() if n not in declared[number]}  # the engine refuses it
            common = {n: v for n, v in self.effective[number].items() if n in names and v is not None}
            part.properties = {**odd, **common, **own.settings}
            part.origin = _origin(part, own.places)


def _in_one_form(values: Sequence[dict[str, Value]], name: str) -> None:
    """Let a number or boolean be a text where the other one is: an input that is used in texts only is one."""
    first, second = (properties[name] for properties in values)
    for properties, value, other in ((values[0], first, second), (values[1], second, first)):
        if isinstance(other, str) and isinstance(value, (bool, int, float)):
            properties[name] = str(value)


def _identities(sides: Sides) -> set[str]:
    """The outputs of nested documents that references to components yield."""
    return {DIALECTS[side.topology.dialect].capabilities().nested_identity for side in sides}


def _origin(part: Part, places: dict[str, Path]) -> Callable[..., Path]:
    def origin(*steps: Any) -> Path:
        return (*places[steps[0]], *steps[1:]) if steps and steps[0] in places else part.node.origin(*steps)

    return origin


def _inputs_given(side: Side, part: Part) -> Given:
    return side.language_of(part.node).nesting.handed_over(side, part)


def _asked(side: Side, part: Part, other: Side) -> set[str]:
    """The inputs to which the component hands on an input that the ``other`` document does not have."""
    written = side.language_of(part.node).nesting.written(side, part.node)
    rows = written.items() if isinstance(written, dict) else ()
    return {name for name, value in rows if isinstance(value, ex.Input) and value.name not in other.topology.inputs}


def _taken(side: Side, part: Part, nested: Side) -> dict[str, Value]:
    """What the inputs of the nested document are, by the engine that hands them on."""
    declared, taken = nested.topology.inputs, side.language_of(part.node).inputs.taken
    inputs = _inputs_given(side, part).inputs
    return {name: taken(declared[name], value) for name, value in inputs.items() if name in declared}
