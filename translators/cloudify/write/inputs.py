"""The inputs of a blueprint: those of the source, and those that it needs beside them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Topology
from bpconvert.translators.cloudify.write.names import Names, path_name
from bpconvert.translators.passes.expressions.kinds import Kinds, step_into
from bpconvert.translators.passes.expressions.places import integer
from bpconvert.translators.passes.expressions.places import steps as selecting
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.places import dotted
from bpconvert.translators.support.text import ascii_text

#: what Cloudify does not know about a deployment -> the input that asks for it, and what that is
_FACTS: Final = {
    "project.id": ("os_project_id", "ID of the OpenStack project"),
    "region": ("os_region", "Name of the OpenStack region"),
}


class Inputs:
    """The inputs of one blueprint, as the parts of the writer ask for them."""

    def __init__(self, topology: Topology, request: Request, names: Names) -> None:
        self._topology = topology
        self._request = request
        self._names = names
        #: those that the source does not have: name -> DSL data (default may hold values)
        self.added: dict[str, dict[str, Any]] = {}
        #: input that asks for a value -> the value in the source
        self.stands_for: dict[str, Value] = {}
        #: values that have to be given when deploying, for the inputs file
        self.given: dict[str, Any] = {}
        #: defaults that got an empty text for keys that have no part in the source
        self.defaults: dict[str, Any] = {}
        #: number inputs that select a place in a list
        self.indices: set[Any] = set()
        #: number inputs that say how many instances there are
        self.counts: set[Any] = set()
        self._once: dict[tuple[str, ...], str] = {}
        #: all references to inputs, once they are asked for
        self._taken: list[ex.Input] | None = None

    # -- inputs that the source does not have ---------------------------------------------------------------

    def add(self, wanted: str, data: dict[str, Any]) -> str:
        """Add an input that the source does not have, named ``wanted`` or nearly so. Returns its name."""
        name = self._names.fresh_input(wanted)
        self.added[name] = data
        return name

    def add_once(self, key: tuple[str, ...], wanted: str, data: dict[str, Any]) -> str:
        """Add an input unless ``key`` has one already. Returns its name."""
        name = self._once.get(key)
        if name is None:
            name = self._once[key] = self.add(wanted, data)
        return name

    def declared(self, name: str, path: Path) -> str:
        """The blueprint's input for input ``name`` of the source; one that the source does not declare is added."""
        if name in self._topology.inputs:
            return self._names.input(name)
        if name in self.added:
            return name
        key = ("undeclared", name)
        if key not in self._once:
            self._request.reporter.report("BPC210", path, name=name)
            self.add_once(key, name, {"description": f"Not declared in the {self._request.source.title} template"})
        return self._names.changed(name, self._once[key], path)

    def asks_for(self, fact: str) -> bool:
        """True when an input asks for the fact already."""
        return ("fact", fact) in self._once

    def fact(self, fact: str, path: Path) -> str:
        """The input that asks for a fact that Cloudify does not know."""
        source = self._request.source
        called, (wanted, what) = source.words.facts.get(fact), _FACTS.get(fact, (fact.replace(".", "_"), fact))
        description = f"{what} ({called} in {source.title})" if called else what
        name = self.add_once(("fact", fact), wanted, {"type": "string", "description": description})
        self.stands_for[name] = ex.System(fact)
        self._request.reporter.report("BPC211", path, input=name)
        return name

    def fact_of(self, name: str) -> str | None:
        """The fact that an input called ``name`` asks for, in any blueprint; None for none."""
        return next((fact for fact, row in _FACTS.items() if row[0] == name), None)

    def branches(self, branches: list[Value], path: Path) -> str:
        """The hidden input that holds the branches of a choice; the same branches share one."""
        key = repr(branches)
        counts = key in ("[1, 0]", "[0, 1]")
        what = "Instances of conditional resources" if counts else f"Branches of {dotted(path)}"
        data = {"description": f"{what}; a condition picks one by its index", "hidden": True, "default": branches}
        name = self.add_once(("branches", key), "if_created" if counts else f"if_{path_name(path)}", data)
        if not self.added[name]["description"].startswith(what):
            words = "Branches of several places; a condition picks one by its index"
            self.added[name]["description"] = words
        return name

    def condition(self, name: str, truth: bool, compute: Callable[[], Value]) -> str:
        """The hidden input that is true where the source's condition ``name`` is ``truth``; its default is what
        ``compute`` gives."""
        key = ("condition", name if truth else f"not {name}")
        if key not in self._once:
            holds = compute()
            words = ascii_text(f"Whether the condition '{name}' {'holds' if truth else 'does not hold'}")
            wanted = name if truth else f"not_{name}"
            self.add_once(key, wanted, {"description": words, "hidden": True, "default": holds})
        return self._once[key]

    def table(self, table: dict[str, Any], chooser: str, path: Path) -> str:
        """The hidden input that holds a value for each value of input ``chooser``; the same tables share one."""
        words = f"Values of {dotted(path)} for each value of '{chooser}'"
        data = {"description": ascii_text(words), "hidden": True, "default": table}
        return self.add_once(("table", f"{chooser} {table!r}"), f"{path_name(path)}_by_{chooser}", data)

    def suggest_type(self, name: str, wanted: str) -> None:
        """Give input ``name`` a type where it was added without one."""
        data = self.added.get(name)
        if data is not None and not {"type", "default"} & data.keys():
            self.added[name] = {"type": wanted, **data}

    # -- parts of inputs ------------------------------------------------------------------------------------

    def path(self, name: str, keys: tuple[Value, ...], path: Path) -> tuple[Value, ...] | None:
        """``keys`` as ``get_input`` needs them: numbers for places in lists. Where the default has no such part (the
        source yields an empty text, Cloudify refuses), the blueprint's gets an empty text there; None if it cannot."""
        declared = self._topology.inputs.get(name)
        if declared is None:
            return keys
        default = self.defaults.get(name, declared.default)
        steps: list[Value] = []
        place = default
        is_sure = True
        for key, (_, holder) in zip(keys, selecting(declared, keys), strict=True):
            value = self._default_of(key)
            number = integer(value) if isinstance(holder, list) else None
            if number is not None:
                key, value = (number if value == key else key), number
            is_inside = value != key and self._is_in(key, place)
            is_sure = is_sure and (value == key or is_inside)
            steps.append(key)
            if value is MISSING and is_inside and isinstance(place, dict):
                value = next(iter(place))  # any of them will do
            place = MISSING if value is MISSING else step_into(place, (value,))
        if default is MISSING:
            self._request.reporter.report("BPC213", declared.path, name=name)
        if default is MISSING or place is not MISSING:
            if not is_sure:
                self._request.reporter.report("BPC518", declared.path, name=name)
            return tuple(steps)
        literal = [self._default_of(key) for key in steps]
        if MISSING not in literal:
            patched = MISSING if self._is_seen(name, literal) else _with_text(default, literal)
            if patched is MISSING:
                return None
            self.defaults[name] = patched
            self._request.reporter.report("BPC209", path, name=name)
        else:
            self._request.reporter.report("BPC518", declared.path, name=name)
        return tuple(steps)

    def _is_in(self, key: Value, place: Value) -> bool:
        """True where all values that a computed key may have select something from ``place``, the default."""
        text = isinstance(key, ex.Concat) and len(key.items) == 1
        key = key.items[0] if isinstance(key, ex.Concat) and text else key
        declared = self._topology.inputs.get(key.name) if isinstance(key, ex.Input) and not key.keys else None
        allowed = (
            [constraint.argument for constraint in declared.constraints if constraint.kind == "allowed_values"]
            if declared
            else []
        )
        values = [str(item) if text else item for item in allowed[0]] if allowed else []
        return bool(values) and all(step_into(place, (item,)) is not MISSING for item in values)

    def _is_seen(self, name: str, keys: list[Value]) -> bool:
        """True where another part of the template takes something that the part at ``keys`` of an input is in."""
        if self._taken is None:
            self._taken = [expr for expr in ex.walk(list(self._topology.values())) if isinstance(expr, ex.Input)]
        mine = (expr for expr in self._taken if isinstance(expr.name, ex.Expr) or expr.name == name)
        return any(isinstance(expr.name, ex.Expr) or _leads_to(expr, keys) for expr in mine)

    def _default_of(self, key: Value) -> Value:
        """A key's value when every parameter has its default."""
        if isinstance(key, ex.Input) and isinstance(key.name, str):
            declared = self._topology.inputs.get(key.name)
            default = MISSING if declared is None else declared.default
            if declared is None or default is MISSING:
                return MISSING
            values = list(map(self._default_of, key.keys))
            for position, (_, holder) in enumerate(selecting(declared, tuple(values))):
                number = integer(values[position]) if isinstance(holder, list) else None
                values[position] = values[position] if number is None else number
            return step_into(default, values)
        return MISSING if isinstance(key, ex.Expr) else key


class InputKinds(Kinds):
    """The kinds of values, those of added inputs among them."""

    def __init__(self, topology: Topology, request: Request, inputs: Inputs) -> None:
        super().__init__(topology, request.catalogue)
        self._inputs = inputs

    def of_input(self, name: str, keys: tuple[Value, ...]) -> str:
        """See :meth:`Kinds.of_input`."""
        if name in self._topology.inputs or not keys:
            return super().of_input(name, keys)
        default = self._inputs.added.get(name, {}).get("default")
        parts = list(default.values()) if isinstance(default, dict) else default
        texts = isinstance(parts, list) and bool(parts) and all(isinstance(item, str) for item in parts)
        return "text" if texts else "any"


def _leads_to(expr: ex.Input, keys: list[Value]) -> bool:
    """True for a reference to something that the part at ``keys`` may be in."""
    around = zip(expr.keys, keys, strict=False)
    return len(expr.keys) < len(keys) and all(
        isinstance(step, ex.Expr) or str(step) == str(key) for step, key in around
    )


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
