"""The nested templates of groups: each is written like any other template, and beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import MISSING
from bpconvert.models.light import replace
from bpconvert.models.topology import NestedInterface, Node, Topology
from bpconvert.translators.hot.functions import parameters_in
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.places import texts

_Writer = Callable[[Topology, Request], Lowered]


def write_templates(topology: Topology, request: Request, write: _Writer) -> dict[str, str]:
    """The nested templates of all groups, and the files that they use: name -> text. ``write``: writes a topology.

    The groups get to know what their templates ask for, and lose the properties that those do not use."""
    files: dict[str, str] = {}
    for node in topology.nodes.values():
        if node.template is not None and node.nested is not None:
            lowered = _lowered(node.template, request, write)
            _settle_parameters(node, node.nested, node.template, lowered.data)
            text = _text(lowered.data, request)
            node.nested.digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            files |= {**lowered.files, node.nested.file: text}
    return files


def _lowered(inner: Topology, request: Request, write: _Writer) -> Lowered:
    """The nested template. What is reported of inputs, is reported where they are the source's own."""
    reporter = request.reporter
    scratch = Reporter(reporter.locator, list(reporter.diagnostics), reporter.engines)
    own = replace(request, reporter=scratch, files=replace(request.files, inner=True), origin=None)
    lowered = write(inner, own)
    inputs = request.source.words.section("inputs")
    for finding in scratch.diagnostics:
        if finding.path[:1] != (inputs,):
            reporter.record(finding)
    return lowered


def _text(data: dict[str, Any], request: Request) -> str:
    from bpconvert.render import render  # few sources have such groups

    calls = {*request.source.words.calls, *request.target.words.calls}
    return render("hot.yaml.j2", data, templates_dir=request.options.templates, calls=calls)


def _settle_parameters(group: Node, nested: NestedInterface, inner: Topology, data: dict[str, Any]) -> None:
    """Parameters of a template that the group gives have no default; what the template does not use, is not given."""
    parameters = data.get("parameters", {})
    for name, declared in parameters.items():
        if name in inner.inputs:
            declared.pop("default", None)
            if declared["type"] == "comma_delimited_list":  # Heat would split its items at commas once more
                declared["type"] = "json"
        elif "default" not in declared:
            nested.needed[name] = declared
    used = _used(data)
    for name in inner.inputs:
        if name not in used:
            parameters.pop(name, None)
        if name not in parameters:
            group.properties.pop(name, None)
    if not parameters:
        data.pop("parameters", None)


def _used(data: dict[str, Any]) -> set[str]:
    """The parameters that a template refers to; all where a name is computed."""
    parts = [part for section, part in data.items() if section != "parameters"]
    if MISSING in parameters_in(parts):
        return set(data.get("parameters", {}))
    return set(texts(parts))  # any text: conditions may be a parameter's name
