"""A small language and edits of what it becomes: a thing becomes a node, a parameter an input, a script a file."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.putback import PutBack, Wanted, Yield, yielded
from bpconvert.yamlio.document import Document, load

SOURCE = """\
params:
  # in GB
  size: 3

things:
  disk:
    size: {get: size}
    kind: fast  # or slow
    tags: [a, b]
  web:
    host: disk
    script: echo hello
    level: 7
"""


def translated(document: Document) -> Yield | None:
    """What a source becomes. One without things cannot be translated."""
    data: Any = document.data
    if not isinstance(data, dict) or not isinstance(data.get("things"), dict):
        return None
    params, files = data.get("params") or {}, {}
    made: dict[Path, list[Path]] = {("params", name): [("inputs", name)] for name in params}
    nodes: dict[str, Any] = {}
    for name, thing in data["things"].items():
        if not isinstance(thing, dict):
            return None
        own = thing.get("called", name)
        made["things", name] = [("nodes", own)]
        node: dict[str, Any] = {"is": "thing"}
        for key, value in thing.items():
            if key == "script":
                files[f"{name}.sh"] = value
                node["script"] = f"{name}.sh"
            elif key == "twin":
                nodes[value] = {"is": "twin"}
                made["things", name].append(("nodes", value))
            elif key == "port":
                nodes[f"{name}_port"] = {"is": "port"}
                made["things", name].append(("nodes", f"{name}_port"))
            elif key == "host":
                host = data["things"].get(value)
                node["host"] = host.get("called", value) if isinstance(host, dict) else value
            elif key == "level":
                node["properties"] = {"level": value, "next": value + 1 if isinstance(value, int) else value}
            elif key != "called":
                node[key] = value
        nodes[own] = node
    lowered = Lowered({"inputs": {name: {"default": one} for name, one in params.items()}, "nodes": nodes}, made=made)
    for section in ("meta", "node_types"):
        if section in data:
            lowered.data[section] = data[section]
            lowered.made.update({(section, name): [(section, name)] for name in data[section]})
    return yielded(lowered, files)


def settled(before: Document, after: Document) -> Document | None:
    """None where a thing is in one that is not there."""
    things = after.data.get("things") or {}
    missing = [
        one["host"] for one in things.values() if isinstance(one, dict) and "host" in one and one["host"] not in things
    ]
    return None if missing else after


def put_back(change: Callable[[Any], None], source: str = SOURCE, **more: Any) -> PutBack:
    """The source on its way to what it yields with a change."""
    document = load(source, "s")
    made = translated(document)
    assert made is not None
    wanted = deepcopy(made.data)
    change(wanted)
    return PutBack(document, made, Wanted(wanted), more.get("translate", translated), {"get"}, settled, "inputs")


def by_values(change: Callable[[Any], None], source: str = SOURCE, **more: Any) -> tuple[str, list[Any]]:
    """The text of the source after the change, and what is left of it."""
    edits = put_back(change, source, **more)
    edits.by_values()
    return edits.document.text, [(one.path, one.before, one.after) for one in edits.left]


def set_to(value: Any, *path: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


def all_of(*changes: Callable[[Any], None]) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for one in changes:
            one(data)

    return change


def removed(*path: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


def renamed(section: str, old: str, new: str) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        data[section] = {new if name == old else name: one for name, one in data[section].items()}

    return change
