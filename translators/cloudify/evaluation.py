"""What Cloudify computes for a value of a blueprint, in the engine's own order (cloudify-common, ``dsl_parser``).

A value is computed three times over:

1. when the blueprint is parsed: the arguments of every call are checked (``functions.validate_functions``);
2. when the deployment is prepared: the *hybrid* functions are computed. One whose argument is known at run time only is
   refused, except ``concat`` and ``merge``, which wait (``tasks.prepare_deployment_plan``);
3. at run time: everything that is left (``functions.evaluate_outputs`` and its like).

Inner calls come first, and what a call yields is computed again until it no longer changes, so data that looks like a
call is one. Nodes are taken to be prepared before the value, as they are for outputs.
"""

from __future__ import annotations

import json
from collections import UserDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final

from bpconvert.models.cloudify_rules import PREFIX, VERSIONS
from bpconvert.models.expressions import Merge, Path
from bpconvert.models.light import NamedTuple, dataclass, field
from bpconvert.translators.cloudify.calls import READERS, SYSTEM_FACTS, TYPED, called
from bpconvert.translators.cloudify.functions import FUNCTIONS, HYBRID, needs
from bpconvert.translators.cloudify.vocabulary import is_primitive, takes
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.facts import Evaluator, Facts, NotGiven
from bpconvert.translators.evaluate.scope import refusing

#: the engine gives up at this many values inside each other (``_EvaluationHandler.__call__``)
DEEPEST: Final = 50
SELF, SOURCE, TARGET = "SELF", "SOURCE", "TARGET"


@dataclass(frozen=True, eq=False, repr=False)
class Deployment(Facts):
    """What is known of a deployment: ``attributes`` are runtime properties, ``resources`` the properties of nodes."""

    #: node and property -> its value after the deployment was prepared
    prepared: dict[tuple[str, Any], Any] = field(default_factory=dict)

    @cached_property
    def instances(self) -> dict[str, list[Mapping[str, Any]]]:
        """Node -> the runtime properties of each of its instances."""
        rows = {node: data if isinstance(data, list) else [data] for node, data in self.attributes.items()}
        return {node: [dict(properties) for properties in data] for node, data in rows.items()}


class _Prepared(UserDict[str, Any]):
    """The properties of a node after the deployment was prepared."""

    def __init__(self, facts: Deployment, name: str) -> None:
        super().__init__(facts.resources.get(name, {}))
        self.facts, self.name = facts, name

    def __getitem__(self, key: str) -> Any:
        place, prepared = (self.name, key), self.facts.prepared
        if place not in prepared:
            prepared[place] = _BUSY
            try:
                prepared[place] = Evaluation(self.facts, _Context("node", self.name), PREPARE).evaluate(
                    self.data[key], ()
                )
            finally:
                if prepared[place] is _BUSY:
                    del prepared[place]
        if prepared[place] is _BUSY:
            raise Refused(f"the property {key} of {self.name} refers to itself")
        return prepared[place]


_BUSY: Final = object()
PREPARE, RUN = "prepare", "run"


class _Context(NamedTuple):
    """Where a call stands. ``scope``: ``output``, ``node`` or ``relationship``. ``owner``: the node that SELF is.
    ``hinted``: the engine computes the owner's own values, for its first instance."""

    scope: str
    owner: str | None = None
    hinted: bool = False


def compute(value: Any, facts_given: Facts) -> Any:
    """The value that Cloudify computes; plain data.

    Raises :class:`Refused` where the engine refuses and :class:`NotGiven` for what ``facts_given`` does not have.
    """
    version = facts_given.version.removeprefix(PREFIX)
    if version not in VERSIONS:
        raise Refused(f"Cloudify has no version {facts_given.version}")
    if needs(value) > version:
        newer = [name for name, function in FUNCTIONS.items() if function.since > version]
        raise Refused(f"{PREFIX}{version} does not have all of these functions ({', '.join(newer)})")
    facts = Deployment(**vars(facts_given))
    owner = facts.here.get(SELF)
    scope = "node" if owner is not None else "relationship" if SOURCE in facts.here else "output"
    context = _Context(scope, owner, hinted=owner is not None)
    preparing = Evaluation(facts, context, PREPARE)
    preparing.check(value, ())
    return Evaluation(facts, context, RUN).evaluate(preparing.evaluate(value, ()), ())


