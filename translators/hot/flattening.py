"""A stack with the stacks that it nests as one template: every resource that runs is one of it, whichever stack has it.

The export of a stack has, for each resource that is a stack of its own, the export of that one with its template and
the values of its parameters (heat/engine/stack.py, ``prepare_abandon``)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.models.hot_versions import VERSIONS
from bpconvert.translators.support.places import inside, mapped, maps
from bpconvert.yamlio.document import load

#: types whose members are resources of a stack that the engine makes -> the property with their definition
GROUPS: Final = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}
_REFERENCES: Final = ("get_param", "get_resource", "get_attr", "if", "resource_facade")
_FORMAT: Final = "heat_template_version"
#: output of a nested stack that is what references to it yield (template_resource.py, ``get_reference_id``)
_OWN_ID: Final = "OS::stack_id"

Json = dict[str, Any]


class Unknown(Exception):
    """A value that one template cannot have; the message says why."""


class Flat:
    """The template that comes of it. ``rows``: what the export has of each resource; ``problems``: (resource, what one
    template cannot have); ``lost``: (resource, property) and (output,) that it cannot have."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.resources: Json = {}
        self.rows: Json = {}
        self.conditions: Json = {}
        self.problems: list[tuple[str, str]] = []
        self.lost: list[tuple[str, ...]] = []
        self.files: Mapping[str, str] = data.get("files") or {}
        self._versions = [str(data["template"].get(_FORMAT))]
        self.stack = stack = Stack(self, data, (), None)
        stack.flatten()
        outputs: Json = {}
        for name, output in (data["template"].get("outputs") or {}).items():
            try:
                outputs[name] = stack.rewritten(output)
            except Unknown:
                self.lost.append((name,))
        sections = {"conditions": self.conditions, "resources": self.resources, "outputs": outputs}
        kept = {key: value for key, value in data["template"].items() if key not in sections and key != _FORMAT}
        self.template = {_FORMAT: self._version(), **kept, **{key: value for key, value in sections.items() if value}}

    def _version(self) -> str:
        """The latest of the versions of all templates."""
        releases = {version.release: date for date, version in VERSIONS.items()}
        return max(self._versions, key=lambda version: releases.get(version, version))

    def add(self, path: tuple[str, ...], body: Json, row: Json | None) -> str:
        """A resource, and the name that it gets; ``row``: None for one that does not exist."""
        name = "_".join(path)
        while name in self.resources:
            name += "_"
        self.resources[name] = body
        if row is not None:
            self.rows[name] = row
        return name

    def versions(self, template: Mapping[str, Any], name: str) -> None:
        """Take note of the version of a nested template."""
        if _FORMAT not in template:
            self.problems.append((name, "it is a stack of a template that is none of HOT"))
        else:
            self._versions.append(str(template[_FORMAT]))


