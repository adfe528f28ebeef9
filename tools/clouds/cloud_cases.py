"""What the deployment of a case of the corpus needs, how its clouds are compared, and what explains a difference."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import yaml
from cloud_files import NAME, digest
from corpus_cases import HOT, Case

from bpconvert.diagnostics import Diagnostic, Fidelity, Severity
from bpconvert.yamlio.document import load

#: node types of the OpenStack plugin, of either generation
OPENSTACK: Final = re.compile(r"cloudify\.(nodes\.openstack|openstack\.nodes)\.")
#: members of an auto scaling group have names made up by Heat
_MEMBER: Final = re.compile(r"(?<=/)[a-z0-9]{12}(?=[/.:\s\"<>]|$)")
#: what Heat's random strings look like
_RANDOM: Final = re.compile(r"\b(?=\w*[A-Z])(?=\w*[a-z])(?=\w*\d)[A-Za-z0-9]{32}\b")
_AGENT: Final = re.compile(r'"\{\\"deployments\\".*?os-collect-config.*?\}\}\}"')
_UUID: Final = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")

#: those of the fake cloud, as the oracle's own
CREDENTIALS: Final = {
    "auth_url": "http://identity.fake", "username": "user", "password": "password", "project_name": "project",
    "region_name": "RegionOne", "user_domain_name": "Default", "project_domain_name": "Default",
}  # fmt: skip

Json = dict[str, Any]
#: case -> what an engine makes of it with the values of each of its recorded clouds, and what the cloud needs for that
Made = Callable[[Case], list[tuple[Json, Json]]]


@dataclass
class Difference:
    """A line about what is not the same, and which entries of the source it is about."""

    line: str
    names: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)


def blueprint_of(case: Case) -> Path:
    return case.target if case.origin == HOT else case.source


def template_of(case: Case) -> Path:
    return case.source if case.origin == HOT else case.target


def digest_of(case: Case) -> str:
    """The digest of what is deployed by Cloudify: the result with its files, or the source with those beside it."""
    return digest(blueprint_of(case), case.files if case.origin == HOT else None)


def has_openstack_nodes(case: Case) -> bool:
    """True if both documents are there and a blueprint of the case speaks of types of the OpenStack plugin."""
    if not (template_of(case).exists() and blueprint_of(case).exists()):
        return False
    folder = case.files if case.origin == HOT else case.folder
    texts = [blueprint_of(case), *folder.rglob("*.yaml")]
    return any(OPENSTACK.search(path.read_text(encoding="utf-8", errors="replace")) for path in texts)


def recorded_in(case: Case) -> Path:
    return case.folder / NAME


def recorded_clouds(case: Case) -> list[Json]:
    """The clouds of a case, which are recorded."""
    found: list[Json] = json.loads(recorded_in(case).read_bytes())["clouds"]
    return found


def ready(case: Case, document: Path, folder: Path) -> Path:
    """The document where it can be deployed: a result stands in a folder of its own with the files of its bundle."""
    if document != case.target or not case.files.is_dir():
        return document
    shutil.copytree(case.files, folder / case.name, dirs_exist_ok=True)
    return Path(shutil.copy(document, folder / case.name))


def lent(document: Path, folder: Path) -> Path | None:
    """A copy of a blueprint, with the credentials of the fake cloud for its nodes that have none; None if all have.

    Most blueprints of the corpus leave them out: every one of the plugin's requests would fail.
    """
    try:
        data = yaml.safe_load(document.read_bytes())
    except yaml.YAMLError:
        return None
    types = data.get("node_types") or {}
    changed = False
    for node in (data.get("node_templates") or {}).values():
        kind = node.get("type")
        while kind in types:
            kind = types[kind].get("derived_from")
        name = "openstack_config" if str(kind).startswith("cloudify.openstack.") else "client_config"
        if OPENSTACK.match(str(kind)) and not (node.get("properties") or {}).get(name):
            node["properties"] = {**(node.get("properties") or {}), name: dict(CREDENTIALS)}
            changed = True
    if not changed:
        return None
    copied = folder / "lent" / document.parent.name
    shutil.copytree(document.parent, copied)
    (copied / document.name).write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return copied / document.name


def environments(case: Case) -> list[str]:
    return list(case.options.environments)


def sets_of_values(case: Case) -> list[Json]:
    """The sets of values that the case is tried with, each with those of a file of inputs beside the result."""
    path = case.folder / "files" / "hot.inputs.yaml"
    beside = yaml.safe_load(path.read_bytes()) if path.exists() else {}
    name = "parameters" if case.origin == HOT else "inputs"
    given = case.options.params if case.origin != HOT or case.options.params else {}
    sets = [{**beside, **dict(given or {}), **one} for one in case.engines.get(name, [{}])]
    return [as_declared(case, one) for one in sets] if case.origin == HOT else sets


def as_declared(case: Case, values: Json) -> Json:
    """Values of parameters as Heat takes them: texts of lists, maps, numbers and truth become those."""
    declared = load(case.source.read_bytes()).data.get("parameters") or {}
    return {name: _as_type((declared.get(name) or {}).get("type"), value) for name, value in values.items()}


def _as_type(kind: Any, value: Any) -> Any:
    if not isinstance(value, str):
        return str(value) if kind == "string" and type(value) in (int, float) else value
    if kind == "comma_delimited_list":
        return [item.strip() for item in value.split(",")] if value else []
    if kind == "number":
        return float(value) if "." in value else int(value)
    if kind == "boolean":
        return value.lower() in ("t", "true", "on", "y", "yes", "1")
    return json.loads(value) if kind == "json" and value else value


# ------------------------------------------------------------------ differences
def differences(case: Case, run: ModuleType, compare: ModuleType, clouds: tuple[Json, Json]) -> list[Difference]:
    """How the clouds of the template and of the blueprint differ, so far as the result is to blame.

    To wait more than the source says does no harm; a race of the source is its own.
    """
    heat, cloudify = clouds
    result = cloudify if case.origin == HOT else heat
    source = heat if case.origin == HOT else cloudify
    if not heat.get("ok"):
        return [failed("Heat", heat)]
    compared = compare.compare(heat, cloudify)
    if compared["verdict"] == "unusable":
        return [Difference(compared["why"])]
    side = "B" if case.origin == HOT else "A"
    apart = components(cloudify)
    rows = [row for row in compared["differences"] if not _is_apart(row, apart)]
    rows += [row for row in compared["order"] if row["in"] == side]
    known = {(race["kind"], race["name"]) for race in source["cloud"]["races"]}
    races = [race for race in result["cloud"]["races"] if (race["kind"], race["name"]) not in known]
    found = [of_row(row, compare, run) for row in rows]
    found += [
        Difference(f"{side} asks for {race['kind']} {race['name']} by its name before it is made", {race["made_by"]})
        for race in races
    ]
    return sorted(found, key=lambda difference: difference.line)


def components(cloudify: Json) -> set[str]:
    """The nodes that a manager deploys from blueprints of their own; the oracle has no manager."""
    if "components" in cloudify:
        return set(cloudify["components"])
    kinds = (cloudify.get("hierarchies") or {}).items()
    return {node for node, kind in kinds if {"cloudify.nodes.Component", "cloudify.nodes.ServiceComponent"} & {*kind}}


def _is_apart(row: Json, apart: set[str]) -> bool:
    """True for what only the template's cloud has because a component makes it on the other side."""
    return row["what"] == "missing in B" and (row["actor_a"] or "").split("/")[0] in apart