class Evaluation:
    """One of the engine's passes over a value that stands at one place."""

    def __init__(self, facts: Deployment, context: _Context, phase: str) -> None:
        self.facts, self.context, self.phase = facts, context, phase
        self.depth = 0

    # -- the walk -------------------------------------------------------------------------------------------

    def check(self, value: Any, path: Path) -> None:
        """Refuse what the parser refuses, in ``value`` as written."""
        if isinstance(value, str) and not value.isascii():
            raise Refused("the parser takes ASCII text only", path)
        name = called(value)
        if name is not None:
            argument = value[name]
            if READERS[name](argument, argument, path) is None:
                raise Refused(f"'{name}' takes {' or '.join(FUNCTIONS[name].shapes)}", path)
            checks = _CHECKS.get(name)
            if checks is not None:
                with refusing(path):
                    checks(self, argument, path)
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in parts:
            self.check(key, path)
            self.check(item, (*path, key))

    def evaluate(self, value: Any, path: Path, written: bool = True) -> Any:
        """``value`` computed as far as this phase does. ``written``: it stands in the source, and its parts do at
        their own places."""
        with self._deeper(path):
            seen = False
            while True:
                value = self._parts(value, path, written)
                name = called(value)
                if name is None:
                    return value
                if not _takes(name, value[name], path):
                    raise Refused(f"'{name}' does not take {value[name]!r}", path)
                if self.phase == PREPARE and FUNCTIONS[name].when != HYBRID:
                    return value
                with refusing(path):
                    computed = _CALLS[name](self, value, path)
                if seen and computed == value:
                    return computed
                value, seen, written = computed, True, written and computed is value

    def _parts(self, value: Any, path: Path, written: bool) -> Any:
        if isinstance(value, dict):
            return {key: self.evaluate(item, (*path, key) if written else path, written) for key, item in value.items()}
        if isinstance(value, list):
            return [self.evaluate(item, (*path, i) if written else path, written) for i, item in enumerate(value)]
        return value

    @contextmanager
    def _deeper(self, path: Path) -> Iterator[None]:
        context = self.context
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                raise Refused(f"nested deeper than the {DEEPEST} levels that Cloudify evaluates", path)
            yield
        finally:
            self.depth -= 1
            self.context = context

    # -- values at the end of a path ------------------------------------------------------------------------

    def walk(self, value: Any, keys: list[Any], path: Path, *, strict: bool) -> Any:
        """The part of properties at ``keys`` (``_get_property_value``). While the deployment is prepared a call on the
        way is not computed: it and the key become a list."""
        for key in keys:
            if called(value) is not None:
                value = [value, key]
            elif isinstance(value, Mapping):
                if key not in value:
                    return self._absent(keys, strict)
                value = self._reached(value[key], path)
            elif isinstance(value, list):
                if not isinstance(key, int):
                    raise Refused(f"'{key}' is no place in a list", path)
                if not -len(value) <= key < len(value):
                    return self._absent(keys, strict)
                value = self._reached(value[key], path)
            else:
                return self._absent(keys, strict)
        return value

    def _reached(self, value: Any, path: Path) -> Any:
        return value if self.phase == PREPARE else self.evaluate(value, path, written=False)

    @staticmethod
    def _absent(keys: list[Any], strict: bool) -> None:
        if strict:
            raise Refused(f"there is no property {'.'.join(map(str, keys))}")

    # -- references -----------------------------------------------------------------------------------------

    def input(self, call: dict[str, Any], path: Path) -> Any:
        """``get_input``, with the type that may stand beside it."""
        argument = call["get_input"]
        name, *keys = argument if isinstance(argument, list) else [argument]
        if any(called(part) is not None for part in (name, *keys)):
            raise Refused("get_input: found an unresolved argument", path)
        value, kind = _part(self._input(name), keys), call.get(TYPED)
        if kind and not (isinstance(kind, str) and is_primitive(kind) and takes(kind, value)):
            raise Refused(f"{value!r} is not of the type {kind}", path)
        return value

    def _input(self, name: Any) -> Any:
        if name not in self.facts.inputs:
            raise Refused(f"there is no input '{name}'")
        return self.facts.inputs[name]

    def property(self, call: dict[str, Any], path: Path) -> Any:
        """``get_property``; what it finds is computed where it stands."""
        name, *keys = call["get_property"]
        if any(called(part) is not None for part in (name, *keys)):
            raise Refused("get_property: found an unresolved argument", path)
        node = self._node_of(name, path)
        reached = self.walk(self._node(node, path), keys, path, strict=True)
        if name not in (SELF, SOURCE, TARGET):
            self.context = self.context._replace(owner=node, hinted=False)
        return reached

    def _node_of(self, name: Any, path: Path) -> Any:
        scope, here = self.context.scope, self.facts.here
        if name == SELF:
            if scope != "node" or (self.phase == RUN and self.context.owner is None):
                raise Refused("SELF is used outside of a node template", path)
            return self.context.owner
        if name in (SOURCE, TARGET):
            if scope != "relationship":
                raise Refused(f"{name} is used outside of a relationship", path)
            return here[name]
        return name

    def attribute(self, call: dict[str, Any], path: Path) -> Any:
        """``get_attribute`` of the only instance, or of the one that is being computed."""
        name, *keys = call["get_attribute"]
        node = self._instance_of(name, path)
        instances = self._instances(node, path)
        own = self.context.hinted and name == self.context.owner
        if len(instances) != 1 and not (own and instances):
            many = "several instances" if instances else "no instance"
            raise Refused(f"'{node}' has {many}: which one is meant is not clear", path)
        return self._attribute(node, 0, keys, path)

    def _instance_of(self, name: Any, path: Path) -> Any:
        if name == SELF and self.context.owner is not None:
            return self.context.owner
        if name in (SOURCE, TARGET) and self.context.scope == "relationship":
            return self.facts.here[name]
        if name in (SELF, SOURCE, TARGET):
            raise Refused(f"{name} is not known here", path)
        return name

    def _instances(self, node: Any, path: Path) -> list[Mapping[str, Any]]:
        self._node(node, path)
        return self.facts.instances.get(node, [{}])

    def _attribute(self, node: str, number: int, keys: list[Any], path: Path) -> Any:
        runtime = self._instances(node, path)[number]
        reached = self.walk(runtime, keys, path, strict=False)
        if reached is None and keys == ["node_instance_index"]:
            reached = number + 1
        elif reached is None and keys == ["node_instance_id"]:
            raise NotGiven(f"the id of the instance of '{node}' is not given", path)
        return self.walk(self._node(node, path), keys, path, strict=False) if reached is None else reached

    def attributes_list(self, call: dict[str, Any], path: Path) -> Any:
        """``get_attributes_list``: an item for each instance."""
        name, *keys = call["get_attributes_list"]
        node = self._listed(name, path)
        return [self._attribute(node, number, keys, path) for number in range(len(self._instances(node, path)))]

    def attributes_dict(self, call: dict[str, Any], path: Path) -> Any:
        """``get_attributes_dict``: a map for each instance, by its id."""
        name, *names = call["get_attributes_dict"]
        node = self._listed(name, path)
        paths = [keys if isinstance(keys, list) else [keys] for keys in names]
        return {
            self._attribute(node, number, ["node_instance_id"], path): {
                ".".join(keys): self._attribute(node, number, keys, path) for keys in paths
            }
            for number in range(len(self._instances(node, path)))
        }

    def _node(self, name: Any, path: Path) -> Mapping[str, Any]:
        """The properties of a node as prepared; raises NotGiven for a node of which nothing is known."""
        if not isinstance(name, str) or (name not in self.facts.resources and name not in self.facts.instances):
            raise NotGiven(f"nothing is given of '{name}'", path)
        return _Prepared(self.facts, name)

    def _listed(self, name: Any, path: Path) -> Any:
        """The node whose instances are listed: the engine knows SELF, SOURCE and TARGET as instances only."""
        if name in (SELF, SOURCE, TARGET):
            raise Refused(f"{name} is an instance, not a node", path)
        return name

    def secret(self, call: dict[str, Any], path: Path) -> Any:
        """``get_secret``, or a part of the JSON in it."""
        argument = call["get_secret"]
        name, *keys = argument if isinstance(argument, list) else [argument]
        if not isinstance(name, str) or name not in self.facts.secrets:
            raise NotGiven(f"'{name}' is not given", path)
        value = self.facts.secrets[name]
        if isinstance(argument, list):
            value = json.loads(value)
            for key in keys:
                value = value[key]
        return value

    def capability(self, call: dict[str, Any], path: Path) -> Any:
        """``get_capability``."""
        deployment, name, *keys = call["get_capability"]
        if deployment not in self.facts.capabilities:
            raise NotGiven(f"nothing is given of the deployment '{deployment}'", path)
        if name not in self.facts.capabilities[deployment]:
            raise Refused(f"there is no capability '{name}'")
        return _part(self.facts.capabilities[deployment][name], keys)

    def environment_capability(self, call: dict[str, Any], path: Path) -> Any:
        """``get_environment_capability``: of the deployment that the label csys-obj-parent names."""
        argument = call["get_environment_capability"]
        name, *keys = argument if isinstance(argument, list) else [argument]
        if name in self.facts.environment_capabilities:
            return _part(self.facts.environment_capabilities[name], keys)
        if not self.facts.labels.get("csys-obj-parent"):
            raise NotGiven(f"the capability '{name}' of the environment is not given", path)
        return self.capability({"get_capability": [self.facts.labels["csys-obj-parent"][0], name, *keys]}, path)

    def group_capability(self, call: dict[str, Any], path: Path) -> Any:
        """``get_group_capability``: a list by deployment, of lists when there are several names, or a map when the name
        starts with ``deployment_id:``."""
        group, names, *keys = call["get_group_capability"]
        if group not in self.facts.group_capabilities:
            raise NotGiven(f"nothing is given of the deployment group '{group}'", path)
        by_deployment = not isinstance(names, list) and names.startswith(_WITH_ID)
        names = names if isinstance(names, list) else [names.removeprefix(_WITH_ID)]
        by_name: dict[str, Any] = {}
        for deployment, capabilities in self.facts.group_capabilities[group].items():
            if any(name in capabilities for name in names):
                values = [_part(capabilities[name], keys) if name in capabilities else None for name in names]
                by_name[deployment] = values[0] if len(values) == 1 else values
        return by_name if by_deployment else [by_name[deployment] for deployment in sorted(by_name)]

    def label(self, call: dict[str, Any], path: Path) -> Any:
        """``get_label``: all values, or one of them."""
        argument = call["get_label"]
        name, index = argument if isinstance(argument, list) else (argument, None)
        values = self.facts.labels.get(name)
        if not values:
            raise NotGiven(f"the label '{name}' is not given", path)
        return list(values) if index is None else values[int(index)]

    def fact(self, call: dict[str, Any], path: Path) -> Any:
        """``get_sys``."""
        entity, name = call["get_sys"][:2]
        if (entity, name) not in SYSTEM_FACTS:
            raise Refused(f"there is no fact {entity} {name}", path)
        value = self.facts.system.get(SYSTEM_FACTS[entity, name])
        if value is None:
            raise NotGiven(f"'{SYSTEM_FACTS[entity, name]}' is not given", path)
        return value

    def consumers(self, call: dict[str, Any], path: Path) -> Any:
        """``get_consumers``."""
        if self.facts.consumers is None:
            raise NotGiven("the consumers are not given", path)
        what = call["get_consumers"]
        consumers = self.facts.consumers.get("ids" if what == "count" else what, [])
        return len(consumers) if what == "count" else list(consumers)

    # -- pure functions -------------------------------------------------------------------------------------

    def pure(self, call: dict[str, Any], path: Path) -> Any:
        """A function of its arguments alone."""
        name = called(call) or ""
        argument = call[name]
        parts = argument if isinstance(argument, list) else [argument]
        if any(called(part) is not None for part in parts):
            if name in ("concat", "merge"):
                return call
            raise Refused(f"{name}: an argument is known at run time only", path)
        expression = Merge(argument, strict=True) if name == "merge" else READERS[name](argument, argument, path)
        return fold(expression, Scope())

    # -- what the parser checks of arguments that hold no calls ---------------------------------------------

    def check_input(self, argument: Any, path: Path) -> None:
        """The input must be declared."""
        name = argument[0] if isinstance(argument, list) else argument
        if called(name) is None:
            self._input(name)

    def check_property(self, argument: Any, path: Path) -> None:
        """The property must be there, as written."""
        name, *keys = argument
        if any(called(part) is not None for part in argument):
            return
        node = self._node_of(name, path)
        self._node(node, path)
        self.walk(self.facts.resources.get(node, {}), keys, path, strict=True)

    def check_node(self, argument: Any, path: Path) -> None:
        """The node must be there, and SELF, SOURCE and TARGET be allowed."""
        name, *keys = argument
        if called(name) is not None or any(called(key) is not None for key in keys):
            return
        if name not in (SELF, SOURCE, TARGET):
            self._node(name, path)
        elif name in _NOT_IN[self.context.scope]:
            raise Refused(f"{name} is not allowed here", path)

    def check_fact(self, argument: Any, path: Path) -> None:
        """Entity and fact must be known."""
        entity, fact = argument[:2]
        entities = {entity for entity, _ in SYSTEM_FACTS}
        if called(entity) is not None:
            return
        if entity not in entities or (called(fact) is None and (entity, fact) not in SYSTEM_FACTS):
            raise Refused(f"there is no fact {entity} {fact}", path)


