"""Nothing of a HOT is lost silently: every key and every scalar of a source is in what its entry became, or a
diagnostic speaks of its place. What is nested is looked at in the same way."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from checkout import REALWORLD
from losses import Haystack, at, converted, documents, own, parts, shown, sources, texts, unneeded

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Diagnostic, Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.hot_versions import LATEST
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.hot.functions import FUNCTIONS, Reader
from bpconvert.translators.hot.read.older_types import ATTRIBUTES
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.one_version

SOURCES = sources("hot", "hot.yaml")
#: words of the language itself; what they say is checked by the other tests
WORDS = {
    "parameters", "resources", "outputs", "type", "properties", "depends_on", "description", "data", "range", "min",
    "max", "allowed_values", "allowed_pattern",
}  # fmt: skip
SYNTAX = {f.name for f in FUNCTIONS}
REFERENCES = (ex.Input, ex.Attribute, ex.Identity)
#: keys that the compute API has other words for (see the hook ``block_devices``)
DEVICE_KEYS = {"ephemeral_size", "ephemeral_format"}
#: type of a parameter -> that of the input, where that is called otherwise
TYPES = {"number": "float", "comma_delimited_list": "list", "json": ""}
#: group -> the property that has the definition of a member
GROUPS = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}
#: keys of Heat's types -> what a blueprint says instead, "" where the shape says it
KEYS = {
    ("OS::Heat::ResourceGroup", "resource_def"): "",
    ("OS::Heat::ResourceGroup", "count"): "",
    ("OS::Heat::ResourceGroup", "index_var"): "",
    ("OS::Heat::AutoScalingGroup", "min_size"): "min_instances",
    ("OS::Heat::AutoScalingGroup", "max_size"): "max_instances",
    ("OS::Heat::AutoScalingGroup", "desired_capacity"): "default_instances",
    ("AWS::EC2::SecurityGroup", "GroupDescription"): "description",
    ("AWS::EC2::SecurityGroup", "SecurityGroupIngress"): "security_group_rules",
    ("AWS::EC2::SecurityGroup", "SecurityGroupEgress"): "security_group_rules",
    ("AWS::EC2::SecurityGroup", "IpProtocol"): "protocol",
    ("AWS::EC2::SecurityGroup", "FromPort"): "port_range_min",
    ("AWS::EC2::SecurityGroup", "ToPort"): "port_range_max",
    ("AWS::EC2::SecurityGroup", "CidrIp"): "remote_ip_prefix",
    ("AWS::EC2::SecurityGroup", "SourceSecurityGroupId"): "remote_group_id",
    ("OS::Nova::FloatingIP", "pool"): "floating_network",
    ("AWS::CloudFormation::Stack", "Parameters"): "inputs",
    ("OS::Designate::Record", "priority"): "records",
    ("OS::Heat::RandomString", "character_classes"): "symbols",
    ("OS::Heat::RandomString", "sequence"): "symbols",
    ("OS::Heat::RandomString", "class"): "digits",
}
#: diagnostics that say what everything below their place became
REWRITTEN = {"BPC222", "BPC223", "BPC309", "BPC311", "BPC314", "BPC341", "BPC687", "BPC759"}
#: sections whose entries are looked at one by one
HAVING = ("parameters", "resources", "outputs", "conditions")
#: diagnostics that speak of a whole entry: it became something else, or nothing
WHOLE = {"BPC303"}
#: those that say what a resource became, and the parts of it of which that is true
PARTLY = {"BPC721": ("type", "actions", "servers"), "BPC219": ("type", "group", "parts", "config")}
PARTLY["BPC256"] = PARTLY["BPC219"]
PARTLY["BPC951"] = ("type", "auto_scaling_group_id", "adjustment_type", "scaling_adjustment")
#: attributes of a port that are said of its network and subnets
OF_OTHERS = {"port_network", "port_subnets"}
#: node that runs a script, which has the text of the configuration that is named
RUNS = "BPC721"
#: sections that only the carry has
SECTIONS = ("conditions", "parameter_groups", "heat_template_version")
#: what a message says that an entry of the source became
BECAME = re.compile(r"'[^']*' is called '([^']*)'|is part of node '([^']*)'|\(([\w, .-]+)\)|into '([^']*)'")


class Check:
    """One source and its result."""

    def __init__(self, source: Path, result: Result) -> None:
        self.folder = source.parent
        self.data = load(source.read_bytes(), str(source)).data
        self.found = own(result, source)
        self.places = {d.path for d in self.found if len(d.path) != 2 or d.code in WHOLE}
        self.excuses = {d.path for d in self.found if d.path in self.places and excuses(d)}
        self.result = result
        self.whole = Haystack([*texts(result.document), *map(str, result.files.values())])
        self.near: dict[tuple[Any, ...], Haystack] = {}

    def missing(self) -> list[str]:
        return [
            shown(path, value)
            for path, value, is_key in parts(self.data)
            if path[0] not in SECTIONS and not self.is_kept(path, value, is_key)
        ]

    def is_kept(self, path: tuple[Any, ...], value: Any, is_key: bool) -> bool:
        """True for a part that is in the result or reported; below a key everything is looked at by itself."""
        first = 2 if path[0] in HAVING else 1
        if path in self.places or any(path[:length] in self.excuses for length in range(first, len(path))):
            return True
        if (is_key and value in SYNTAX | WORDS) or self.is_of_a_reference(path):
            return True
        haystack = self.haystack(path)
        if self.is_said(path, value, is_key, haystack) or self.is_implied(path, haystack):
            return True
        if (is_key and self.is_key_said(path, haystack)) or self.is_attribute_said(path, haystack):
            return True
        if path[-1] == "template" and isinstance(value, str):
            for placeholder in at(self.data, path[:-1]).get("params", ()):
                value = value.replace(placeholder, " ")
        return haystack.has(value)

    def is_of_a_reference(self, path: tuple[Any, ...]) -> bool:
        """True for what a reference names, which is one value, where a diagnostic is at the place of the reference."""
        places = (path[:length] for length in range(2, len(path)) if path[:length] in self.places)
        return any(isinstance(Reader(LATEST).value(at(self.data, place)), REFERENCES) for place in places)

    # -- where to look --------------------------------------------------------------------------------------

    def haystack(self, path: tuple[Any, ...]) -> Haystack:
        """What became of an entry: the input or output, the nodes of a resource and those that refer to it, and what is
        said about it. Of an entry that has none of its own everything may speak."""
        if path[:2] not in self.near:
            said = [d.message for d in self.found if d.path[: len(path[:2])] == path[:2]]
            entries = self.entries(path)
            files = [*map(str, self.result.files.values())]
            self.near[path[:2]] = Haystack([*texts(entries), *files, *said]) if entries else self.with_words(said)
        return self.near[path[:2]]

    def with_words(self, said: list[str]) -> Haystack:
        return Haystack([self.whole.text, *said])

    def entries(self, path: tuple[Any, ...]) -> list[Any]:
        """The entries of the result in which the parts of an entry may be."""
        section, *name = path[:2]
        if not name or section not in ("parameters", "resources", "outputs"):
            return []
        document, left = self.result.document, {name[0], *self.became.get(name[0], ())}
        names = tuple(f"{one}_" for one in left)
        if section == "parameters":
            return [{key: one} for key, one in (document.get("inputs") or {}).items() if key in left]
        found = []
        for where in ("inputs", "node_templates", "groups", "policies", "outputs", "capabilities"):
            for key, entry in (document.get(where) or {}).items():
                mine = key in left or str(key).startswith(names) or (where != "outputs" and left & {*texts(entry)})
                found += [{key: entry}] if mine else []
        has_own = any(key in left for key in self.nodes) if section == "resources" else True
        tables = {key: {key: one} for key, one in (document.get("inputs") or {}).items() if one.get("hidden")}
        values = (document.get("node_templates") or {}).items()
        tables |= {key: {key: one} for key, one in values if one["type"] == "bpconvert.nodes.Value"}
        waiting = list(found)
        while waiting:  # a table may be in another one
            used = {word for entry in waiting for word in texts(entry)}
            waiting = [tables.pop(key) for key in list(tables) if key in used]
            found += waiting
        return found if has_own else []

    # -- what is said in other words ------------------------------------------------------------------------

    def is_said(self, path: tuple[Any, ...], value: Any, is_key: bool, haystack: Haystack) -> bool:
        """True for a word of the language that the blueprint has another word for, which is there."""
        if is_key and self.is_told_inside(path):
            return True
        if path[-1] == "count" and not is_key:
            return len(self.became.get(path[1], ())) >= value if isinstance(value, int) else False
        if path[0] == "resources" and len(path) > 2 and {path[2], *path[3:4]} & self.partly(path):
            return is_key or path[-1] != "config"
        if not isinstance(value, str):
            return False
        if path[0] == "parameters" and path[2:] == ("type",):
            return TYPES.get(value, "-") in haystack.text
        if path[-1] == "get_file" and (self.folder / value).is_file():
            return self.whole.has((self.folder / value).read_text("utf-8", "replace"))
        if path[0] != "resources":
            return False
        if "actions" in path or "deploy_actions" in path:
            return value.lower() in haystack.text
        resource, start = self.definition(path)
        if "depends_on" in path[2:] and not is_key:
            return self.is_ordered(path[1], value)
        if len(path) == start + 1 and path[-1] == "type":
            kind = builtin().kind_of("hot", value)
            if kind is None or kind.cloudify is None:
                return False
            second = [kind.cloudify.v2.type] if kind.cloudify.v2 is not None else []
            return any(name in haystack.text for name in (kind.cloudify.type, *second))
        if is_key and "block_device_mapping_v2" in path and value in DEVICE_KEYS:
            return True
        if path[-2:] == ("config", "get_resource"):
            return any(d.code == RUNS and d.path == path[:2] for d in self.found)
        key = (str(resource.get("type")), value)
        return is_key and key in KEYS and KEYS[key] in haystack.text

    def is_told_inside(self, path: tuple[Any, ...]) -> bool:
        """True for a key below which everything is told, each part at its place."""
        inside = [where for where, _, is_key in parts(at(self.data, path), path) if not is_key]
        return (
            inside != [path]
            and bool(inside)
            and all(
                any(where[:length] in self.places for length in range(len(path) + 1, len(where) + 1))
                for where in inside
            )
        )

    def partly(self, path: tuple[Any, ...]) -> set[str]:
        """The parts of a resource of which a diagnostic says what they became."""
        found = {name for d in self.found if d.path == path[:2] for name in PARTLY.get(d.code, ())}
        return found if len(path) > 2 else set()

    def is_ordered(self, name: Any, target: str) -> bool:
        """True where the node waits for the one that what it depends on is a part of, or is such a part too."""
        owners = self.became.get(target, set()) - {target}
        waiting = {name, *self.became.get(name, ())}
        nodes = self.nodes
        words = {word for one in waiting for word in texts((nodes.get(one) or {}).get("relationships"))}
        return bool(owners & (words | waiting) or {f"{owner}_barrier" for owner in owners} & words)

    @cached_property
    def nodes(self) -> dict[str, Any]:
        return self.result.document.get("node_templates") or {}

    @cached_property
    def became(self) -> dict[str, set[str]]:
        """Resource -> the nodes that the diagnostics say it became, or is part of."""
        found: dict[str, set[str]] = {}
        for diagnostic in self.found:
            if diagnostic.path[:1] == ("resources",) and len(diagnostic.path) > 1:
                for names in BECAME.findall(diagnostic.message):
                    found.setdefault(diagnostic.path[1], set()).update(", ".join(names).split(", "))
        return {name: names - {""} for name, names in found.items()}

    def is_implied(self, path: tuple[Any, ...], haystack: Haystack) -> bool:
        """True for a property that a relationship says beside another one."""
        if len(path) < 4 or path[0] != "resources" or path[2] != "properties":
            return False
        kind = builtin().kind_of("hot", self.data["resources"][path[1]].get("type"))
        lifts = [rule.lift for rule in kind.properties.values() if rule.lift] if kind else []
        return any(path[3] in lift.implies and lift.relationship in haystack.text for lift in lifts)

    def definition(self, path: tuple[Any, ...]) -> tuple[Any, int]:
        """The resource that ``path`` is in, or the definition in a group that it is in, and the length of its path."""
        found, length = self.data["resources"][path[1]] if len(path) > 1 else {}, 2
        while isinstance(found, dict) and path[length : length + 2] == (
            "properties",
            GROUPS.get(str(found.get("type"))),
        ):
            if len(path) < length + 3:
                break
            found, length = at(found, path[length : length + 2]), length + 2
        return (found, length) if isinstance(found, dict) else ({}, length)

    def is_attribute_said(self, path: tuple[Any, ...], haystack: Haystack) -> bool:
        """True for an attribute's name that the catalogue translates, and for one of a group whose members' values are
        there."""
        if len(path) < 2 or path[-2] != "get_attr":
            return False
        reference = at(self.data, path[:-1])
        resource = self.data["resources"].get(reference[0])
        if resource and resource["type"] in GROUPS and reference[1] == "removed_rsrc_list":
            return True  # what the template itself says
        if path[-1] == 0:
            return self.is_copied(resource, reference[1])
        if resource and resource["type"] in GROUPS:
            words = ("get_attributes", *(f"{reference[0]}_{number}" for number in range(9)))
            return any(word in haystack.text for word in words)
        if resource and resource["type"].endswith("DeploymentGroup"):  # their values are those of each server
            return haystack.has(str(reference[1]).removesuffix("s"))
        if resource and resource["type"] == "AWS::CloudFormation::Stack":
            return haystack.has(str(reference[1]).removeprefix("Outputs."))
        kind = builtin().kind_of("hot", resource["type"]) if resource else None
        attribute = ATTRIBUTES.get(resource["type"], {}).get(reference[1], reference[1]) if resource else None
        return kind is not None and attribute in kind.attributes

    def is_copied(self, resource: Any, attribute: Any) -> bool:
        """True for an attribute in whose place the value stands that the resource gets."""
        kind = builtin().kind_of("hot", resource["type"]) if resource else None
        rule = kind.attributes.get(attribute) if kind else None
        return kind is not None and (
            kind.kind == "value" or bool(rule and (rule.property or rule.reference or rule.hook in OF_OTHERS))
        )

    def is_key_said(self, path: tuple[Any, ...], haystack: Haystack) -> bool:
        """True for a property that the catalogue says in other words, which are there."""
        if len(path) < 4 or path[0] != "resources" or path[2] != "properties":
            return False
        resource, start = self.definition(path)
        path = (*path[:2], *path[start:])
        kind = builtin().kind_of("hot", str(resource.get("type")))
        if len(path) < 4 or kind is None:
            return False
        rule = kind.properties.get(kind.aliases.get(path[3], path[3]))
        if rule is not None and rule.hook == "share_access_rules":
            return "share_connected_to" in haystack.text
        is_of_server = (kind.kind, path[3]) == ("server", "security_groups")
        if is_of_server and "port_connected_to_security_group" in haystack.text:
            return True  # they are those of the ports that were made for its interfaces
        if rule is not None and len(path) > 4:
            key = rule.aliases.get(path[-1], path[-1])
            rule = rule.each.get(key) if isinstance(key, str) else None
        return rule is not None and any(word in haystack.text for word in words_of(rule))


def excuses(found: Diagnostic) -> bool:
    """True if the diagnostic says what became of everything below its place."""
    return found.fidelity >= Fidelity.CARRIED or found.code in WHOLE | REWRITTEN


def words_of(rule: PropertyRule) -> list[str]:
    """What a blueprint has for a property."""
    inner = list(rule.each.values())
    said = [rule.to.split(".")[-1]] if rule.to else [rule.flatten.split(".")[-1]] if rule.flatten else []
    return said + [r.lift.relationship for r in [rule, *inner] if r.lift] + [r.to for r in inner if r.to]


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: "/".join(p.parts[-3:]))
def test_everything_is_in_the_result_or_reported(source: Path) -> None:
    """Without the carry, and with diagnostics of the very place: one about a whole entry counts only where it says that
    the entry has no node of its own."""
    lost = {str(one): Check(one, found).missing() for one, found in converted([source], "hot", "cloudify")}
    assert lost == {one: [] for one in lost}


def test_every_exception_is_needed() -> None:
    if not REALWORLD.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    tables = ("WORDS", "DEVICE_KEYS", "TYPES", "KEYS", "REWRITTEN", "WHOLE", "PARTLY")
    assert list(unneeded(globals(), tables, converted(SOURCES, "hot", "cloudify"))) == []


def test_real_templates_are_there() -> None:
    if not REALWORLD.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    assert len(SOURCES) > 120


def test_the_check_finds_a_loss(tmp_path: Path) -> None:
    source = tmp_path / "hot.yaml"
    source.write_text("heat_template_version: 2018-08-31\nparameters:\n  size:\n    type: number\n    default: 4711\n")
    result = convert(source, carry=False)
    assert Check(source, result).missing() == []
    result = Result(result.text.replace("4711", "0"), [])
    assert "parameters.size.default: '4711'" in Check(source, result).missing()


def test_the_check_finds_a_loss_in_what_is_nested(tmp_path: Path) -> None:
    source, nested = tmp_path / "hot.yaml", tmp_path / "disk.yaml"
    source.write_text("heat_template_version: 2018-08-31\nresources: {disk: {type: disk.yaml}}\n")
    nested.write_text(
        "heat_template_version: 2018-08-31\nresources:\n  a: {type: OS::Cinder::Volume, properties: {size: 4711}}\n"
        "  b: {type: OS::Cinder::Volume, properties: {size: 4712}}\n"
    )
    result = convert(source, carry=False)
    assert [one for one, _ in documents(source, result)] == [source, nested]
    result.files["disk.yaml"] = result.files["disk.yaml"].replace("4711", "4712")
    ((_, _), (_, inside)) = documents(source, result)
    assert Check(nested, inside).missing() == ["resources.a.properties.size: '4711'"]
