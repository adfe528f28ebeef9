"""HOT to the neutral topology."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, SCALARS, Path, Value, is_constant
from bpconvert.models.hot_checks import check_names, check_version, kind_of
from bpconvert.models.light import NamedTuple
from bpconvert.models.plain import hot, validate
from bpconvert.models.topology import Constraint, Input, Node, Output, Topology
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.catalogue.schemas.values import check_value, text_of
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.evaluate.parameters import check_constraint, coerce
from bpconvert.translators.hot import DIALECT, resource_metadata, resource_types
from bpconvert.translators.hot.functions import Reader, nearest_version
from bpconvert.translators.hot.read import nulls, older_types
from bpconvert.translators.support.findings import Findings, Reports
from bpconvert.translators.support.text import key_text
from bpconvert.yamlio.document import Document

#: HOT parameter type -> neutral type
PARAMETER_TYPES: dict[str, str] = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "comma_delimited_list": "list",
    "json": "json",
}
#: resource keys without a neutral meaning
_RESOURCE_EXTRAS = ("description", "metadata", "update_policy", "deletion_policy")
#: those in which calls are functions
_EVALUATED = ("metadata", "deletion_policy")


class Read(NamedTuple):
    """What was read of a template. ``written``: resource -> its properties under the names that the template has, of
    those that Heat makes."""

    topology: Topology
    written: dict[str, Value]


def to_topology(
    document: Document,
    catalogue: Catalogue,
    reporter: Reporter,
    files: Files | None = None,
    seen: Callable[[Read], None] | None = None,
) -> Topology:
    """The neutral form of a HOT document. Errors that the engine would refuse are reported, everything else is
    read. ``seen``: is given what was read.

    Raises :class:`~bpconvert.diagnostics.SourceError` when the document is no HOT template."""
    template, problems = validate(hot.Template, document.data)
    version = nearest_version(template.heat_template_version)
    problems += check_version(template) + check_names(template)
    for problem in problems:
        reporter.report("BPC120" if problem.removed else "BPC121", problem.path, problem=problem.text)
    reader = Reader(version, declared=template.parameters, names=template.resources)
    topology = Topology(DIALECT, template.heat_template_version or "", _text(template.description))
    findings = Findings(reporter, older_types.FEATURES)
    for name, parameter in template.parameters.items():
        topology.inputs[name] = _input(name, _with_default(name, parameter, reporter, files), reporter)
    for name, condition in template.conditions.items():
        topology.conditions[name] = reader.condition(condition, ("conditions", name), definition=True)
    read = Read(topology, {})
    for name, resource in template.resources.items():
        raw = document.data["resources"][name]
        if resource_types.holds(raw) or resource_metadata.is_kept(raw):
            continue
        written = reader.value(resource.properties or {}, ("resources", name, "properties"))
        node = topology.nodes[name] = _node(name, resource, written, reader, catalogue, findings, files)
        if node.external_id is MISSING:
            read.written[name] = written
            report_source(node.source_type, written, (*node.path, "properties"), topology.inputs, reporter)
    for name, output in template.outputs.items():
        topology.outputs[name] = _output(name, output, reader)
    older_types.rename_attributes(topology)
    for refused in reader.problems:
        if refused.kind == "ignored":
            reporter.report("BPC221", refused.path, problem=refused.text)
        else:
            topology.uncomputable.add(refused.path)
            reporter.report("BPC220", refused.path, problem=refused.text)
    for path in dict.fromkeys(reader.keys):
        reporter.report("BPC214", path, text=key_text(path[-1]))
    topology.features = findings.features
    resource_metadata.restore(topology, reporter)
    resource_metadata.restore_rest(topology, template, document, catalogue, reporter)
    if seen is not None:
        seen(read)
    return topology


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _with_default(name: str, parameter: hot.Parameter, reporter: Reporter, files: Files | None) -> hot.Parameter:
    """A parameter with the default that the environment has for it (heat/engine/parameters.py, ``set_default``)."""
    defaults = files.environment.defaults if files is not None and files.environment is not None else {}
    if name not in defaults or defaults[name] == parameter.default:
        return parameter
    reporter.report("BPC650", ("parameters", name), name=name)
    return parameter.model_copy(update={"default": defaults[name]})


def _input(name: str, parameter: hot.Parameter, reporter: Reporter) -> Input:
    path: Path = ("parameters", name)
    declared = Input(name, PARAMETER_TYPES.get(parameter.type), path=path)
    declared.label, declared.description = _text(parameter.label), _text(parameter.description)
    if "hidden" in parameter.model_fields_set:
        declared.hidden = parameter.hidden in (True, "true", "True", "yes", "on")
    if parameter.default is not None:
        try:
            declared.default = coerce(parameter.type, parameter.default) if declared.type else parameter.default
            _report_coercion(reporter, (*path, "default"), parameter.default, declared.default)
        except ValueError as wrong:
            reporter.report("BPC504", (*path, "default"), problem=str(wrong))
    elif "default" in parameter.model_fields_set:
        declared.extra["default"] = None
    for key in ("immutable", "tags", "schema_"):
        if key in parameter.model_fields_set:
            declared.extra[key.removesuffix("_")] = getattr(parameter, key)
    for index, constraint in enumerate(parameter.constraints or ()):
        declared.constraints.append(_constraint(constraint, parameter.type, (*path, "constraints", index), reporter))
    if declared.default is not MISSING:
        _check_default(declared, parameter, reporter)
    return declared


def _check_default(declared: Input, parameter: hot.Parameter, reporter: Reporter) -> None:
    """Heat refuses a default that breaks a constraint, even when another value is given; so does Cloudify's parser."""
    for constraint in parameter.constraints or ():
        kind = kind_of(constraint)
        try:
            check_constraint(parameter.type, kind, getattr(constraint, kind), parameter.default)
        except (ValueError, TypeError, OverflowError) as wrong:
            reporter.report("BPC504", (*declared.path, "default"), problem=str(wrong))
            declared.default = MISSING


