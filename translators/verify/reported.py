"""Which diagnostics of a conversion name the place of a difference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bpconvert.diagnostics import Diagnostic, Elsewhere, Fidelity, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.support.text import ascii_text
from bpconvert.translators.verify.compare import MEMBERS, WAITS, Found
from bpconvert.translators.verify.side import Side

#: steps to an entry of a section, and to a property of a node
_ENTRY: Final = 2
_PROPERTY: Final = 4
#: the number in the name of a member of a group, or of what it runs
_MEMBER: Final = re.compile(r"\.\d+(?:[._]|$)")
#: properties of Heat's groups that say how many members there are
_NUMBERS: Final = ("count", "desired_capacity", "max_size", "min_size")
#: what of an input makes its value, without its constraints and what only people read
_OF_VALUE: Final[tuple[Path, ...]] = (("type",), ("default",))


class Reported:
    """The diagnostics of a conversion about what of its source (``side``) is not as it was."""

    def __init__(self, diagnostics: Sequence[Diagnostic], side: Side) -> None:
        self.side, self.nodes = side, side.language.nodes
        capabilities = DIALECTS[side.topology.dialect].capabilities()
        self.steps, words = capabilities.programs.steps, capabilities.words
        self.in_nodes, self.in_inputs = words.section("nodes"), words.section("inputs")
        self.in_outputs, self.in_conditions = words.section("outputs"), words.section("conditions")
        name = side.document.name
        own = [d if d.span.file == name else d._replace(path=(d.span.file, *d.path)) for d in diagnostics]
        self.found = [d for d in own if d.fidelity >= Fidelity.REWRITTEN or d.severity == Severity.ERROR]
        #: place -> the codes that are reported there; those that are reported there or inside of it
        self.at: dict[Path, set[str]] = {}
        self.inside: dict[Path, set[str]] = {}
        for diagnostic in self.found:
            self.at.setdefault(diagnostic.path, set()).add(diagnostic.code)
            for part in _beginnings(diagnostic.path):
                self.inside.setdefault(part, set()).add(diagnostic.code)
        #: the places of expressions; place -> the expressions in it
        self.places: set[Path] = set()
        self.expressions: dict[Path, list[ex.Expr]] = {}
        for expr in (expr for value in side.expressions() for expr in ex.walk(value)):
            for path in {expr.path, _in_its_file(expr.path)}:
                self.places.add(path)
                for part in _beginnings(path):
                    self.expressions.setdefault(part, []).append(expr)
        #: value of an output -> the places elsewhere in the document that it was read from
        self.elsewhere = {
            (*output.path, "value"): {expr.path for expr in ex.walk(output.value)} - {()}
            for output in side.topology.published
        }

        self._origins: dict[Path, set[Path]] = {}
        self._names: dict[Path, set[str]] = {}

    def codes(self, pair: Found, outside: Mapping[Path, set[str]] | None = None) -> tuple[str, ...]:
        """The codes that name the very place: the value, a part of it, or what it is a part of, up to the property.

        What is reported of a whole node only counts for the node itself, and for what is not written there at all; what
        is reported of its properties does not count for the node. Of a value that is taken from elsewhere (an input, a
        condition, a property of another node), what is reported there counts. ``outside``: the place of an input ->
        what is reported where its value comes from."""
        path, steps = pair.first_path, pair.steps
        if path == () and len(steps) == 1:
            entry = self._owner(str(steps[0]))  # of the node that the conversion has made this one for
            codes = self._of_groups(entry) if entry else set()
            codes |= self._of_node(entry, None, {}) | self._of_operation(entry, str(steps[0])) if entry else set()
        elif path == ():  # an output that is not there: only its condition can be why
            codes = set()
        elif path[0] == self.in_nodes and len(path) == _ENTRY and (len(steps) == 1 or steps[1] in (WAITS, MEMBERS)):
            codes = self._of_node(path, steps[-1] if steps[1:2] == (WAITS,) else None, outside or {})
            if steps[1:2] == (WAITS,) and steps[-1] == steps[0]:
                codes |= self._of_circle(path)
        else:
            codes = set()
            for place in {path, _in_its_file(path)}:
                call = self._call(place)
                codes |= self._of_value(place, outside or {}) | self._inside(call) | self._of_members(call)
        codes = codes | self._renamed(pair)
        if pair.first is MISSING and steps[0] == "outputs" and len(steps) > 1:  # an engine has it without a value
            codes |= self._inside((self.in_outputs, steps[1], "condition"))
        if pair.first is MISSING and path[:1] == (self.in_nodes,) and len(steps) > 1:
            codes |= {
                row.code
                for row in self.found
                if row.path == path[:_ENTRY] and row.message.startswith(f"property '{steps[1]}' of ")
            }
        if path and (len(steps) == 1 or steps[1] == MEMBERS):
            codes |= self._of_groups(path)
        if MISSING in (pair.first, pair.second) and _MEMBER.search(str(steps[0])):  # only one side has the member
            owner = self._owner(str(steps[0]))
            codes |= self._of_groups(owner) | self._of_numbers(owner)
        if path and path[0] in self.nodes.definitions:  # what a node has of its type
            codes |= self._at(self._owner(str(steps[0])))
        return tuple(sorted(codes))

    def _at(self, path: Path) -> set[str]:
        """The codes that are reported at ``path``, also as findings name it in an imported file."""
        return self.at.get(path, set()) | self.at.get(_in_its_file(path), set())

    def _inside(self, path: Path) -> set[str]:
        """The codes that are reported at ``path`` or inside of it."""
        return self.inside.get(path, set()) | self.inside.get(_in_its_file(path), set())

    def _of_circle(self, path: Path) -> set[str]:
        """What is reported of the order of the nodes in the circle of a node."""
        waits, nodes = self.nodes.waits(self.side), self.side.topology.nodes

        def behind(start: str) -> set[str]:
            reached, new = set[str](), {start}
            while new := {target for name in new for target in waits.get(name, ())} - reached:
                reached |= new
            return reached

        starts = [name for name, node in nodes.items() if node.path == path]
        circle = [name for start in starts for name in behind(start) if start in behind(name) and name in nodes]
        places = [(*nodes[name].path, *keys) for name in circle for keys in self.nodes.order]
        return {code for place in places for code in self._inside(place)}

    def _of_value(self, path: Path, outside: Mapping[Path, set[str]]) -> set[str]:
        """What is reported of the value at ``path``, or where it comes from."""
        places = [path, *self._sources(path)]
        for place in places:
            if place not in self._names:
                self._names[place] = set(self._names_at(place))
        return {code for place in places for code in (*self._names[place], *outside.get(place, ()))}

    def _of_node(self, node: Path, target: str | None, outside: Mapping[Path, set[str]]) -> set[str]:
        """What is reported of whether there is a node or, with ``target``, of whether it waits for that."""
        codes = set(self._at(node))
        if target is None:  # also one that follows from something else
            codes |= self._at((*node, "condition"))
        places = [(*node, *keys) for keys in (self.nodes.existence if target is None else self.nodes.order)]
        if target is None:
            places = [place for place in places if step_into(self.side.document.data, place) is not MISSING]
        if target is not None:
            calls = self.expressions.get(node, ())
            places += [call.path for call in calls if getattr(call, "node", None) == target]
        for place in places:
            codes |= self._of_value(place, outside)
        return codes

    def _of_operation(self, node: Path, program: str) -> set[str]:
        """What is reported of the operation of a node that ``program`` runs."""
        name = program.rpartition(".")[2]
        words = (dialect.capabilities().programs.steps for dialect in DIALECTS.values())
        names = {step for steps in words for (_, written), step in steps.items() if written == name} | {name}
        owners = (owner for owner in self.side.topology.nodes.values() if owner.path == node)
        operations = [operation for owner in owners for operation in owner.operations]
        paths = [
            operation.path
            for operation in operations
            if names & {operation.name, self.steps.get((operation.interface, operation.name))}
        ]
        called = {operation.path for operation in operations}
        text = f"operation '{name}' of "  # what runs at another step, the finding calls by that
        elsewhere = {row.code for row in self.found if row.path in called and row.message.startswith(text)}
        return {code for path in paths for code in self._at(path)} | elsewhere

    def _renamed(self, pair: Found) -> set[str]:
        """The codes for an output, or a key of a map, that has the name that only the result has."""
        if pair.first is not MISSING:
            return set()
        outputs, place = pair.steps[:1] == ("outputs",), pair.first_path
        return {
            finding.code
            for finding in self.found
            if (
                (finding.code == "BPC603" and place and finding.path[:-1] == place[:-1])
                and ascii_text(str(finding.path[-1])) == place[-1]
            )
            or (
                (finding.code == "BPC604" and outputs and finding.path[:1] == (self.in_outputs,))
                and finding.message == CODES["BPC604"].message.format(name=finding.path[-1], new=pair.steps[1])
            )
        }

    def _owner(self, name: str) -> Path:
        """The place of the node that ``name`` is made of; () where there is none."""
        nodes = [node for node in self.side.topology.nodes.values() if _is_part(node.name, name)]
        return max(nodes, key=lambda node: len(node.name)).path if nodes else ()

    def _names_at(self, place: Path) -> Iterator[str]:
        if len(place) == _ENTRY and place[0] == self.in_inputs:
            yield from self._at(place)
            for keys in _OF_VALUE:
                yield from self._inside((*place, *keys))
            return
        yield from self._inside(place)
        in_node = bool(place) and place[0] == self.in_nodes
        is_written = in_node and step_into(self.side.document.data, place) not in (MISSING, None)  # null: not given
        least = _PROPERTY if is_written else _ENTRY
        parent = place[:-1]
        if not is_written and len(parent) > _PROPERTY and step_into(self.side.document.data, parent) is not MISSING:
            yield from self._inside(parent)  # in an item, it follows from what is written there
        for part in _beginnings(place):
            if len(part) >= least:
                yield from self._at(part)

    def _sources(self, place: Path) -> set[Path]:
        """Where the values at ``place`` come from, also by way of others; the same for all in an output or a call."""
        key = next((part for part in _beginnings(place) if part in self.elsewhere), None) or self._call(place)
        if key in self._origins:
            return self._origins[key]
        origins = self._origins[key] = set()
        calls, outputs = set[Path](), set[Path]()
        waiting = [place]
        while waiting:
            place_now = waiting.pop()
            new: set[Path] = set()
            call = self._call(place_now)
            if call not in calls:
                calls.add(call)
                new |= {self._source(expr) for expr in self.expressions.get(call, ())}
            for output in {part for part in _beginnings(place_now) if part in self.elsewhere} - outputs:
                outputs.add(output)
                new |= self.elsewhere[output]
            new -= {*origins, ()}
            origins |= new
            waiting += new
        return origins

    def _call(self, place: Path) -> Path:
        """The outermost call whose value is at ``place``, else the place: all arguments of a call make its value."""
        return next((part for part in _beginnings(place) if part in self.places), place)

    def _of_groups(self, place: Path) -> set[str]:
        """What is reported of the groups that the node at ``place`` is in."""
        nodes, codes = self.side.topology.nodes, set[str]()
        node = next((node for node in nodes.values() if node.path == place and node.group is not None), None)
        while node is not None and node.group in nodes:
            node = nodes[node.group]
            is_node = node.path[:1] == (self.in_nodes,)
            codes |= self._of_node(node.path, None, {}) if is_node else self._inside(node.path)
        return codes

    def _of_numbers(self, group: Path) -> set[str]:
        """What is reported of the numbers of members that a group is given, which a stand-in shows."""
        return {
            row.code
            for row in self.found
            if group and row.path[: len(group)] == group and row.path[-1] in _NUMBERS
        }

    def _of_members(self, place: Path) -> set[str]:
        """What is reported of the groups of the nodes whose attributes the expressions at ``place`` take."""
        nodes, calls = self.side.topology.nodes, self.expressions.get(place, ())
        nodes_referred = [
            nodes.get(expr.node) for expr in calls if isinstance(expr, ex.Attribute) and isinstance(expr.node, str)
        ]
        return {
            code for node in nodes_referred if node is not None and node.group for code in self._of_groups(node.path)
        }

    def _source(self, expr: ex.Expr) -> Path:
        """The place of what an expression takes its value from; () where there is none in the document."""
        topology, name = self.side.topology, getattr(expr, "name", None)
        if isinstance(expr, ex.Input) and isinstance(name, str) and name in topology.inputs:
            return topology.inputs[name].path
        if isinstance(expr, ex.Condition) and isinstance(name, str):
            return (self.in_conditions, name)
        owner = expr.node if isinstance(expr, (ex.Attribute, ex.Property, ex.Identity)) else None
        node = topology.nodes.get(owner) if isinstance(owner, str) else None
        existing = node is not None and (node.external_name is not MISSING or isinstance(node.external_id, ex.Expr))
        if node is not None and existing and isinstance(expr, ex.Identity):
            return node.origins.get(("external_id",), (*node.path, "external_id"))
        if node is not None and node.kind in CONFIGS:
            return node.origin("config" if node.kind == "software_config" else "parts")
        kind = self.side.catalogue.kind(node.kind) if node is not None else None
        if node is not None and kind is not None and kind.by_name and isinstance(expr, ex.Identity):
            return node.origin("name")
        if node is not None and isinstance(expr, ex.Property) and isinstance(name, str):
            return node.origin(name)
        if node is None or not isinstance(name, str):
            return ()
        if kind is None:  # an attribute of a type that is not known has the value of the property of its name
            return node.origin(name) if isinstance(node.properties, dict) and name in node.properties else ()
        if kind.kind == "value" or (kind.kind == "volume" and name == "volume_type"):
            return node.origin(name)
        rule = kind.attributes.get(name)
        wanted = rule.reference if rule is not None else None
        if rule is not None and rule.property is not None:
            wanted = next((key for key, row in kind.properties.items() if row.to == rule.property), None)
        return node.origin(wanted) if wanted is not None else ()


def _is_part(node: str, resource: str) -> bool:
    """True where ``resource`` is named after ``node``: ``server_port_0``, ``default_of_server``, ``group.1``."""
    return re.search(rf"(^|_of_){re.escape(node)}([._]|$)", resource) is not None


def _in_its_file(path: Path) -> Path:
    """A place in an imported file as findings name it, behind the file; others as they are."""
    index = next((index for index, step in enumerate(path) if isinstance(step, Elsewhere)), None)
    if index is None:
        return path
    step = path[index]
    return (step.file, *step.path, *path[index + 1 :])


def _beginnings(path: Path) -> Iterator[Path]:
    """``path`` and all that it is in, from the outermost on."""
    return (path[:length] for length in range(1, len(path) + 1))