class Stack:
    """A stack of the export. ``given``: the values of its parameters as the outermost template has them; None for the
    outermost one."""

    def __init__(self, flat: Flat, record: Mapping[str, Any], path: tuple[str, ...], values: _Given | None) -> None:
        self.flat, self.record, self.path, self.given = flat, record, path, values
        template = record.get("template") or {}
        self.template: Json = template if isinstance(template, dict) else {}
        self.names: dict[str, str | Stack | _Group] = {}

    # -- resources --------------------------------------------------------------------------------------------
    def flatten(self) -> None:
        """Add its resources; references are rewritten when all of them have their names."""
        own = self.template.get("resources") or {}
        for name, body in own.items():
            if isinstance(body, dict):
                self._place(name, body, (self.record.get("resources") or {}).get(name))
        self._conditions()

    def _place(self, name: str, body: Json, row: Any) -> None:
        path = (*self.path, name)
        if row is None and self.given is not None and "condition" in body:
            return
        if not is_nested(row):
            self.names[name] = self.flat.add(path, self._later(body), row)
        elif body.get("type") in GROUPS:
            self.names[name] = group = _Group(self, name, body, row)
            group.flatten()
        elif "template" in row or body.get("type") in self.flat.files:
            row = row or {"template": _template(self.flat.files[str(body["type"])])}
            values = body.get("properties") or {}
            self.names[name] = self.nested(path, row, values if isinstance(values, dict) else {}, self)
        else:
            self.names[name] = self.flat.add(path, self._later(body), row)

    def nested(self, path: tuple[str, ...], row: Json, properties: Json, outer: Stack) -> Stack:
        """A stack that a resource of this one is."""
        self.flat.versions(row.get("template") or {}, "_".join(path))
        stack = Stack(self.flat, row, path, _Given(outer, properties, row))
        stack.flatten()
        return stack

    def _later(self, body: Json) -> Json:
        """The definition of a resource; it is rewritten by :func:`finished`, when all resources have their names."""
        return _Pending(self, body)

    def _conditions(self) -> None:
        for name, value in (self.template.get("conditions") or {}).items():
            try:
                self.flat.conditions[self._condition(name)] = self._static(value)
            except Unknown as why:
                self.flat.problems.append(("_".join(self.path), str(why)))

    def _condition(self, name: Any) -> Any:
        return "_".join((*self.path, name)) if isinstance(name, str) and self.path else name

    def _static(self, value: Any) -> Any:
        """A condition: parameters are what they were given where that is no value that is known beforehand."""
        if isinstance(value, list):
            return [self._static(item) for item in value]
        if isinstance(value, str):
            return self._condition(value) if value in (self.template.get("conditions") or {}) else value
        if not isinstance(value, dict):
            return value
        if len(value) == 1 and "get_param" in value and self.given is not None:
            literal = self.rewritten(value)
            if any(key in ("get_resource", "get_attr") for key in keys(literal)):
                steps = value["get_param"] if isinstance(value["get_param"], list) else [value["get_param"]]
                return self.given.recorded(steps[0], steps[1:])
            return literal
        return {key: self._static(item) if key != "get_param" else item for key, item in value.items()}

    # -- values -----------------------------------------------------------------------------------------------
    def rewritten(self, value: Any) -> Any:
        """A value as the outermost template has it. Raises Unknown."""
        if isinstance(value, list):
            return [self.rewritten(item) for item in value]
        if not isinstance(value, dict):
            return value
        ((name, argument), *others) = value.items() or [("", None)]
        if not others and name in ("Ref", "Fn::GetAtt") and self.given is not None and self._is_first:
            raise Unknown(f"'{name}' is a reference inside of a stack of its own")
        if others or name not in _REFERENCES:
            return {key: self.rewritten(item) for key, item in value.items()}
        steps = argument if isinstance(argument, list) else [argument]
        if name == "resource_facade":
            raise Unknown("'resource_facade' is about the resource that nests it")
        if name == "if":
            return {name: [self._condition(steps[0]), *map(self.rewritten, steps[1:])]}
        steps = [steps[0], *map(self.rewritten, steps[1:])] if steps else [None]
        if name == "get_param":
            return self._parameter(value, steps)
        target = self.names.get(steps[0]) if isinstance(steps[0], str) else None
        if target is None:
            raise Unknown(f"what '{name}' refers to is no resource of the stack")
        return reference(target) if name == "get_resource" else attribute(target, steps[1:])

    @property
    def _is_first(self) -> bool:
        """True for a template of the version that has the functions of CloudFormation."""
        return str(self.template.get(_FORMAT)) == "2013-05-23"

    def _parameter(self, value: Json, steps: list[Any]) -> Any:
        if self.given is None:
            values = (self.record.get("environment") or {}).get("parameters") or {}
            return "" if _is_beyond(values.get(steps[0]), steps[1:]) else value
        if steps[0] == "OS::project_id":
            return value
        if steps[0] in ("OS::stack_name", "OS::stack_id"):
            return self.record.get(steps[0].removeprefix("OS::stack_"))
        return self.given.value(steps[0], steps[1:])

    def output(self, name: str, steps: list[Any]) -> Any:
        """What an output of it yields. Raises Unknown."""
        outputs = self.template.get("outputs") or {}
        if name not in outputs:
            raise Unknown(f"there is no output '{name}'")
        return within(self.rewritten(inside(outputs, (name, "value"))), steps)

    def all(self) -> Iterator[str]:
        """The names of all its resources."""
        for target in self.names.values():
            yield from [target] if isinstance(target, str) else target.all()


