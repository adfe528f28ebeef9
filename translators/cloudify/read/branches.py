"""Hidden inputs that hold the branches of a choice, read back as ``if`` and conditions.

This undoes what :mod:`~.write.conditions` writes, and reads what is written by hand in the same
way::

    inputs:
      if_prod: {hidden: true, default: [big, small]}
    ... {get_input: [if_prod, {string_find: ['|prod|', {concat: ['|', {get_input: env}, '|']}]}]}

is ``{if: [{equals: [{get_param: env}, prod]}, big, small]}``. A hidden input that is such a choice between true and
false is a condition of its name. Which indices are understood:
:mod:`bpconvert.translators.cloudify.read.branch_indices`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.cloudify.openstack.connections import PARTS, of_the_first
from bpconvert.translators.cloudify.read.branch_indices import Decision, Indices
from bpconvert.translators.cloudify.read.condition_names import ConditionNames
from bpconvert.translators.cloudify.vocabulary import shown
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions.choices import as_condition, choose, conjunction, negation, same
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import fresh
from bpconvert.translators.toscalike.node_templates import RawNode, renamed

#: A choice with more expressions in it stays a table: tables that share tables would grow without bounds.
LARGEST = 1000
#: A condition of so many expressions may get a name of its own.
_LONG = 24


def open_maps(
    topology: Topology, nodes: Iterable[RawNode], reporter: Reports, integers: Collection[str] = ()
) -> set[str]:
    """Take the settings of nodes apart where a hidden input holds them, or some of them, so that each is a choice, and
    so are settings that one holds the cases of: what reads them sees each case. Returns the names of the tables that
    were used."""
    folder = _Folder(topology, reporter, integers)
    for node in nodes:
        row = shown(node.ancestry or [node.type])
        maps = _MAPS if row is None else (row.properties,)

        def chosen(value: Value, name: str = node.name) -> Value:
            choice = folder.value(value)
            return choice if choice is value else renamed(choice, {"SELF": name})

        node.properties = opened(node.properties, chosen, maps)
        node.declared = opened(node.declared, chosen, maps)
    return folder.used


def fold_branches(
    topology: Topology, reporter: Reports | None = None, integers: Collection[str] = (), used: Collection[str] = ()
) -> None:
    """Rewrite every choice among the items of a hidden input in ``topology``.

    What means exactly the same is rewritten; with a ``reporter``, also what means nearly the same, and it is notes. The
    rest stays as it is. ``integers``: names of the number inputs that take whole numbers only; ``used``: tables that
    choices were made of already."""
    folder = _Folder(topology, reporter, integers)
    folder.used.update(used)
    topology.rewrite(folder.value)
    for node in topology.nodes.values():
        folder.instances(node)
    if reporter is not None:
        of_the_first(topology, reporter)
    for output in topology.published:
        _conditional(output)
    folder.remove_tables()
    folder.remove_conditions()
    _name_conditions(topology)


def _attempted(value: Value, function: Callable[[ex.Expr], Value]) -> Value:
    """``value`` with ``function`` applied to every expression; ``value`` itself when it is nested too deeply."""
    try:
        return ex.transform(value, function)
    except RecursionError:
        return value


class _Folder:
    """Rewrites the choices of one topology."""

    def __init__(self, topology: Topology, reporter: Reports | None, integers: Collection[str]) -> None:
        self._topology = topology
        self._reporter = reporter
        self._indices = Indices(topology.inputs, integers)
        self._branches: dict[str, list[Value] | None] = {}
        #: hidden inputs whose default is computed -> the condition that it is; None: it is none
        self._conditions: dict[str, Value] = {}
        #: conditions, by their text, that have a name because they are long
        self._named_apart: dict[str, str] = {}
        self.used: set[str] = set()
        #: some input is a table, or a condition
        self._has_choices = any(
            self._is_table(table) or (table.hidden and isinstance(table.default, ex.Expr))
            for table in topology.inputs.values()
        )
        #: how many places choose among the items of each input
        self._uses = Counter[Any](
            expr.name
            for expr in ex.walk(list(topology.values()) if self._has_choices else ())
            if isinstance(expr, ex.Input)
        )
        #: nodes that something refers to: without instances they are there, but by a condition they would not be
        numbered = any(node.instances is not MISSING for node in topology.nodes.values())
        self._referred = _named_nodes(topology) if numbered else set()
        for name, declared in topology.inputs.items():
            if declared.hidden and self._is_table(declared):
                self._folded(name)

    def value(self, value: Value, *, visible: bool = False) -> Value:
        """``value`` with every choice in it as ``if``. ``visible``: also among the constants of an input that users
        see, which otherwise stay a value that they may give."""
        if not self._has_choices:
            return value
        return _attempted(value, lambda expr: self._choice(expr, visible) if isinstance(expr, ex.Input) else expr)

    def instances(self, node: Node) -> None:
        """The number of a node's instances as its condition, where it is none otherwise."""
        node.instances = self.value(node.instances, visible=self._chooses_none(node.instances))
        if node.limits[1] is not MISSING:  # a group with limits may be empty
            return
        value, condition = node.instances, True
        if isinstance(value, ex.If) and _is_none(value.otherwise):
            value, condition = value.then, value.condition
        elif isinstance(value, ex.If) and _is_none(value.then):
            value, condition = value.otherwise, negation(value.condition)
        elif _is_none(value) and node.name not in self._referred:
            value, condition = MISSING, False
            if self._reporter is not None:
                self._reporter.report("BPC423", node.origins.get(("instances",), node.path), name=node.name)
        if condition is not True:
            before = () if node.condition is MISSING else (node.condition,)
            node.condition = conjunction(*before, condition)
        node.instances = MISSING if type(value) is int and value == 1 else value

    def _chooses_none(self, instances: Value) -> bool:
        """True for a choice that may leave the node out."""
        declared = None
        if isinstance(instances, ex.Input) and isinstance(instances.name, str):
            declared = self._topology.inputs.get(instances.name)
        return declared is not None and isinstance(declared.default, list) and any(map(_is_none, declared.default))

    def remove_tables(self) -> None:
        """Take away the tables whose choices are all written elsewhere now."""
        if not self.used:
            return
        wanted: set[str] = set()
        waiting = list(_references(self._topology, self.used))
        while waiting:
            name = waiting.pop()
            if name is None:  # a name that is computed may be any
                return
            if name in self.used and name not in wanted:
                wanted.add(name)
                waiting += _names(self._topology.inputs[name].default)
        for name in self.used - wanted:
            del self._topology.inputs[name]

    def remove_conditions(self) -> None:
        """Take away the conditions that nothing asks for."""
        if not self._conditions:
            return
        topology = self._topology
        kept = {name: value for name, value in topology.conditions.items() if self._conditions.get(name) is None}
        waiting: list[Value] = list(replace(topology, conditions=kept).values())
        wanted: set[Value] = set()
        while waiting:
            for expr in ex.walk(waiting.pop()):
                if isinstance(expr, ex.Condition) and expr.name not in wanted:
                    wanted.add(expr.name)
                    waiting.append(topology.conditions.get(expr.name))
        topology.conditions = {
            name: value for name, value in topology.conditions.items() if name in kept or name in wanted
        }

    # -- one choice -----------------------------------------------------------------------------------------

    def _choice(self, expr: ex.Input, visible: bool) -> Value:
        declared = self._topology.inputs.get(expr.name) if isinstance(expr.name, str) else None
        if declared is None:
            return expr
        if not expr.keys:
            return self._truth(declared, expr)
        if not self._is_choice(declared, visible):
            return expr
        decision = self._decision(expr.keys[0])
        branches = None if decision is None else self._folded(declared.name)
        if decision is None or branches is None or (decision.findings and self._reporter is None):
            return expr
        then, otherwise = (_step(branches[i], expr.keys[1:]) for i in (decision.then, decision.otherwise))
        if then is MISSING or otherwise is MISSING or not _is_small([then, otherwise]):
            return expr
        chosen = choose(decision.condition, then, otherwise, expr.path)
        if not _is_small(chosen):
            return expr
        self.used.add(declared.name)
        self._report(declared, decision)
        return chosen

    def _shortened(self, chosen: Value, name: str) -> Value:
        """A choice with a name for its condition where that is long."""
        if not isinstance(chosen, ex.If) or _size(chosen.condition) < _LONG:
            return chosen
        key, conditions = repr(chosen.condition), self._topology.conditions
        if key not in self._named_apart:
            self._named_apart[key] = fresh(name, {*conditions, *self._conditions})
        name = self._named_apart[key]
        conditions[name] = self._conditions[name] = chosen.condition
        return replace(chosen, condition=ex.Condition(name, path=chosen.path))

    def _decision(self, index: Value) -> Decision | None:
        condition = as_condition(index) if isinstance(index, ex.If) else None
        return self._indices.read(index) if condition is None else Decision(condition, 1, 0)

    def _truth(self, declared: Input, expr: ex.Input) -> Value:
        """A hidden input that is true or false by a condition, which gets its name; any other one stays."""
        name = declared.name
        if not declared.hidden or declared.constraints or not isinstance(declared.default, ex.Expr):
            return expr
        if name not in self._conditions:
            self._conditions[name] = None  # in a circle, it is none
            self._conditions[name] = as_condition(self.value(declared.default))
        condition = self._conditions[name]
        if condition is None:
            return expr
        self.used.add(name)
        if isinstance(condition, bool):
            return condition
        self._topology.conditions[name] = condition
        return ex.If(ex.Condition(name, path=expr.path), True, False, path=expr.path)

    def _report(self, declared: Input, decision: Decision) -> None:
        if self._reporter is None:
            return
        for finding in decision.findings:
            self._reporter.report(finding.code, finding.path, **finding.texts)
        if not declared.hidden:
            self._reporter.report("BPC422", declared.path, name=declared.name)

    @staticmethod
    def _is_table(declared: Input) -> bool:
        return isinstance(declared.default, list) and len(declared.default) > 1

    def _is_choice(self, declared: Input, visible: bool) -> bool:
        """True for a table that may be written in the places that choose from it. A visible one can be given, which is
        lost then; Heat takes it as it is when it is constant."""
        if not self._is_table(declared) or declared.constraints:
            return False
        return bool(declared.hidden) or (
            self._reporter is not None and (visible or not ex.is_constant(declared.default))
        )

    def _folded(self, name: str) -> list[Value] | None:
        """The branches that input ``name`` holds, with the choices in them written as ``if``; None in a circle. Where
        several places choose among them, long conditions have names, so that choices in choices do not double with each
        level."""
        if name not in self._branches:
            self._branches[name] = None
            branches = self.value(self._topology.inputs[name].default)
            if isinstance(branches, list):
                is_shared = self._uses[name] > 1
                self._branches[name] = [self._shortened(branch, name) for branch in branches] if is_shared else branches
        return self._branches[name]


