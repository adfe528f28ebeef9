"""Nothing of a HOT is lost silently: every key and every scalar of a source is in the result, or a diagnostic speaks of
its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from losses import REAL, Haystack, at, own, parts, shown, sources, texts

from bpconvert.api import Result, convert
from bpconvert.diagnostics import SourceError
from bpconvert.translators.hot.functions import FUNCTIONS
from bpconvert.translators.types import builtin
from bpconvert.yamlio.document import load

SOURCES = sources("hot", "hot.yaml")
#: words of the language itself; what they say is checked by the other tests
SYNTAX = {f.name for f in FUNCTIONS} | {
    "heat_template_version", "parameters", "resources", "outputs", "type", "properties", "depends_on", "template",
    "params", "default", "description", "label", "constraints", "value", "hidden", "for_each", "expression", "data",
    "range", "length", "min", "max", "allowed_values", "allowed_pattern",
}  # fmt: skip
#: keys that the compute API has other words for (see the hook ``block_devices``)
DEVICE_KEYS = {"volume_id", "snapshot_id", "image", "swap_size", "ephemeral_size", "ephemeral_format"}
#: HOT word -> what a blueprint says instead
TRANSLATED = {
    "number": "float", "comma_delimited_list": "list", "json": "", "string": "string", "boolean": "boolean",
    "OS::stack_name": "get_sys", "OS::stack_id": "get_sys", "OS::project_id": "os_project_id",
    "OS::region": "os_region", "CREATE": "create", "UPDATE": "update", "DELETE": "delete", "SUSPEND": "suspend",
    "RESUME": "resume", "resource_def": "", "count": "", "index_var": "", "min_size": "min_instances",
    "max_size": "max_instances", "desired_capacity": "default_instances",
    "GroupDescription": "description", "SecurityGroupIngress": "security_group_rules",
    "SecurityGroupEgress": "security_group_rules", "IpProtocol": "protocol", "FromPort": "port_range_min",
    "ToPort": "port_range_max", "CidrIp": "remote_ip_prefix", "SourceSecurityGroupId": "remote_group_id",
    "SourceSecurityGroupName": "remote_group_id", "pool": "floating_network",
    "Parameters": "inputs", "Outputs.size": "capabilities",
}  # fmt: skip
#: diagnostics that speak of a whole entry: it became something else, or nothing
WHOLE = {"BPC120", "BPC300", "BPC303", "BPC317", "BPC720", "BPC790", "BPC792"}
#: sections that only the carry has
#: group -> the property that has the definition of a member
GROUPS = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}
SECTIONS = ("conditions", "parameter_groups", "heat_template_version")


def missing(source: Path, result: Result) -> list[str]:
    haystack = Haystack(
        [*texts(result.document), *map(str, result.files.values()), *(d.message for d in result.diagnostics)]
    )
    places = {d.path for d in own(result, source)}
    data = load(source.read_bytes(), str(source)).data
    lost = []
    for path, value, is_key in parts(data):
        if any(path[:n] in places for n in range(2, len(path) + 1)) or (is_key and value in SYNTAX):
            continue
        if isinstance(value, str) and value in TRANSLATED and (TRANSLATED[value] in haystack.text):
            continue
        if (is_key and translated_key(data, path, haystack)) or is_translated_attribute(data, path, haystack):
            continue
        if is_implied(data, path, haystack):
            continue
        if path[-1] == "template" and isinstance(value, str):
            value = without_placeholders(data, path, value)
        if path[0] == "resources" and len(path) == definition(data, path)[1] + 1 and path[-1] == "type":
            kind = builtin().heat_kind(value)
            if kind and kind.cloudify and kind.cloudify.type in haystack.text:
                continue
        if is_key and "block_device_mapping_v2" in path and value in DEVICE_KEYS:
            continue
        if not haystack.has(value):
            lost.append(shown(path, value))
    return lost


def is_implied(data: Any, path: tuple[Any, ...], haystack: Haystack) -> bool:
    """True for a property that a relationship says beside another one."""
    if len(path) < 4 or path[0] != "resources" or path[2] != "properties":
        return False
    kind = builtin().heat_kind(data["resources"][path[1]].get("type"))
    lifts = [rule.lift for rule in kind.properties.values() if rule.lift] if kind else []
    return any(path[3] in lift.implies and lift.relationship in haystack.text for lift in lifts)


def without_placeholders(data: Any, path: tuple[Any, ...], template: str) -> str:
    for key in at(data, path[:-1]).get("params", ()):
        template = template.replace(key, " ")
    return template


def definition(data: Any, path: tuple[Any, ...]) -> tuple[Any, int]:
    """The resource that ``path`` is in, or the definition in a group that it is in, and the length of its path."""
    found, length = data["resources"][path[1]], 2
    while isinstance(found, dict) and path[length : length + 2] == ("properties", GROUPS.get(str(found.get("type")))):
        found, length = at(found, path[length : length + 2]), length + 2
    return (found, length) if isinstance(found, dict) else ({}, length)


def is_translated_attribute(data: Any, path: tuple[Any, ...], haystack: Haystack) -> bool:
    """True for an attribute's name that the catalogue translates, and for one of a group whose members' values are
    there."""
    if len(path) < 2 or path[-2] != "get_attr" or path[-1] == 0:
        return False
    reference = at(data, path[:-1])
    resource = data["resources"].get(reference[0])
    if resource and resource["type"] in GROUPS:
        words = ("get_attributes", *(f"{reference[0]}_{number}" for number in range(9)))
        return any(word in haystack.text for word in words)
    kind = builtin().heat_kind(resource["type"]) if resource else None
    return kind is not None and reference[1] in kind.attributes


def translated_key(data: Any, path: tuple[Any, ...], haystack: Haystack) -> bool:
    """True for a property that the catalogue says in other words, which are there."""
    if len(path) < 4 or path[0] != "resources" or path[2] != "properties":
        return False
    resource, start = definition(data, path)
    path = (*path[:2], *path[start:])
    if len(path) < 4:
        return False
    kind = builtin().heat_kind(str(resource.get("type")))
    name = kind.aliases.get(path[3], path[3]) if kind else None
    rule = kind.properties.get(name) if kind and isinstance(name, str) else None
    if rule is None:
        return False
    if len(path) > 4 and rule.hook != "share_access_rules":
        key = rule.aliases.get(path[-1], path[-1])
        rule = rule.each.get(key) if isinstance(key, str) else None
        if rule is None:
            return False
    if rule.hook == "share_access_rules":
        return "share_connected_to" in haystack.text
    inner = list(rule.each.values())
    said = [rule.to.split(".")[-1]] if rule.to else [rule.flatten.split(".")[-1]] if rule.flatten else []
    said += [r.lift.relationship for r in [rule, *inner] if r.lift] + [r.to for r in inner if r.to]
    return any(word in haystack.text for word in said)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: "/".join(p.parts[-3:]))
def test_everything_is_in_the_result_or_reported(source: Path) -> None:
    """Without the carry, and with diagnostics of the very place: one about a whole entry counts only where it says that
    the entry has no node of its own."""
    try:
        result = convert(source, carry=False)
    except SourceError:
        return
    result.diagnostics = [d for d in result.diagnostics if len(d.path) != 2 or d.code in WHOLE]
    assert [lost for lost in missing(source, result) if not lost.startswith(SECTIONS)] == []


def test_real_templates_are_there() -> None:
    if not REAL.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    assert len(SOURCES) > 120


def test_the_check_finds_a_loss(tmp_path: Path) -> None:
    source = tmp_path / "hot.yaml"
    source.write_text("heat_template_version: 2018-08-31\nparameters:\n  size:\n    type: number\n    default: 4711\n")
    result = convert(source, carry=False)
    assert missing(source, result) == ["heat_template_version: '2018-08-31'"]
    result = Result(result.text.replace("4711", "0"), [])
    assert "parameters.size.default: '4711'" in missing(source, result)