class _Given(dict):  # type: ignore[type-arg]
    """The values of the parameters of a nested stack, taken when they are needed: from the resource that nests it, or
    as they are recorded."""

    def __init__(self, outer: Stack, properties: Json, row: Json) -> None:
        super().__init__()
        self.outer, self.properties, self.row = outer, properties, row
        self.declared = (row.get("template") or {}).get("parameters") or {}

    def value(self, name: Any, steps: list[Any]) -> Any:
        """The value of a parameter, or what is at ``steps`` in it. Raises Unknown."""
        if self.properties.get(name) is None:
            return self.recorded(name, steps)
        try:
            return within(self._typed(name, self.outer.rewritten(self.properties[name])), steps)
        except Unknown:
            return self.recorded(name, steps)

    def recorded(self, name: Any, steps: list[Any]) -> Any:
        """The value that the export has of a parameter, or its default. Raises Unknown."""
        declared = self.declared.get(name) or {}
        values = (self.row.get("environment") or {}).get("parameters") or {}
        if name in values and str(declared.get("hidden")).lower() in ("true", "1", "yes"):
            raise Unknown(f"the value of '{name}' is hidden")
        if name not in values and "default" not in declared:
            raise Unknown(f"the value of '{name}' is not recorded")
        return within(self._typed(name, values.get(name, declared.get("default"))), steps)

    def _typed(self, name: Any, value: Any) -> Any:
        """A text as the type of a parameter has it (heat/engine/parameters.py)."""
        kind = (self.declared.get(name) or {}).get("type")
        if not isinstance(value, str):
            return value
        if kind == "comma_delimited_list":
            return [item.strip() for item in value.split(",")] if value else []
        if kind not in ("json", "number"):
            return value
        try:
            return json.loads(value)
        except ValueError:
            return value


class _Group:
    """A group of a stack: its members are resources of a stack that the engine has made."""

    def __init__(self, stack: Stack, name: str, body: Json, row: Json) -> None:
        self.stack, self.name, self.row = stack, name, row
        self.properties: Json = body.get("properties") or {}
        self.definition: Any = self.properties.get(GROUPS[str(body.get("type"))])
        self.outer = {key: body[key] for key in ("depends_on",) if key in body}
        self.members: dict[str, str | Stack | _Group] = {}

    def flatten(self) -> None:
        """Add its members."""
        path = (*self.stack.path, self.name)
        index = self.properties.get("index_var", "%index%")
        if not isinstance(self.definition, dict) or not isinstance(self.definition.get("type"), str):
            self.stack.flat.problems.append(("_".join(path), "the type of its members is computed"))
            return
        for member, row in (self.row.get("resources") or {}).items():
            replaced = with_index(self.definition, index if isinstance(index, str) else "%index%", member)
            body = {**replaced, **self.outer}
            properties = body.get("properties") or {}
            body["properties"] = properties = {key: value for key, value in properties.items() if value is not None}
            if not is_nested(row):
                self.members[member] = self.stack.flat.add((*path, member), self.stack._later(body), row)
            elif body["type"] in GROUPS:
                inner = Stack(self.stack.flat, {"template": {"resources": {member: body}}}, path, self.stack.given)
                inner.names, inner.template = self.stack.names, self.stack.template
                group = self.members[member] = _Group(inner, member, body, row)
                group.flatten()
            else:
                self.members[member] = self.stack.nested((*path, member), row, properties, self.stack)

    def attribute(self, steps: list[Any]) -> Any:
        """An attribute of it (resource_group.py, ``get_attribute``). Raises Unknown."""
        name, *further = steps or [""]
        if not isinstance(name, str):
            raise Unknown("the attribute of a group is computed")
        if name == "refs":
            return within([reference(member) for member in self.members.values()], further)
        if name in ("refs_map", "outputs", "attributes") and (name == "refs_map" or further):
            attributes = {key: reference(member) for key, member in self.members.items()} if name == "refs_map" else {
                key: attribute(member_stack, further[:1]) for key, member_stack in self.members.items()
            }  # fmt: skip
            return within(attributes, further if name == "refs_map" else further[1:])
        if name == "outputs_list" and further:
            return within([attribute(member, further[:1]) for member in self.members.values()], further[1:])
        if name.startswith("resource."):
            _, member, *inner = name.split(".", 2)
            if member not in self.members:
                raise Unknown(f"there is no member '{member}'")
            found_steps = [*inner, *further]
            return attribute(self.members[member], found_steps) if found_steps else reference(self.members[member])
        if name in ("show", "removed_rsrc_list", "current_size"):
            raise Unknown(f"'{name}' is an attribute of the group itself")
        return [attribute(member, steps) for member in self.members.values()]

    def all(self) -> Iterator[str]:
        """The names of all its resources."""
        for target in self.members.values():
            yield from [target] if isinstance(target, str) else target.all()


