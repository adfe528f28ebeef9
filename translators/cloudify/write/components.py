"""Nested templates and stacks as components: a deployment of its own, of the blueprint that the template became.

The component names an existing blueprint (``external_resource``), because the manager would remove a blueprint of its
own with the first of several components (cloudify_types: component ``delete``); ``main_file_name`` says which file of
the bundle it is. Without an id the deployment is named like the node instance, so every instance has its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Input, NestedInterface, Node, Operation
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.components import blueprint_id
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.evaluate.parameters import given_to_nested
from bpconvert.translators.passes.expressions.places import WHOLE
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.support.text import ascii_text

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.protocols import References

#: neutral type of a parameter -> the kinds of values that it takes as they are
_FITTING: Final = {
    "string": {"text"}, "number": {"number"}, "boolean": {"boolean"}, "list": {"list"}, "json": {"map", "list", "json"},
}  # fmt: skip


class Writing(Protocol):
    """Writes the properties of nodes, as far as these need it."""

    @property
    def context(self) -> Context:
        """What the parts of the writer share."""

    @property
    def rewriter(self) -> DslRewriter:
        """The rewriter of values."""


# -- properties ---------------------------------------------------------------------------------------------


def blueprint(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Which blueprint the component is a deployment of."""
    nested = _nested(draft.node)
    name = blueprint_id(nested)
    file = writing.rewriter.value(nested.file, source)
    config = {"external_resource": True, "id": name, "main_file_name": file}
    draft.put(("resource_config", "blueprint"), config, source)
    uploads = nested.files is not None and not nested.file.startswith("../") and file == nested.file
    if uploads and nested.files is not None:
        from bpconvert.translators.cloudify import uploads as script  # few blueprints need it

        draft.node.operations.append(script.operation(name, file, nested.files, source))
        draft.moves.append((source, ("node_templates", draft.name, "interfaces")))
        writing.context.topology.files[script.PATH] = script.program()
    code = "BPC976" if uploads else "BPC765"
    writing.context.reporter.report(code, source, name=draft.node.name, id=name, file=nested.file)


def _nested(node: Node) -> NestedInterface:
    assert node.nested is not None  # what a component is made of
    return node.nested