def _constraint(constraint: hot.Constraint, parameter_type: str, path: Path, reporter: Reporter) -> Constraint:
    kind = kind_of(constraint)
    argument = getattr(constraint, kind)
    if kind in ("range", "length", "modulo"):
        argument = {key: _coerced("number", bound) for key, bound in argument.items()}
    elif kind == "allowed_values":
        item = "string" if parameter_type == "comma_delimited_list" else parameter_type
        values = [_coerced(item, value) for value in argument]
        for index, value in enumerate(values):
            _report_coercion(reporter, (*path, kind, index), argument[index], value)
        argument = values
    return Constraint(
        "custom" if kind == "custom_constraint" else kind, argument, _text(constraint.description), (*path, kind), kind
    )


def _report_coercion(reporter: Reporter, path: Path, written: Any, read: Any) -> None:
    if written != read or isinstance(written, bool) is not isinstance(read, bool):
        reporter.report("BPC509", path, value=read)


def _coerced(parameter_type: str, value: Any) -> Any:
    try:
        return coerce(parameter_type, value)
    except ValueError:
        return value


def _node(
    name: str,
    resource: hot.Resource,
    written: Value,
    reader: Reader,
    catalogue: Catalogue,
    findings: Reports,
    files: Files | None,
) -> Node:
    path: Path = ("resources", name)
    meant = resource.type if files is None else files.type_of(resource.type, name)
    if meant != resource.type and files is not None and name not in files.near:
        findings.report("BPC771", (*path, "type"), type=resource.type, other=meant)
    kind = catalogue.kind_of(DIALECT, meant)
    node = Node(name, meant, kind.kind if kind else None, path=path)
    node.properties = nulls.filled(meant, _copied(written), (*path, "properties"), findings)
    wanted = resource.depends_on
    for index, target in enumerate([wanted] if isinstance(wanted, str) else wanted or ()):
        place = (*path, "depends_on") if isinstance(wanted, str) else (*path, "depends_on", index)
        node.wait_for(target, path=place)
        if target == name:
            findings.report("BPC121", place, problem=f"resource '{name}' depends on itself")
    if resource.condition is not None:
        node.condition = reader.condition(resource.condition, (*path, "condition"))
    if resource.external_id is not None:
        node.external_id = reader.value(resource.external_id, (*path, "external_id"))
    node.shows = resource_types.shown(node)
    older_types.neutral(node, kind, findings)
    for key in _RESOURCE_EXTRAS:
        if key in resource.model_fields_set:
            value = getattr(resource, key)
            node.extra[key] = reader.value(value, (*path, key)) if key in _EVALUATED else value
    return node


def _copied(value: Value) -> Value:
    """``value`` with maps and lists of its own; the expressions in it are the same."""
    if isinstance(value, dict):
        return {key: item if type(item) in SCALARS else _copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [item if type(item) in SCALARS else _copied(item) for item in value]
    return value


def _output(name: str, output: hot.Output, reader: Reader) -> Output:
    path: Path = ("outputs", name)
    read = Output(name, reader.value(output.value, (*path, "value")), _text(output.description), path=path)
    if output.condition is not None:
        read.condition = reader.condition(output.condition, (*path, "condition"))
    read.extra = dict(output.model_extra or {})
    return read


#: what is reported of a value; what is missing or unknown, the conversion reports itself
_OF_VALUES: Final = ("BPC171", "BPC172")


def report_source(
    heat_type_name: str, properties: Value, path: Path, inputs: Mapping[str, Input], reporter: Reporter
) -> None:
    """Report the literals, and the defaults of parameters, that Heat refuses in a resource of a template."""
    schema = heat_type(heat_type_name)
    if schema is None or not isinstance(properties, dict):
        return
    for name, value in properties.items():
        rule = schema["properties"].get(name)
        if rule is None:
            continue
        place = (*path, name)
        for misfit in check_value(value, rule, place, name):
            if misfit.code in _OF_VALUES and misfit.sure:
                reporter.report("BPC780", misfit.path, problem=text_of(misfit))
        if not is_constant(value):
            _report_defaults(value, rule, place, inputs, reporter)


def _report_defaults(
    value: Value, schema: dict[str, Any], path: Path, inputs: Mapping[str, Input], reporter: Reporter
) -> None:
    """The same for parameters that are the whole value, or an item or entry of it."""
    if isinstance(value, ex.Input):
        declared = inputs.get(value.name) if isinstance(value.name, str) and not value.keys else None
        if declared is not None and declared.default is not MISSING:
            name = next(step for step in reversed(path) if isinstance(step, str))  # of a list, not its index
            for misfit in check_value(declared.default, schema, path, name):
                if misfit.code in _OF_VALUES:
                    words = {"name": value.name, "problem": text_of(misfit)}
                    reporter.report("BPC781", path, **words)
    elif isinstance(value, dict):
        for name, inner in schema.get("keys", {}).items():
            if name in value:
                _report_defaults(value[name], inner, (*path, name), inputs, reporter)
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            _report_defaults(item, schema["items"], (*path, index), inputs, reporter)
