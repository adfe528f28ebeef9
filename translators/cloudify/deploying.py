"""What to do before blueprints can be deployed, as commands of Cloudify's client ``cfy``: secrets to create, blueprints
to upload, those of components before the ones that use them, and the deployments."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bpconvert.translators.support.deploying import Bundle, Question, Step
from bpconvert.translators.support.places import entries, inside, maps

#: the section that keeps the source, whose texts are no calls
_KEPT = "metadata"
_BLUEPRINT = ("properties", "resource_config", "blueprint")


def steps(bundles: Sequence[Bundle]) -> list[tuple[str, list[Step]]]:
    """The steps for blueprints and their components."""
    names: dict[str, None] = {}
    computed = 0
    for bundle in bundles:
        for data in (bundle.data, *bundle.nested.values()):
            for name in _secrets(data):
                computed += name is None
                names |= {name: None} if name is not None else {}
    secrets = [Step(("cfy", "secrets", "create", name, "--secret-string", Question(name))) for name in sorted(names)]
    if computed:
        secrets.append(Step(remark="further secrets have names that are computed: look for get_secret"))
    uploads: dict[str, Step] = {}
    deployments: list[Step] = []
    for bundle, name in zip(bundles, _names(bundles), strict=True):
        for inner, path in _components(bundle, bundle.path, bundle.data, ()):
            uploads.setdefault(inner, _upload(inner, path))
        uploads[name] = _upload(name, bundle.path)
        deployments += _deployments(bundle, name)
    rows = [("Create the secrets", secrets), ("Upload the blueprints", list(uploads.values()))]
    return [*(row for row in rows if row[1]), ("Deploy", deployments)]


def _upload(name: str, path: str) -> Step:
    return Step(("cfy", "blueprints", "upload", "-b", name, f"./{path}" if path.startswith("-") else path))


def _secrets(data: Any) -> Iterator[str | None]:
    """The names of the secrets that a blueprint asks for; None for one that is computed."""
    content = {section: value for section, value in data.items() if section != _KEPT} if isinstance(data, dict) else {}
    for value, _ in maps(content, ()):
        if len(value) == 1 and "get_secret" in value:
            argument = value["get_secret"]
            first = argument[0] if isinstance(argument, list) and argument else argument
            yield first if isinstance(first, str) else None


def _components(bundle: Bundle, path: str, data: Any, above: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The blueprints of components, the innermost first: (id, file)."""
    for node in entries(data, "node_templates").values():
        meant = inside(node, _BLUEPRINT)
        name, file = (meant.get("id"), meant.get("main_file_name")) if isinstance(meant, dict) else (None, None)
        if not (isinstance(name, str) and isinstance(file, str)):
            continue
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if place in bundle.nested and place not in above:
            yield from _components(bundle, place, bundle.nested[place], (*above, place))
            yield name, place


def _names(bundles: Sequence[Bundle]) -> list[str]:
    """An id for each blueprint: its file's name, with folders where two have the same."""
    chosen: list[str] = []
    for bundle in bundles:
        parts = [part for part in posixpath.splitext(bundle.path)[0].split("/") if part not in ("", ".", "..")]
        names = ["-".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]
        clean = [re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "blueprint" for name in names]
        numbered = (f"{clean[-1]}-{number}" for number in range(2, len(bundles) + 3))
        chosen.append(next(name for name in (*clean, *numbered) if name not in chosen))
    return chosen


def _deployments(bundle: Bundle, name: str) -> Iterator[Step]:
    """The deployments of a blueprint: one for each stage, where there are stages."""
    stages: Mapping[str, tuple[str, Mapping[str, Any]]] = bundle.inputs
    for stage in [stage for stage in stages if stage] or [""]:
        deployment = f"{name}-{stage}" if stage else name
        file, values = stages.get(stage, ("", {}))
        declared = entries(bundle.data, "inputs").items()
        open_ones = [key for key, entry in declared if not _has_default(entry) and key not in values]
        remark = f"{deployment} needs further inputs: {', '.join(map(str, open_ones))}" if open_ones else ""
        options = ("-i", file) if file else ()
        yield Step(("cfy", "deployments", "create", deployment, "-b", name, *options), True, remark)
        yield Step(("cfy", "executions", "start", "install", "-d", deployment), True)


def _has_default(entry: Any) -> bool:
    return isinstance(entry, dict) and ("default" in entry or entry.get("required") is False)