def _step(value: Value, keys: tuple[Value, ...]) -> Value:
    """The part of a branch that the rest of a path leads to; MISSING where that is not seen."""
    for key in keys:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key, MISSING)
        elif isinstance(value, list) and type(key) is int and -len(value) <= key < len(value):
            value = value[key]
        else:
            return MISSING
    return value


def _is_none(instances: Value) -> bool:
    return type(instances) is int and instances == 0


def _named_nodes(topology: Topology) -> set[str]:
    """The nodes that something refers to."""
    names: set[str] = set()
    values: list[Value] = [output.value for output in topology.published]
    values += [declared.default for declared in topology.inputs.values()]
    for node in topology.nodes.values():
        names.update(node.awaited)
        if node.kind not in PARTS:
            values.append(node.properties)
        values += [operation.inputs for operation in node.operations]
    referred = (expr.node for expr in ex.walk(values) if isinstance(expr, _OF_NODES))
    return names | {name for name in referred if isinstance(name, str)}


_OF_NODES = (ex.Identity, ex.Attribute, ex.AttributeList)


def _size(value: Value) -> int:
    return sum(1 for _ in ex.walk(value))


def _is_small(value: Value) -> bool:
    return next(itertools.islice(ex.walk(value), LARGEST, None), None) is None


def _conditional(output: Output) -> None:
    """A null branch of an output's value as the output's condition."""
    while isinstance(output.value, ex.If):
        value = output.value
        if value.otherwise is None:
            condition, left = value.condition, value.then
        elif value.then is None:
            condition, left = negation(value.condition), value.otherwise
        else:
            return
        before = () if output.condition is MISSING else (output.condition,)
        output.condition, output.value = conjunction(*before, condition), left


