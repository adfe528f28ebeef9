"""Heat's own engine on one template: no server, no database, no cloud, no network.

Runs by its path with any Python that has ``openstack-heat``; imports nothing of bpconvert. One JSON request per line
of standard input, one JSON answer per line of standard output, in order; what the engine prints goes to standard error.

A request (only ``document`` is needed)::

    {"document": path, "parameters": {name: value}, "strict": false, "root": path,
     "resources": {name: {"id": text, "attributes": {name: value}}},
     "system": {"stack_name": text, "stack_id": text, "project_id": text}}

Resources that it names are created, all others are not yet: then ``get_resource`` is the name and ``get_attr`` null, as
Heat has it. Files are read below ``root``, by default the document's folder. The answer::

    {"parameters": {name: value},
     "resources": {name: {"type", "properties", "effective", "depends_on", "needs", "metadata"}},
     "outputs": {name: value},
     "errors": [{"where": [path], "message": text}]}

or ``{"error": text}`` where Heat refuses the template (``"missing": module`` where there is no Heat). ``properties``:
the template's own, every function resolved. ``effective``: every property of the resource's schema, converted, with
defaults and translation rules; null where there is nothing. ``depends_on``: as Heat computes it before anything is
created, also what the resource classes add; ``needs``: the same once ids are known. ``errors``: what Heat refuses to
compute (the value is then not in the answer), and, unless ``strict``, what it has against a resource or an output.
``strict``: all checks of heat.engine.stack.Stack.validate and of the resource classes, values of properties included;
unknown types are refused.

What is not real, because there is no cloud:

- a resource's id and attributes are the given ones (as heat.engine.node_data hands them from worker to worker); an
  attribute may also be named by a whole path, ``addresses.private.0.addr``. Of a group, a path is followed in every
  member (heat/engine/resources/openstack/heat/resource_group.py). The value of a created ``OS::Heat::Value`` is
  computed where none is given;
- every service is available, nothing is looked up by name (translation rules of kind Resolve are left out), and a check
  that asks a service passes: custom constraints such as ``nova.flavor``, checks of resource classes;
- unless ``strict``, an unknown type, and a nested template that is not there, is a resource with any property and any
  attribute;
- nothing is fetched: a file that is not below ``root`` is not there. Files that are not UTF-8 are base64, as the
  command line client sends them.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

# this folder is where the script runs from; there, the name "heat" is this file
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).resolve().parent]

try:
    from heat.common import context as heat_context
    from heat.common import exception, identifier, template_format, urlfetch
    from heat.engine import attributes as heat_attributes
    from heat.engine import (
        constraints,
        environment,
        function,
        node_data,
        parameter_groups,
        properties,
        resource,
        resources,
        template_files,
    )
    from heat.engine import stack as heat_stack
    from heat.engine import template as heat_template
    from heat.engine.resources import template_resource
    from oslo_config import cfg
except ImportError as missing:
    print(json.dumps({"error": str(missing), "missing": missing.name or str(missing)}), flush=True)
    sys.exit(1)

TIME_LIMIT: Final = 60.0
SYSTEM: Final = {"stack_name": "stack", "stack_id": "00000000-0000-4000-8000-000000000000", "project_id": "project"}
TEMPLATE_SUFFIXES: Final = (".yaml", ".template")


class TimeLimit(BaseException):
    """The request took too long. No Exception, so that the engine does not catch it."""


class NoCloud(Exception):
    """Something asked a service."""


# -- the fakes --------------------------------------------------------------------------------------------------------


class Cloud:
    """What stands for the cloud: every question fails, and is counted."""

    asked = 0

    @classmethod
    def refuse(cls, *_: Any, **__: Any) -> Any:
        cls.asked += 1
        raise NoCloud("there is no cloud to ask")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self.refuse

    @classmethod
    def passes(cls, check: Callable[[], Any]) -> Any:
        """What ``check`` yields, or True where it asked a service and failed; a check around it does not see that."""
        before = cls.asked
        try:
            result = check()
        except Exception:
            if cls.asked == before:
                raise
            result = None
        result = result or cls.asked > before
        cls.asked = before
        return result


def _no_fetching(url: str, *_: Any, **__: Any) -> Any:
    raise urlfetch.URLFetchError(f"{url} is not fetched")


def install() -> None:
    """Load Heat without configuration files, with nothing that leaves this process."""
    logging.disable(logging.WARNING)
    shipped = Path(sys.prefix, "etc", "heat", "environment.d")
    cfg.CONF([], project="heat", default_config_files=[], default_config_dirs=[])
    cfg.CONF.import_opt("environment_dir", "heat.common.config")
    cfg.CONF.set_override("environment_dir", str(shipped))
    for name in ("keystone_session", "auth_plugin", "trusts_auth_plugin"):
        setattr(heat_context.RequestContext, name, property(Cloud.refuse))
    resource.Resource.rpc_client = lambda self: Cloud()
    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, Cloud.refuse)
    resource.Resource._validate_service_availability = classmethod(lambda cls, context, type: None)
    is_valid = constraints.CustomConstraint._is_valid
    constraints.CustomConstraint._is_valid = lambda self, *args: Cloud.passes(lambda: is_valid(self, *args))
    urlfetch.get = _no_fetching
    resources.initialise()


class AnyResource(resource.Resource):
    """A resource of a type that nobody defines: any property, any attribute."""

    def __init__(self, name: str, definition: Any, stack: Any) -> None:
        own = definition._properties
        # a map that is computed as a whole is no map to Heat either
        keys = own if isinstance(own, Mapping) else ()
        self.properties_schema = {key: properties.Schema(properties.Schema.ANY) for key in keys}
        self.attributes_schema: dict[str, Any] = {}
        super().__init__(name, definition, stack)

    def get_attribute(self, key: str, *path: Any) -> None:
        return None


class FilesBeside(dict[str, str]):
    """The files below ``root`` by their names relative to ``folder``, read when they are asked for."""

    def __init__(self, folder: Path, root: Path) -> None:
        super().__init__()
        self.folder, self.root = folder.resolve(), root.resolve()

    def __len__(self) -> int:
        # Heat replaces what is empty
        return super().__len__() or 1

    def __missing__(self, name: str) -> str:
        parts = urlsplit(name)
        path = (self.folder / (unquote(parts.path) if parts.scheme == "file" else name)).resolve()
        if parts.scheme not in ("", "file") or not path.is_relative_to(self.root) or not path.is_file():
            raise KeyError(name)
        content = path.read_bytes()
        try:
            self[name] = content.decode("utf-8")
        except UnicodeDecodeError:
            self[name] = base64.encodebytes(content).decode("ascii")
        return self[name]

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self[name] is not None
        except (KeyError, OSError, ValueError):
            return False


# -- what is known of created resources -------------------------------------------------------------------------------


def _select(_: str, value: Any, path: tuple[Any, ...]) -> Any:
    return heat_attributes.select_from_attribute(value, path)


def _members(key: str, value: Any, path: tuple[Any, ...]) -> Any:
    """The path goes into every member: of a list, of the map that ``attributes`` and ``outputs`` are."""
    if not path or key == "refs" or key.startswith("resource."):
        return _select(key, value, path)
    if isinstance(value, list):
        return [_select(key, item, path) for item in value]
    if isinstance(value, Mapping) and key in ("attributes", "outputs"):
        return {member: _select(key, item, path) for member, item in value.items()}
    return _select(key, value, path)


def _outputs(key: str, value: Any, path: tuple[Any, ...]) -> Any:
    """Of a scaling group, only ``outputs`` and ``outputs_list`` are of its members."""
    return (_members if key in ("outputs", "outputs_list") else _select)(key, value, path)


#: type -> how a path is followed in its attributes, where it is not as in every other
GROUPS: Final[Mapping[str, Callable[[str, Any, tuple[Any, ...]], Any]]] = {
    "OS::Heat::ResourceGroup": _members,
    "OS::Heat::ResourceChain": _members,
    "OS::Heat::AutoScalingGroup": _outputs,
}


class Known(dict[str, Any]):
    """Attributes of a created resource: what :class:`heat.engine.node_data.NodeData` holds, for any path.

    ``names``: the attributes that its type has; None: it has any."""

    def __init__(self, attributes: Mapping[str, Any], type_name: str, names: set[str] | None) -> None:
        super().__init__(attributes)
        self.names, self.select = names, GROUPS.get(type_name, _select)
        self.value: Callable[[], Any] | None = None

    def __missing__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            whole = ".".join(map(str, key))
            return self[whole] if whole in self else self.select(key[0], self[key[0]], key[1:])
        if key == "value" and self.value is not None:
            return self.value()
        if self.names is not None and key not in self.names and not str(key).startswith("resource."):
            raise KeyError(key)
        return None

    def items(self) -> Any:
        """What ``get_attr`` of a whole resource gives."""
        names = (self.names or set()) | {name for name in self if "." not in name}
        return {name: self[name] for name in sorted(names)}.items()


# -- one request ------------------------------------------------------------------------------------------------------


class Run:
    """One template under one request: before anything is created, and with the given resources created."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request, self.strict = request, bool(request.get("strict"))
        self.system = {**SYSTEM, **(request.get("system") or {})}
        self.path = Path(request["document"])
        self.context = heat_context.RequestContext(
            username="user", project_id=self.system["project_id"], roles=[], is_admin=False, overwrite=False
        )
        text = self.path.read_bytes().decode("utf-8")
        # a template reaches the engine as JSON
        self.data = json.dumps(template_format.parse(text))
        self.errors: list[dict[str, Any]] = []
        self.before = self.stack({})
        self.types = {name: definition.resource_type for name, definition in self._definitions(self.before)}

    def stack(self, created: Mapping[str, Any]) -> Any:
        """The stack, with what is known of its resources. Having such data, it does not look into a database."""
        folder = self.path.parent
        files = template_files.TemplateFiles({})
        files.files = FilesBeside(folder, Path(self.request.get("root") or folder))
        env = environment.Environment({"parameters": dict(self.request.get("parameters") or {})})
        template = heat_template.Template(json.loads(self.data), files=files, env=env)
        if not self.strict:
            self._allow_unknown(template)
        name, project = self.system["stack_name"], self.system["project_id"]
        stack = heat_stack.Stack(
            self.context, name, template, tenant_id=project, strict_validate=self.strict, cache_data=created
        )
        stack.parameters.set_stack_id(identifier.HeatIdentifier(project, name, self.system["stack_id"]))
        return stack

    @staticmethod
    def _allow_unknown(template: Any) -> None:
        """Register a class for each type that nobody defines."""
        section = template.t.get(template.RESOURCES)
        used = section.values() if isinstance(section, Mapping) else ()
        for name in {str(item.get("type")) for item in used if isinstance(item, Mapping)}:
            if name.endswith(TEMPLATE_SUFFIXES) and name in template.files:
                continue
            try:
                if name.endswith(TEMPLATE_SUFFIXES):
                    raise exception.EntityNotFound(entity="file", name=name)
                template.env.get_class_to_instantiate(name)
            except exception.HeatException:
                registry = template.env.registry
                registry._register_info([name], environment.ClassResourceInfo(registry, [name], AnyResource))

    @staticmethod
    def _definitions(stack: Any) -> Iterator[tuple[str, Any]]:
        """The resources whose condition holds, in the template's order."""
        enabled = stack.defn.enabled_rsrc_names()
        for name in stack.t.t.get(stack.t.RESOURCES) or {}:
            if name in enabled:
                yield name, stack.defn.resource_definition(name)

    def refuse(self, where: list[Any], error: BaseException | str) -> None:
        """Note what Heat finds at one place."""
        problem = {"where": where, "message": str(error) or type(error).__name__}
        if problem not in self.errors:
            self.errors.append(problem)

    @contextlib.contextmanager
    def noting(self, *where: Any) -> Iterator[None]:
        """Note a refusal inside as one of the place."""
        try:
            yield
        except Exception as error:
            self.refuse(list(where), error)

    # -- checks -------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise what Heat has against the template; unless strict, that about single resources is noted."""
        stack = self.before
        if self.strict:
            stack.validate(validate_res_tmpl_only=True)
            for resource in stack.dependencies:
                if resource.external_id is None:
                    problem = Cloud.passes(resource.validate)
                    if problem and problem is not True:
                        raise exception.StackValidationFailed(message=problem)
            return
        stack.t.validate()
        stack.parameters.validate(context=self.context)
        parameter_groups.ParameterGroups(stack.t).validate()
        stack.t.conditions(stack).validate()
        twice = set(stack.parameters) & set(stack.resources)
        if twice:
            raise exception.StackValidationFailed(message=f"Duplicate names {twice}")
        stack._update_all_resource_data(for_resources=True, for_outputs=True)
        for name, _ in self._definitions(stack):
            with self.noting("resources", name):
                self._check_resource(stack.resources[name])
        for name, output in stack.outputs.items():
            with self.noting("outputs", name, "value"):
                output.validate()

    def _check_resource(self, resource: Any) -> None:
        try:
            if resource.external_id is None:
                resource.validate_template()
        except exception.StackValidationFailed as error:
            self.refuse(list(error.path) or ["resources", resource.name], error.error_message or error)

    # -- values -------------------------------------------------------------------------------------------------------

    def answer(self) -> dict[str, Any]:
        """The whole answer."""
        self.check()
        # Heat finds circles when it sorts
        list(self.before.dependencies)
        after = self.created()
        return {
            "parameters": {name: after.parameters[name] for name in after.parameters.non_pseudo_param_keys},
            "resources": {
                name: {
                    "type": definition.resource_type,
                    "properties": self._own(name, definition),
                    "effective": self._effective(after.resources[name]),
                    "depends_on": self._needed(name),
                    "needs": sorted(
                        other.name for other in after.dependencies.requires(after.resources[name]) if other
                    ),
                    "metadata": self._metadata(name, definition),
                }
                for name, definition in self._definitions(after)
            },
            "outputs": dict(self._outputs(after)),
            "errors": self.errors,
        }

    def created(self) -> Any:
        """The stack with the given resources created."""
        data: dict[str, Any] = {}
        for name, sent in (self.request.get("resources") or {}).items():
            if name in self.types:
                data[name] = self._node(name, sent or {})
        stack = self.stack(data)
        for name, node in data.items():
            if self.types[name] == "OS::Heat::Value":
                node._attributes.value = lambda name=name: stack.resources[name].properties["value"]
        return stack

    def _node(self, name: str, sent: Mapping[str, Any]) -> Any:
        definition = self.before.resources[name]
        checks = (resource.Resource.get_attribute, template_resource.TemplateResource.get_attribute)
        names = set(definition.attributes) if type(definition).get_attribute in checks else None
        attributes = Known(sent.get("attributes") or {}, self.types[name], names)
        state = resource.Resource.CREATE, resource.Resource.COMPLETE
        return node_data.NodeData(None, name, None, sent.get("id", name), attributes, *state)

    def _own(self, name: str, definition: Any) -> dict[str, Any]:
        """The template's own properties, every function resolved."""
        raw, where = definition._properties, ("resources", name, "properties")
        properties: dict[str, Any] = {}
        if isinstance(raw, function.Function):
            with self.noting(*where):
                properties = function.resolve(raw) or {}
            return properties
        for key, value in (raw or {}).items():
            with self.noting(*where, key):
                resolved = function.resolve(value, nullable=True)
                if resolved is not Ellipsis:
                    properties[key] = resolved
        return properties

    def _effective(self, resource: Any) -> dict[str, Any]:
        """What the resource hands on. A value that cannot be resolved has been noted already."""
        result: dict[str, Any] = {}
        for key in resource.properties:
            with self.noting("resources", resource.name, "properties", key):
                result[key] = resource.properties[key]
        return result

    def _metadata(self, name: str, definition: Any) -> Any:
        with self.noting("resources", name, "metadata"):
            return definition.metadata()
        return {}

    def _needed(self, name: str) -> list[str]:
        """Names of all resources that this one waits for."""
        needed = self.before.dependencies.requires(self.before.resources[name])
        return sorted(resource.name for resource in needed if resource is not None)

    def _outputs(self, stack: Any) -> Iterator[tuple[str, Any]]:
        for name in stack.t.t.get(stack.t.OUTPUTS) or {}:
            with self.noting("outputs", name, "value"):
                yield name, stack.defn.output_definition(name).get_value()


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else json.dumps(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeLimit inside after so many seconds, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeLimit

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def respond(line: str) -> str:
    """The answer to one line. Never raises."""
    try:
        with limited(TIME_LIMIT):
            return json.dumps(plain(Run(json.loads(line)).answer()))
    except TimeLimit:
        return json.dumps({"error": f"no answer within {TIME_LIMIT:.0f} seconds"})
    except Exception as error:
        kind = "" if isinstance(error, exception.HeatException) else f"{type(error).__name__}: "
        return json.dumps({"error": f"{kind}{error}"})


def main() -> None:
    """Answer every line of standard input."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    install()
    for line in sys.stdin:
        if line.strip():
            answers.write(respond(line) + "\n")
            answers.flush()


if __name__ == "__main__":
    gc.set_threshold(100_000, 20, 100)  # engines make many objects that stay: looking at them costs a fifth of the time
    main()