def inputs(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The values of the nested template's parameters."""
    context, nested = writing.context, _nested(draft.node)
    to = ("resource_config", "deployment")
    draft.put(to, {}, source)
    if isinstance(value, dict):
        for name, part in value.items():
            place = (*source, name)
            if part is None and not _is_file(draft.node):
                context.reporter.report("BPC307", place, name=name)
            elif name not in nested.inputs:
                context.reporter.report("BPC763", place, name=name, file=nested.file)
            elif name in nested.names:
                written = _value_for(writing.rewriter, nested, nested.inputs[name], part, place)
                if written is not MISSING:
                    draft.put((*to, "inputs", nested.names[name]), written, place)
        for name, new in nested.names.items():
            if nested.is_required(name) and value.get(name) is None and not (_is_file(draft.node) and name in value):
                draft.put((*to, "inputs", new), _asked_for(context, draft, nested, name), draft.node.path)
            elif name in nested.undefaulted and value.get(name) is None:
                declared, place = nested.inputs[name], draft.node.path
                default = _value_for(writing.rewriter, nested, declared, declared.default, place)
                draft.put((*to, "inputs", new), default, place)
    else:
        written = writing.rewriter.value(value, source)
        draft.put((*to, "inputs"), written, source)
    for name in nested.needed:
        reference = _handed_on(context, draft, nested, name)
        if isinstance(value, dict):
            draft.put((*to, "inputs", name), reference, draft.node.path)


def _asked_for(context: Context, draft: NodeDraft, nested: NestedInterface, name: str) -> ex.Input:
    """The input for a parameter that nothing gives a value: in Heat the environment's ``parameter_defaults`` reach all
    nested stacks by the parameter's name."""
    kind = nested.types.get(nested.names[name], "None")
    data = {"type": kind} if kind != "None" else {}
    data["description"] = f"Value of parameter {ascii_text(name)} of nested templates"
    input_name = context.inputs.add_once(("asked for", kind, name), name, data)
    context.reporter.report("BPC779", draft.node.path, name=name, file=nested.file, input=input_name)
    return ex.Input(input_name, strict=True)


def _handed_on(context: Context, draft: NodeDraft, nested: NestedInterface, name: str) -> ex.Input:
    """An input of this blueprint for one that the nested blueprint has and its template does not."""
    path, data = draft.node.path, dict(nested.needed[name])
    fact = context.inputs.fact_of(name)
    if fact is not None:
        return ex.Input(context.inputs.fact(fact, path), strict=True)
    key = (nested.digest if name in nested.given else draft.name, name)  # only a literal is the same for all
    input_name = context.inputs.add_once(("handed on", *key), f"{draft.name}_{name}", data)
    if name in nested.given:
        context.inputs.given[input_name] = nested.given[name]
    context.reporter.report("BPC766", path, file=nested.file, name=name, input=input_name)
    return ex.Input(input_name, strict=True)


def _value_for(rewriter: DslRewriter, nested: NestedInterface, declared: Input, value: Value, path: Path) -> Value:
    """A value as the parameter's type takes it (heat/engine/properties.py, template_resource.py ``child_params``);
    MISSING where Heat refuses it."""
    report = rewriter.context.reporter.report
    if declared.type is None:
        return rewriter.value(value, path)
    what = {"name": declared.name, "file": nested.file}
    if (number := _as_number(rewriter, nested, declared, value)) is not MISSING:
        return rewriter.value(number, path)
    if ex.is_constant(value):
        try:
            read = given_to_nested(declared.type, value)
        except ValueError as wrong:
            report("BPC767", path, **what, problem=str(wrong))
            return MISSING
        _report_structure(rewriter.context, nested, declared, rewriter.kind(read), path)
        if read != value or isinstance(read, bool) is not isinstance(value, bool):
            report("BPC509", path, value=read)
        return rewriter.value(read, path)
    kind = rewriter.kind(value)
    if declared.type == "list" and kind == "text" and rewriter.is_static(value):
        return rewriter.value(ex.Split(",", value, path=path), path)
    written = rewriter.value(value, path)
    if declared.type == "string" and kind in ("number", "boolean"):
        report("BPC332", path)
        return ex.Concat((written,), path=path)
    if kind not in (*_FITTING.get(declared.type, ()), "any", "null"):
        report("BPC768", path, **what, type=declared.type, given=kind)
    else:
        _report_structure(rewriter.context, nested, declared, kind, path)
    return written


def _as_number(rewriter: DslRewriter, nested: NestedInterface, declared: Input, value: Value) -> Value:
    """The number that a value for a number is, where its text is written; MISSING for other values."""
    type = nested.types.get(nested.names[declared.name])
    if type not in _NUMBERS:
        return MISSING
    content = value.items[0] if isinstance(value, ex.Concat) and len(value.items) == 1 else value
    if not isinstance(content, ex.Expr) or rewriter.kind(content) != "number":
        return MISSING
    if type == WHOLE:
        rewriter.note_indices([rewriter.value(content, content.path)])
    return content


_NUMBERS: Final = (WHOLE, "float")

#: what a structure is called in the DSL
_STRUCTURES: Final = {"dict": "map", "list": "list"}


def _report_structure(context: Context, nested: NestedInterface, declared: Input, kind: str, path: Path) -> None:
    """Report a structure of the wrong kind: json takes any, the nested blueprint's input one."""
    wanted = nested.types.get(nested.names[declared.name], "") if declared.type == "json" else ""
    if _STRUCTURES.get(wanted, kind) != kind and kind in ("map", "list"):
        context.reporter.report("BPC768", path, name=declared.name, file=nested.file, type=wanted, given=kind)


def timeout(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Minutes for the whole stack: seconds for the operation that installs the deployment."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        why = "Cloudify cannot compute seconds of minutes"
        writing.context.reporter.report("BPC302", source, name=source[-1], type=draft.node.source_type, why=why)
        return
    operation = Operation("cloudify.interfaces.lifecycle", "start", "", {"timeout": value * 60}, path=source)
    draft.node.operations.append(operation)
    draft.moves.append((source, ("node_templates", draft.name, "interfaces")))
    writing.context.reporter.report("BPC778", source)


# -- references ---------------------------------------------------------------------------------------------


def identity(references: References, node: Node, path: Path) -> ex.Attribute:
    """``get_resource``: the id of the deployment, unless the template gives another one (heat:
    template_resource.py ``STACK_ID_OUTPUT``)."""
    nested, name = _nested(node), references.node_name(node.name)
    if _is_file(node) and nested.identity:
        return ex.Attribute(name, "capabilities", (nested.identity,), path=path)
    references.report("BPC695", path, name=node.name)
    return ex.Attribute(name, "deployment", ("id",), path=path)


def attribute(references: References, node: Node, expr: ex.Attribute, keys: tuple[Value, ...]) -> ex.Attribute:
    """An output of a nested template.

    Raises Unsupported where it has none of that name."""
    nested, name = _nested(node), str(expr.name)
    if not _is_file(node):
        if name == "stack_name" and not keys:
            return ex.Attribute(references.node_name(node.name), "deployment", ("id",), path=expr.path)
        if name == "outputs" and not keys:
            return ex.Attribute(references.node_name(node.name), "capabilities", path=expr.path)
        if name == "outputs":
            name, keys = str(keys[0]), keys[1:]
        elif name.startswith("Outputs."):
            name = name.removeprefix("Outputs.")
        else:
            raise Unsupported(f"a component has no counterpart of attribute '{name}'")
    if name not in nested.outputs:
        if name.startswith("resource."):
            raise Unsupported(f"what is inside of '{nested.file}' is not known outside: make it an output")
        raise Unsupported(f"'{nested.file}' has no output '{name}'")
    steps = (nested.outputs[name], *keys)
    return ex.Attribute(references.node_name(node.name), "capabilities", steps, path=expr.path)


def _is_file(node: Node) -> bool:
    """True where the type is the template, whose outputs are attributes."""
    return ("template",) in node.origins


#: hook of a property -> what writes it
PRESENT: Final = {"nested_blueprint": blueprint, "nested_inputs": inputs, "stack_timeout": timeout}
#: hook of an attribute -> what rewrites a reference to it
ATTRIBUTES: Final = {"nested_attribute": attribute}