def _references(topology: Topology, tables: Collection[str]) -> Iterator[str | None]:
    """The names of all inputs that ``topology`` refers to outside ``tables``; None: a computed name."""
    kept = {name: declared for name, declared in topology.inputs.items() if name not in tables}
    return _names(list(replace(topology, inputs=kept).values()))


def _names(value: Value) -> Iterator[str | None]:
    for expr in ex.walk(value):
        if isinstance(expr, ex.Input):
            yield expr.name if isinstance(expr.name, str) else None


def _name_conditions(topology: Topology) -> None:
    """Name the conditions that are used more than once or have several parts."""
    names = ConditionNames([*topology.conditions, *topology.inputs])

    def counted(value: Value) -> Value:
        for expr in ex.walk(value):
            if isinstance(expr, ex.If) and isinstance(expr.condition, ex.Expr):
                names.count(expr.condition)
        return value

    def with_names(expr: ex.Expr) -> Value:
        if isinstance(expr, ex.If) and isinstance(expr.condition, ex.Expr):
            return replace(expr, condition=names.with_names(expr.condition))
        return expr

    holders: list[Any] = [*topology.nodes.values(), *topology.published]
    topology.rewrite(counted, declared=False)
    for holder in holders:
        if isinstance(holder.condition, ex.Expr):
            names.count(holder.condition)
    if not names.are_wanted:
        return
    topology.rewrite(lambda value: _attempted(value, with_names))
    for holder in holders:
        if isinstance(holder.condition, ex.Expr):
            holder.condition = names.with_names(holder.condition)
    topology.conditions.update(names.definitions)


