"""What the parts of the lowering share: names, inputs, and who stands for whom."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.write.names import Names, path_name
from bpconvert.translators.passes.expressions.fold import written
from bpconvert.translators.passes.expressions.kinds import Kinds, step_into
from bpconvert.translators.support.places import dotted
from bpconvert.translators.support.text import ascii_text

if TYPE_CHECKING:
    from bpconvert.files import Files
    from bpconvert.options import Options
    from bpconvert.translators.passes.request import Request
    from bpconvert.translators.provenance.carry import Origin

#: HOT pseudo parameters that nothing in Cloudify answers: the input that asks for them.
PSEUDO_INPUTS = {
    "project.id": ("os_project_id", "ID of the OpenStack project (OS::project_id in Heat)"),
    "region": ("os_region", "Name of the OpenStack region (OS::region in Heat)"),
}


@dataclass(eq=False, repr=False)
class Context:
    """State of one lowering."""

    topology: Topology
    request: Request
    #: (nested document or the node that nests it, input there) -> the input that gives it a value
    handed_on: dict[tuple[str, str], str] = field(default_factory=dict)
    #: inputs that the template did not have: name -> DSL data (default may hold values)
    extra_inputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: values that have to be given when deploying, for the inputs file
    given_inputs: dict[str, Any] = field(default_factory=dict)
    #: defaults that got an empty text for keys that Heat would not find
    patched_defaults: dict[str, Any] = field(default_factory=dict)
    #: number inputs that select a place in a list
    indices: set[Any] = field(default_factory=set)
    #: number inputs that say how many instances there are
    counts: set[Any] = field(default_factory=set)
    #: conditions on the way to a decision, to find circles
    deciding: set[str] = field(default_factory=set)
    _undeclared: dict[str, str] = field(default_factory=dict)
    _pseudo: dict[str, str] = field(default_factory=dict)
    _branches: dict[str, str] = field(default_factory=dict)

    @property
    def catalogue(self) -> Catalogue:
        """The kinds of resources."""
        return self.request.catalogue

    @property
    def reporter(self) -> Reporter:
        """What takes the diagnostics."""
        return self.request.reporter

    @property
    def options(self) -> Options:
        """What the user asked for."""
        return self.request.options

    @property
    def files(self) -> Files:
        """The files beside the source."""
        return self.request.files

    @property
    def origin(self) -> Origin | None:
        """The blueprint that the source was made from, None if there is none."""
        return self.request.origin

    @property
    def generation2(self) -> bool:
        """True where the blueprint is for the plugin's second generation."""
        return self.request.options.plugin == "v2"

    def __post_init__(self) -> None:
        #: what values are known to be
        self.kinds = _Kinds(self)
        nodes, groups = self.topology.nodes, self.topology.groups
        names = [*nodes, *groups, *(group.policy for group in groups.values())]
        self._node_names = Names(names, self._originals("resources", nodes))
        self._input_names = Names(self.topology.inputs, self._originals("parameters", self.topology.inputs))
        self._output_names = Names(self.topology.outputs, self._originals("outputs", self.topology.outputs))

    def _originals(self, section: str, names: Iterable[str]) -> dict[str, str]:
        """The names that entries had in the blueprint that the source was made from."""
        if self.origin is None:
            return {}
        found = ((name, self.origin.original((section, name))) for name in names)
        return {name: original for name, original in found if original is not None}

    # -- the source -----------------------------------------------------------------------------------------

    def document_value(self, path: Path) -> Any:
        """The source's own data at ``path`` (as far as the path leads)."""
        return written(self.request.document, path)

    # -- nodes ----------------------------------------------------------------------------------------------

    def node_of(self, name: Value) -> Node | None:
        """The node with this (source) name."""
        return self.topology.nodes.get(name) if isinstance(name, str) else None

    def is_stand_in(self, name: str) -> bool:
        """True when the resource has no real counterpart."""
        node = self.topology.nodes.get(name)
        return node is not None and node.stand_in

    def node_name(self, name: str) -> str:
        """The name that node ``name`` has in the blueprint."""
        node = self.topology.nodes.get(name)
        return self._told(name, self._node_names.of(name), node.path if node else ())

    def output_name(self, name: str) -> str:
        """The name that output ``name`` has in the blueprint."""
        return self._told(name, self._output_names.of(name), self.topology.outputs[name].path)

    def fresh_node(self, wanted: str) -> str:
        """A node name nobody has yet."""
        return self._node_names.fresh(wanted)

    def _told(self, name: str, new: str, path: Path) -> str:
        """``new``, after a report when that is another name."""
        if new != name:
            self.reporter.report("BPC604", path, name=name, new=new)
        return new

    # -- inputs ---------------------------------------------------------------------------------------------

    def add_input(self, wanted: str, data: dict[str, Any]) -> str:
        """Add an input that the source does not have, named ``wanted`` or nearly so. Returns its name."""
        name = self._input_names.fresh(wanted)
        self.extra_inputs[name] = data
        return name

    def input_name(self, name: str) -> str:
        """The name that parameter ``name`` has in the blueprint."""
        return self._told(name, self._input_names.of(name), self.topology.inputs[name].path)

    def declared_input(self, name: str, path: Path) -> str:
        """The blueprint's input for parameter ``name``; one that the template does not declare is added."""
        if name in self.topology.inputs:
            return self.input_name(name)
        if name in self.extra_inputs:
            return name
        known = self._undeclared.get(name)
        if known is None:
            self.reporter.report("BPC210", path, name=name)
            known = self._undeclared[name] = self.add_input(name, {"description": "Not declared in the Heat template"})
        return self._told(name, known, path)

    def asks_for(self, fact: str) -> bool:
        """True when an input asks for the fact already."""
        return fact in self._pseudo

    def pseudo_input(self, fact: str, path: Path) -> str:
        """The input that asks for a fact that Cloudify does not know."""
        name = self._pseudo.get(fact, "")
        if not name:
            wanted, description = PSEUDO_INPUTS[fact]
            name = self._pseudo[fact] = self.add_input(wanted, {"type": "string", "description": description})
        self.reporter.report("BPC211", path, input=name)
        return name

    def branches_input(self, branches: list[Value], path: Path) -> str:
        """The hidden input that holds the branches of a choice; the same branches share one."""
        key = repr(branches)
        counts = key in ("[1, 0]", "[0, 1]")
        what = "Instances of conditional resources" if counts else f"Branches of {dotted(path)}"
        name = self._branches.get(key)
        if name is None:
            data = {"description": f"{what}; a condition picks one by its index", "hidden": True, "default": branches}
            name = self._branches[key] = self.add_input("if_created" if counts else f"if_{path_name(path)}", data)
        elif not self.extra_inputs[name]["description"].startswith(what):
            words = "Branches of several places; a condition picks one by its index"
            self.extra_inputs[name]["description"] = words
        return name

    def table_input(self, table: dict[str, Any], chooser: str, path: Path) -> str:
        """The hidden input that holds a value for each value of input ``chooser``; the same tables share one."""
        key = f"{chooser} {table!r}"
        if key not in self._branches:
            words = f"Values of {dotted(path)} for each value of '{chooser}'"
            data = {"description": ascii_text(words), "hidden": True, "default": table}
            self._branches[key] = self.add_input(f"{path_name(path)}_by_{chooser}", data)
        return self._branches[key]

    def extra_kind(self, name: str) -> str:
        """What the parts of an added input are."""
        default = self.extra_inputs.get(name, {}).get("default")
        branches = list(default.values()) if isinstance(default, dict) else default
        if isinstance(branches, list) and branches and all(isinstance(item, str) for item in branches):
            return "text"
        return "any"

    def input_path(self, name: str, keys: tuple[Value, ...], path: Path) -> tuple[Value, ...] | None:
        """``keys`` as ``get_input`` needs them: numbers for places in lists. Where the default has no such part (Heat
        gives an empty text, Cloudify refuses), the blueprint's default gets an empty text there; None if it cannot."""
        declared = self.topology.inputs.get(name)
        if declared is None:
            return keys
        default = self.patched_defaults.get(name, declared.default)
        steps: list[Value] = []
        place = default
        for key in keys:
            value = self._default_of(key)
            if (
                (isinstance(place, list) or declared.type == "list")
                and isinstance(value, str)
                and _is_index(value)
                and value == key
            ):
                key = value = int(value)
            steps.append(key)
            place = MISSING if value is MISSING else step_into(place, (value,))
        if default is MISSING:
            self.reporter.report("BPC213", declared.path, name=name)
        if default is MISSING or place is not MISSING:
            return tuple(steps)
        literal = [self._default_of(key) for key in steps]
        if MISSING not in literal:
            patched = _with_text(default, literal)
            if patched is MISSING:
                return None
            self.patched_defaults[name] = patched
            self.reporter.report("BPC209", path, name=name)
        return tuple(steps)

    def _default_of(self, key: Value) -> Value:
        """A key's value when every parameter has its default."""
        if isinstance(key, ex.Input) and isinstance(key.name, str):
            declared = self.topology.inputs.get(key.name)
            return (
                MISSING
                if declared is None
                else step_into(declared.default, tuple(self._default_of(k) for k in key.keys))
            )
        return MISSING if isinstance(key, ex.Expr) else key


class _Kinds(Kinds):
    """The kinds of values, those of added inputs among them."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.topology, context.catalogue)
        self._context = context

    def of_input(self, name: str, keys: tuple[Value, ...]) -> str:
        if name in self._context.topology.inputs or not keys:
            return super().of_input(name, keys)
        return self._context.extra_kind(name)


def _with_text(default: Any, keys: list[Any]) -> Any:
    """A copy of ``default`` with an empty text at ``keys``; MISSING where there is no such place to make."""
    if not all(isinstance(key, (str, int)) for key in keys):
        return MISSING
    result = copy.deepcopy(default)
    place = result
    for key in keys[:-1]:
        if isinstance(place, dict) and key not in place:
            place[key] = {}
        place = step_into(place, (key,))
    if not isinstance(place, dict) or keys[-1] in place:
        return MISSING
    place[keys[-1]] = ""
    return result


def _is_index(text: str) -> bool:
    return text.lstrip("-").isdigit()