def of_row(row: Json, compare: ModuleType, run: ModuleType) -> Difference:
    """A difference that the comparison found, with what it is about."""
    actors = [row.get("actor_a"), row.get("actor_b"), *(row.get("others_a") or ()), *(row.get("others_b") or ())]
    actors += [name for name in (row.get("waiter"), row.get("waits_for")) if name]
    names = {actor.split("/")[0] for actor in actors if actor}
    attribute = row.get("attribute")
    words = {attribute, *run.WORDS.get(attribute, [])} if attribute else set()
    return Difference(_steady(compare.shown(row)), names, words)


def _steady(line: str) -> str:
    """A line without what Heat makes up anew every time: names of members, ids of stacks, passwords of agents."""
    line = _RANDOM.sub("<random>", line)
    return _MEMBER.sub("*", _UUID.sub("<id>", _AGENT.sub('"<settings of os-collect-config>"', line)))


def failed(engine: str, answer: Json) -> Difference:
    """What an engine says of a document that it does not deploy, without ids and names of folders."""
    failures = [f"{failure['node']}: {failure['error']}" for failure in answer.get("failures") or () if failure["node"]]
    text = (failures or [str(answer.get("error"))])[-1]
    refused = (answer.get("cloud") or {}).get("refused") or []
    text += f" ({refused[-1]['message']})" if refused and engine != "Heat" else ""
    text = re.sub(r"(file:/)?/\S*/", "", _UUID.sub("<id>", " ".join(text.split())))
    nodes = {failure["node"].split("/")[0] for failure in answer.get("failures") or () if failure["node"]}
    text = re.sub(r"\b[a-z0-9]{12}(?=: nics)", "*", text)
    return Difference(f"{engine} does not deploy it ({answer.get('stage')}): {text[:300]}", nodes)


def tells(diagnostic: Diagnostic) -> bool:
    """True if a finding says that another cloud may come of it."""
    return diagnostic.fidelity >= Fidelity.APPROXIMATED and diagnostic.severity != Severity.INFO


def reported(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """Entry of the document (or '') -> what is reported of it, and what mentions it."""
    found: dict[str, list[Diagnostic]] = defaultdict(list)
    for diagnostic in diagnostics:
        if not tells(diagnostic):
            continue
        path = list(map(str, diagnostic.path))
        entry = path[1] if len(path) > 1 else ""
        found[entry].append(diagnostic)
        for name in re.findall(r"'([^' ]+)'", diagnostic.message):
            found[name].append(diagnostic)
    return found


def explained(diagnostics: Iterable[Diagnostic], difference: Difference, depends: Json) -> str | None:
    """The code of the finding that reports a difference: of the attribute, of its entry, or of what that needs."""
    found = reported(diagnostics)
    near = [d for name in sorted(difference.names) for d in found.get(name, ())]
    for diagnostic in near:
        text = f"{'.'.join(map(str, diagnostic.path))} {diagnostic.message}".lower()
        if any(word.lower() in text for word in difference.words):
            return diagnostic.code
    if not near:
        near = [d for name in sorted(_behind(difference.names, depends)) for d in found.get(name, ())]
    if not near and not difference.names:
        near = found.get("", [])
    return near[0].code if near else None


def _behind(names: set[str], depends: Json) -> Iterator[str]:
    seen, todo = set(names), list(names)
    while todo:
        for name in depends.get(todo.pop()) or ():
            if name not in seen:
                seen.add(name)
                todo.append(name)
                yield name
