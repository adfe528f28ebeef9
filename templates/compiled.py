"""Generated from the layouts beside it (``python tools/generate``): what jinja2 makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

Filters: TypeAlias = Mapping[str, Callable[..., Any]]


def _cloudify(_page: Mapping[str, Any], _filters: Filters) -> str:
    data = _page["data"]
    entry = _page["entry"]
    opening = _page["opening"]
    entries = _page["entries"]
    heading = _page["heading"]
    ending = _page["ending"]
    out: list[str] = []

    def section(name: Any, airy: Any, indent: Any = 0) -> str:
        lines: list[str] = []
        texts = entries(name, indent)
        lines.append(str(opening(name, indent)))
        lines.append("\n")
        if airy:
            lines.append("\n")
        lines.append(str((_filters["spaced"](texts) if _filters["tall"](texts) else "\n".join(map(str, texts)))))
        return "".join(lines)

    airy = ["data_types", "node_types", "relationships", "node_templates"]
    page = SimpleNamespace(parts=[heading])
    for name, value in data.items():
        if not (name != "metadata"):
            continue
        if name == "imports" and value:
            part = str(opening(name)) + str("\n") + str("\n".join(map(str, entries(name))))
        elif isinstance(value, Mapping) and value:
            part = section(name, name in airy)
        else:
            part = entry(name, value)
        page.parts = page.parts + [part]
    if "metadata" in data:
        page.parts = page.parts + [entry("metadata", data["metadata"])]
    out.append(str(_filters["spaced"]((page.parts + [ending]))))
    out.append("\n")
    return "".join(out)


def _hot(_page: Mapping[str, Any], _filters: Filters) -> str:
    data = _page["data"]
    entry = _page["entry"]
    opening = _page["opening"]
    entries = _page["entries"]
    heading = _page["heading"]
    ending = _page["ending"]
    out: list[str] = []

    def section(name: Any, airy: Any, indent: Any = 0) -> str:
        lines: list[str] = []
        texts = entries(name, indent)
        lines.append(str(opening(name, indent)))
        lines.append("\n")
        if airy:
            lines.append("\n")
        lines.append(str((_filters["spaced"](texts) if _filters["tall"](texts) else "\n".join(map(str, texts)))))
        return "".join(lines)

    airy = ["resources"]
    page = SimpleNamespace(parts=[heading])
    for name, value in data.items():
        if name == "heat_template_version":
            plain = str(name) + str(": ") + str(value)
            part = str(
                str(entry(name, value)).replace((str(name) + str(": '") + str(value) + str("'")), plain)
            ).replace((str(name) + str(': "') + str(value) + str('"')), plain)
        elif isinstance(value, Mapping) and value:
            part = section(name, name in airy)
        else:
            part = entry(name, value)
        page.parts = page.parts + [part]
    out.append(str(_filters["spaced"]((page.parts + [ending]))))
    out.append("\n")
    return "".join(out)


def _tosca(_page: Mapping[str, Any], _filters: Filters) -> str:
    data = _page["data"]
    entry = _page["entry"]
    opening = _page["opening"]
    entries = _page["entries"]
    heading = _page["heading"]
    ending = _page["ending"]
    out: list[str] = []

    def section(name: Any, airy: Any, indent: Any = 0) -> str:
        lines: list[str] = []
        texts = entries(name, indent)
        lines.append(str(opening(name, indent)))
        lines.append("\n")
        if airy:
            lines.append("\n")
        lines.append(str((_filters["spaced"](texts) if _filters["tall"](texts) else "\n".join(map(str, texts)))))
        return "".join(lines)

    body = [
        "inputs",
        "node_templates",
        "relationship_templates",
        "groups",
        "policies",
        "substitution_mappings",
        "workflows",
        "outputs",
    ]
    airy = ["node_types", "node_templates"]
    page = SimpleNamespace(parts=[heading], inner=[])
    for name, value in data.items():
        if not (name not in body and name not in ["metadata", "topology_template"]):
            continue
        if isinstance(value, Mapping) and value:
            part = section(name, name in airy)
        else:
            part = entry(name, value)
        page.parts = page.parts + [part]
    for name, value in data.get("topology_template", {}).items():
        page.inner = page.inner + [entry(name, value, ["topology_template", name], indent=2)]
    for name, value in data.items():
        if not (name in body):
            continue
        if isinstance(value, Mapping) and value:
            part = section(name, name in airy, 2)
        else:
            part = entry(name, value, [name], indent=2)
        page.inner = page.inner + [part]
    if page.inner:
        body_name = "service_template" if data["tosca_definitions_version"] == "tosca_2_0" else "topology_template"
        page.parts = page.parts + [(str(body_name) + str(":\n") + str(_filters["spaced"](page.inner)))]
    if "metadata" in data:
        page.parts = page.parts + [entry("metadata", data["metadata"])]
    out.append(str(_filters["spaced"]((page.parts + [ending]))))
    out.append("\n")
    return "".join(out)


#: name of a template -> (names that it sees, filters) -> its text
LAYOUTS: Final = {
    "cloudify.yaml.j2": _cloudify,
    "hot.yaml.j2": _hot,
    "tosca.yaml.j2": _tosca,
}