_WITH_ID: Final = "deployment_id:"
_NOT_IN: Final = {"output": (SELF, SOURCE, TARGET), "relationship": (SELF,), "node": (SOURCE, TARGET)}
_CHECKS: Final[dict[str, Callable[[Evaluation, Any, Path], None]]] = {
    "get_input": Evaluation.check_input,
    "get_property": Evaluation.check_property,
    "get_attribute": Evaluation.check_node,
    "get_attributes_list": Evaluation.check_node,
    "get_attributes_dict": Evaluation.check_node,
    "get_sys": Evaluation.check_fact,
}
#: function -> how it is computed: (evaluation, the call, its path) -> value
_CALLS: Final[dict[str, Callable[[Evaluation, dict[str, Any], Path], Any]]] = {
    **dict.fromkeys(READERS, Evaluation.pure),
    "get_input": Evaluation.input,
    "get_property": Evaluation.property,
    "get_attribute": Evaluation.attribute,
    "get_attributes_list": Evaluation.attributes_list,
    "get_attributes_dict": Evaluation.attributes_dict,
    "get_secret": Evaluation.secret,
    "get_capability": Evaluation.capability,
    "get_environment_capability": Evaluation.environment_capability,
    "get_group_capability": Evaluation.group_capability,
    "get_label": Evaluation.label,
    "get_sys": Evaluation.fact,
    "get_consumers": Evaluation.consumers,
}


def _takes(name: str, argument: Any, path: Path) -> bool:
    """True for a computed argument that the function's ``parse_args`` takes."""
    if name in ("concat", "merge"):
        return isinstance(argument, list)
    if name == "get_sys":
        return isinstance(argument, list) and len(argument) >= 2
    return READERS[name](argument, argument, path) is not None


def _part(value: Any, keys: list[Any]) -> Any:
    for key in keys:
        if not isinstance(value, (dict, list)):
            raise Refused(f"{value!r} has no attribute {key}")
        value = value[key]
    return value


EVALUATOR: Final = Evaluator(compute, "BPC156")