class _Pending(dict):  # type: ignore[type-arg]
    """The definition of a resource whose references are not rewritten yet."""

    def __init__(self, stack: Stack, body: Json) -> None:
        super().__init__(body)
        self.stack = stack

    def done(self, lost: Callable[[str], None]) -> Json:
        """The definition; ``lost`` is given what it cannot have. Raises Unknown."""
        body: Json = {key: self[key] for key in self if key not in ("depends_on", "condition")}
        if isinstance(body.get("properties"), dict):
            body["properties"] = dict(self._properties(body["properties"], lost))
        others = {key: self.stack.rewritten(value) for key, value in body.items() if key != "properties"}
        body = {key: others.get(key, value) for key, value in body.items()}
        if "condition" in self and self.stack.given is None:
            body["condition"] = self["condition"]
        waits = self.get("depends_on")
        names = waits if isinstance(waits, list) else [waits] if waits else []
        targets = [self.stack.names[name] for name in names if name in self.stack.names]
        waited_for = [name for target in targets for name in ([target] if isinstance(target, str) else target.all())]
        return {**body, "depends_on": waited_for} if waited_for else body

    def _properties(self, properties: Json, lost: Callable[[str], None]) -> Iterator[tuple[str, Any]]:
        for key, value in properties.items():
            try:
                yield key, self.stack.rewritten(value)
            except Unknown:
                lost(key)


def reference(target: str | Stack | _Group) -> Any:
    """What a reference to a resource yields."""
    if isinstance(target, str):
        return {"get_resource": target}
    if isinstance(target, Stack) and has_own_id(target):
        return target.output(_OWN_ID, [])
    identity = (target.record if isinstance(target, Stack) else target.row).get("id")
    if not identity:
        raise Unknown("the id of a stack is not recorded")
    return identity


def has_own_id(target: Any) -> bool:
    """True for a nested stack that says itself what references to it yield."""
    return isinstance(target, Stack) and _OWN_ID in (target.template.get("outputs") or {})


def attribute(target: str | Stack | _Group, steps: list[Any]) -> Any:
    """What an attribute of a resource yields. Raises Unknown."""
    if isinstance(target, str):
        return {"get_attr": [target, *steps]}
    if isinstance(target, _Group):
        return target.attribute(steps)
    name, *further = steps or [""]
    if isinstance(name, str) and name.startswith("resource."):
        _, resource, *inner = name.split(".", 2)
        if resource not in target.names:
            raise Unknown(f"there is no resource '{resource}'")
        steps = [*inner, *further]
        return attribute(target.names[resource], steps) if steps else reference(target.names[resource])
    return target.output(str(name), further)


def within(value: Any, steps: list[Any]) -> Any:
    """What is at ``steps`` in a value. Raises Unknown where that is not known beforehand."""
    for step in steps:
        is_call = isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("get_param", "get_attr")
        if is_call:
            ((name, argument),) = value.items()
            value = {name: [*(argument if isinstance(argument, list) else [argument]), step]}
        elif isinstance(value, list) and str(step).lstrip("-").isdigit() and -len(value) <= int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and isinstance(step, str) and step in value:
            value = value[step]
        else:
            raise Unknown("a part of a computed value is read")
    return value


def finished(flat: Flat) -> Flat:
    """The same with all references rewritten; resources that cannot be are among its problems."""
    for name, body in flat.resources.items():
        try:
            flat.resources[name] = body.done(lambda key, name=name: flat.lost.append((name, key)))
        except Unknown as why:
            flat.problems.append((name, str(why)))
            flat.resources[name] = {"type": body.get("type")}
    return flat


def is_nested(row: Any) -> bool:
    """True for the export of a stack; one without resources has nothing."""
    return isinstance(row, dict) and ("resources" in row or not row)


def _is_beyond(value: Any, steps: list[Any]) -> bool:
    """True for a place behind the end of a list, of which Heat yields an empty text."""
    for step in steps:
        place = int(step) if str(step).isdigit() else None
        if isinstance(value, list) and place is not None and place >= len(value):
            return True
        value = value[place] if isinstance(value, list) and place is not None else inside(value, (step,))
    return False


def _template(text: str) -> Any:
    """The template of a file."""
    try:
        return load(text).data
    except SourceError:
        return None


def with_index(value: Any, word: str, member: str) -> Any:
    """A definition with the name of the member for the word that stands for it (``_handle_repl_val``)."""
    return mapped(value, lambda text: text.replace(word, member) if isinstance(text, str) else text, keys=True)


def keys(value: Any) -> Iterator[str]:
    """The keys of all maps in a value."""
    for part, _ in maps(value, ()):
        yield from part