#: maps whose entries are the settings of a resource
_MAPS = ("resource_config", "kwargs")
#: settings of a resource that stand beside these maps
_RULES = ("security_group_rules", "disable_default_egress_rules")


def opened(
    properties: dict[str, Value], fold: Callable[[Value], Value], maps: tuple[str, ...] = _MAPS
) -> dict[str, Value]:
    """``properties`` with entries that may vanish where ``maps`` were merged or chosen as a whole. ``fold``: writes
    choices as ``if``."""
    result = properties
    for name in maps:
        value = properties.get(name)
        if isinstance(value, (ex.Merge, ex.If)) or (isinstance(value, ex.Input) and value.keys):
            value = _entries(fold(value))
        if isinstance(value, dict):
            inner = opened(value, fold, maps) if name != "kwargs" else value
            inner = {key: _case(item, fold) for key, item in inner.items()}
            result = result if _same_items(inner, properties[name]) else {**result, name: inner}
    for name in _RULES:
        if name in properties:
            result = {**result, name: _case(properties[name], fold)}
    return result


def _case(value: Value, fold: Callable[[Value], Value]) -> Value:
    return fold(value) if isinstance(value, ex.Input) and value.keys else value


def _same_items(first: Value, other: Value) -> bool:
    return isinstance(other, dict) and len(first) == len(other) and all(other.get(k) is v for k, v in first.items())


def _entries(value: Value) -> dict[Any, Value] | None:
    """What a map has under its keys; None for what is no map, or not known to be one."""
    if isinstance(value, dict):
        return value
    if isinstance(value, ex.If):
        then, other = _entries(value.then), _entries(value.otherwise)
        if then is None or other is None:
            return None
        keys = list(dict.fromkeys((*then, *other)))
        return {
            key: _chosen(value.condition, then.get(key, MISSING), other.get(key, MISSING), value.path) for key in keys
        }
    if isinstance(value, ex.Merge) and isinstance(value.maps, (list, tuple)):
        result: dict[Any, Value] = {}
        for entries in map(_entries, value.maps):
            if entries is None:
                return None
            result |= {key: _over(result.get(key, MISSING), item) for key, item in entries.items()}
        return result
    return None


def _chosen(condition: Value, then: Value, other: Value, path: Path) -> Value:
    if then is MISSING and other is not MISSING:
        return _chosen(negation(condition), other, then, path)
    return then if same(then, other) else ex.If(condition, then, other, path=path)


def _over(old: Value, new: Value) -> Value:
    """``new``, or ``old`` where that vanishes."""
    if new is MISSING:
        return old
    if not may_vanish(new) or old is MISSING:
        return new
    return _chosen(new.condition, _over(old, new.then), _over(old, new.otherwise), new.path)
