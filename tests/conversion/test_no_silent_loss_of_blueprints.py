"""Nothing of a blueprint is lost silently: every key and every scalar of a source is in the template, or a diagnostic
speaks of its place.

The record of the source is left out. A diagnostic excuses what is below its place only if it says that this is not
converted, or what it became; one about a whole entry only where the entry has no counterpart of its own.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from checkout import REALWORLD
from losses import Haystack, at, converted, own, parts, shown, sources, texts, unneeded

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Diagnostic, Fidelity
from bpconvert.translators.catalogue.model import Kind, PropertyRule
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.functions import FUNCTIONS
from bpconvert.translators.cloudify.vocabulary import SERVICE_BASE
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.one_version

SOURCES = sources("cfy", "blueprint.yaml")
#: words of the language itself; what they say is checked by the other tests
WORDS = {
    "display_label", "item_type", "greater_or_equal", "less_or_equal", "equal", "valid_values", "properties",
    "resource_config", "kwargs", "relationships", "interfaces", "implementation", "inputs", "source_interfaces",
    "capabilities", "scalable", "instances", "deploy", "error_message", "default_instances", "min_instances",
    "max_instances",
}  # fmt: skip
TYPES = {"string", "textarea", "integer", "float", "boolean", "list", "dict"}
#: imports whose types are known
KNOWN_IMPORTS = re.compile(r"types\.yaml$|openstack-plugin")
#: sections without a counterpart in HOT: a diagnostic at or in an entry speaks of all of it
SECTIONS = {
    "imports", "dsl_definitions", "plugins", "node_types", "data_types", "relationships", "policy_types",
    "policy_triggers", "groups", "policies", "workflows", "labels",
    "blueprint_labels", "resource_tags", "deployment_settings", "metadata",
}  # fmt: skip
#: diagnostics that say what everything below their place became
REWRITTEN = {
    "BPC235", "BPC239", "BPC247", "BPC325", "BPC327", "BPC329", "BPC379", "BPC383", "BPC708", "BPC697", "BPC712",
    "BPC769", "BPC775", "BPC984",
}  # fmt: skip
#: what the connection to OpenStack is called; a diagnostic speaks of each that differs
CREDENTIALS = {"client_config", "openstack_config"}
#: the type of stand-ins that the other direction writes
BACK = "bpconvert.nodes.HeatResource"
#: the type of nodes that do nothing, as resources that are OS::Heat::None
ROOT = "cloudify.nodes.Root"
#: node types that the conversion from HOT defines
OURS = {BACK, SERVICE_BASE, *(name for name in builtin().types("cloudify") if name.startswith("bpconvert."))}
#: keys of the plugin that are told by the rules of a group, and names of 2.x for something else
OTHER_WORDS = {
    "disable_default_egress_rules": "rules", "remote_group_node": "remote_group_id", "encode_user_data": "user_data",
    "resource_id": "name", "policy": "policies", "destination_type": "block_device_mapping_v2",
    "source_type": "block_device_mapping_v2", "device_name": "mountpoint",
}  # fmt: skip
#: a minimum of characters -> what a text is drawn from that may have such ones
DRAWN_FROM = {
    "uppercase": ("uppercase", "letters", "ABC"), "lowercase": ("lowercase", "letters", "abc"),
    "digits": ("digits", "0123"), "symbols": ("!",),
}  # fmt: skip
#: parts of an operation that are said by the deployment itself
OF_OPERATIONS = {"process", "env", "executor", "host_agent"}
#: functions that run what is in the deployment, and the inputs that have it
OF_RUNNERS = [
    "fabric.fabric_plugin.tasks.run_script", "fabric.fabric_plugin.tasks.run_commands", "script_path", "commands",
    "ansible.cloudify_ansible.tasks.run", "playbook_path", "site_yaml_path", "run_data",
]  # fmt: skip


class Check:
    """One source and its result."""

    def __init__(self, source: Path, result: Result) -> None:
        found = own(result, source)
        self.data = load(source.read_bytes(), str(source)).data
        self.resources: dict[str, Any] = dict(result.document.get("resources") or {})
        #: nested template -> the resources in it
        self.nested: dict[str, set[str]] = {}
        for name, text in result.files.items():  # what is scaled together
            if str(text).startswith("heat_template_version:"):
                inside = load(str(text), name).data.get("resources") or {}
                self.nested[name] = set(inside)
                self.resources |= inside
        self.template = result.document
        self.haystacks: dict[tuple[Any, ...], Haystack] = {}
        self.files = [*map(str, result.files.values())]
        self.haystack = Haystack([*texts(result.document), *map(str, result.files.values())])
        self.places = {d.path[:length] for d in found for length in range(3, len(d.path) + 1)}
        self.entries = {d.path[:2] for d in found}
        self.credentials = [
            at(self.data, path) for path, _, _ in parts(self.data) if path[-1] in CREDENTIALS and path in self.places
        ]
        renamed = {d.path[1]: d.message.split("'")[3] for d in found if d.code == "BPC604"}
        self.outputs = {d.path[1]: d.message.split("'")[3] for d in found if d.code == "BPC538"}
        #: stand-ins of nodes of which there are several
        self.uncounted = {d.path[1] for d in found if d.code == "BPC382"}
        self.names = {name: renamed.get(name, name) for name in self.data.get("node_templates") or {}}
        self.excuses = {d.path for d in found if self.is_excuse(d)}

    def missing(self) -> list[str]:
        return [shown(path, value) for path, value, is_key in parts(self.data) if not self.is_kept(path, value, is_key)]

    def is_excuse(self, found: Diagnostic) -> bool:
        """True if the diagnostic says what became of everything below its place."""
        if found.fidelity < Fidelity.CARRIED and found.code not in REWRITTEN:
            return False
        if not found.path or len(found.path) > 2 or found.path[0] in SECTIONS:
            return True
        entry = self.data.get(found.path[0])
        if len(found.path) == 2 and isinstance(entry, dict):
            entry = entry.get(found.path[1])
        return not isinstance(entry, dict) or (len(found.path) == 2 and not self.has_counterpart(*found.path))

    def has_counterpart(self, section: str, name: Any) -> bool:
        """True for an entry that the template has, too."""
        if section == "node_templates":
            return self.names.get(name, name) in self.resources
        counterpart = {"inputs": "parameters", "capabilities": "outputs"}.get(section, section)
        return self.outputs.get(name, name) in (self.template.get(counterpart) or {})

    def is_kept(self, path: tuple[Any, ...], value: Any, is_key: bool) -> bool:
        """True for a part that is in the result or reported; below a key everything is looked at by itself."""
        if path[0] in SECTIONS and self.is_told(path, value):
            return True
        if self.is_known_connection(path):
            return True
        if any(path[:length] in self.excuses for length in range(1, len(path) + 1)) or path in self.places:
            return True
        if len(path) == 1 or (is_key and (value in WORDS or value in FUNCTIONS or is_empty(at(self.data, path)))):
            return True
        if path[0] == "dsl_definitions":
            return self.is_used(path[1])
        if self.is_of_a_call(path) or "use_external_resource" in path[3:]:
            return True
        if path[0] == "inputs" and (value in TYPES or path[2:] in (("required",), ("hidden",))):
            return True
        if path[0] == "node_templates" and self.is_translated(path, value, is_key):
            return True
        return self.close(path).has(value)

    def close(self, path: tuple[Any, ...]) -> Haystack:
        """Where the parts of an entry are looked for."""
        if path[:2] not in self.haystacks:
            self.haystacks[path[:2]] = self.near(path[0], path[1])
        return self.haystacks[path[:2]]

    def near(self, section: str, name: Any) -> Haystack:
        """What became of an entry: the parameter or output, or the resources of a node and those that refer to it. Of
        an entry that has none of its own everything else may speak."""
        if section == "node_templates":
            left = self.names.get(name, name)
            found = [
                {key: entry}
                for key, entry in self.resources.items()
                if key == left or str(key).startswith(f"{left}_") or left in self.words_of[key]
            ]
        else:
            counterpart = {"inputs": "parameters", "capabilities": "outputs"}.get(section, section)
            entries = self.template.get(counterpart) or {}
            new = self.outputs.get(name, name) if section == "capabilities" else name
            found = [entries[new], new] if new in entries else []
            found += [self.template.get("conditions")] if found else []
        return Haystack([*texts(found), *self.files]) if found else self.haystack

    def is_told(self, path: tuple[Any, ...], value: Any) -> bool:
        """True for a section without counterpart, and for an entry of one of which a diagnostic speaks."""
        if path[0] == "imports" and isinstance(value, str) and KNOWN_IMPORTS.search(value):
            return True
        if len(path) > 1 and path[0] in ("groups", "policies") and self.is_scaled(path[0], path[1]):
            return True
        return len(path) == 1 or path[:1] in self.excuses or path[:2] in self.entries or path[1] in OURS

    def is_scaled(self, section: str, name: Any) -> bool:
        """True for a group, and the policy for it, whose member is a group of resources or none; and for a group of
        whose policy a diagnostic speaks."""
        policies, groups = self.data.get("policies") or {}, self.data.get("groups") or {}
        if not isinstance(policies, dict) or not isinstance(groups, dict):
            return False
        targets = policies[name].get("targets") or () if section == "policies" else [name]
        users = {("policies", policy) for policy, row in policies.items() if name in (row.get("targets") or ())}
        members = {node for group in targets for node in (groups.get(group) or {}).get("members") or ()}
        resources = [self.resources.get(node) or {} for node in members]
        resources += [self.resources.get(group) or self.resources.get(f"{group}_node") or {} for group in targets]
        scaled = any("condition" in found for found in resources)
        return scaled or bool(users & self.entries)

    def is_known_connection(self, path: tuple[Any, ...]) -> bool:
        """True inside of credentials of which a diagnostic speaks, here or where they are the same."""
        for length, step in enumerate(path, start=1):
            if step in CREDENTIALS and path[0] == "node_templates":
                value = at(self.data, path[:length])
                return value in self.credentials or value == {"get_property": ["SELF", step]}
        return False

    def is_used(self, definition: Any) -> bool:
        """True for a definition that an alias or a merge key has put somewhere else, where it is looked at."""
        items = items_of(self.data["dsl_definitions"].get(definition))
        return not items or bool(items & self.used_items)

    @cached_property
    def used_items(self) -> set[str]:
        """Every item of every map and list outside of the definitions."""
        used: set[str] = set()
        pending = [value for name, value in self.data.items() if name != "dsl_definitions"]
        while pending:
            value = pending.pop()
            used |= items_of(value)
            pending += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return used

    def is_of_a_call(self, path: tuple[Any, ...]) -> bool:
        """True for what only leads to a value that is looked at where it is: names of the node's own, paths of
        properties, the type beside a call, attributes that the catalogue translates."""
        value = at(self.data, path)
        if (
            path[-1] == "type"
            and isinstance(at(self.data, path[:-1]), dict)
            and FUNCTIONS.keys() & at(self.data, path[:-1]).keys()
        ):
            return value in TYPES
        if path[-2:] == ("get_sys", 0) and value == "deployment" and "OS::stack_" in self.close(path).text:
            return True
        if len(path) > 1 and path[-2] == "get_property":
            return True
        if len(path) > 1 and path[-2] == "get_input" and path[-1] == 0:
            # a table of choices, which are written where one is chosen
            declared = (self.data.get("inputs") or {}).get(value) if isinstance(value, str) else None
            return isinstance(declared, dict) and declared.get("hidden") is True
        if path[:-2] in self.places and path[-2] == "get_attribute":
            return True
        if len(path) > 1 and path[-2] == "get_attribute":
            node, name = at(self.data, path[:-1])[:2]
            if self.resource(node) is None:
                return True
            properties = self.data["node_templates"][node].get("properties") or {} if node in self.names else {}
            named = self.is_nested(node) and (path[-1] == 1 or name == "deployment")
            return named or name in properties or self.kind(node) is not None
        return False

    def is_nested(self, node: str) -> bool:
        """True for a component that is a nested template."""
        return str((self.resource(node) or {}).get("type")).endswith((".yaml", ".template"))

    # -- nodes ----------------------------------------------------------------------------------------------

    def is_translated(self, path: tuple[Any, ...], value: Any, is_key: bool) -> bool:
        """True for a part of a node that the template says in other words, which are there."""
        name, rest = path[1], path[2:]
        if rest[:1] == ("type",):
            is_there = self.resource(name) is not None
            return is_there and (value == ROOT or self.resource(name)["type"] != "OS::Heat::None")
        if rest[:1] == ("relationships",) and len(rest) == 3 and rest[2] in ("type", "target"):
            return path[:4] in self.places or self.is_related(name, at(self.data, (*path[:4], "target")))
        if "interfaces" in str(path[-2]) and is_key:
            return True
        if rest[:1] == ("interfaces",) and (value in OF_OPERATIONS or path[-2:-1] == ("args",)):
            return True
        if (is_key and value in OF_RUNNERS and path[-2] == "inputs") or at(self.data, path) in OF_RUNNERS:
            return True
        if path[-1] == "implementation" and str(at(self.data, path)).startswith("keys.cloudify_ssh_key."):
            return True  # Nova makes the key
        if rest[:1] == ("interfaces",) and path[-1] == "max_retries" and at(self.data, path) == 0:
            return True  # Heat never repeats a deployment
        if rest[:1] == ("interfaces",) and path[-1] == "eval_python" and at(self.data, path) is False:
            return True  # Heat's agent runs the file itself
        if rest[:1] == ("interfaces",) and path[-1] == "command_prefix" and at(self.data, path) == "powershell":
            return True  # what runs such files anyway
        if rest[:1] == ("interfaces",) and is_key and at(self.data, path) == {"get_property": ["SELF", value]}:
            return True
        if rest[:1] == ("capabilities",):
            absent = value == 0 and "condition" in (self.resource(name) or {})
            unlimited = path[-1] == "max_instances" and value == "UNBOUNDED"
            return absent or unlimited or name in self.uncounted
        if rest == ("instances", "deploy") and (name in self.uncounted or value == 1):
            return True
        return rest[:1] == ("properties",) and self.is_property(name, rest[1:], at(self.data, path), is_key)

    def resource(self, node: Any) -> Any:
        """What the node became; of a group, what the group has."""
        found = self.resources.get(self.names.get(node, node)) if isinstance(node, str) else None
        if found is not None and found["type"] == "OS::Heat::ResourceGroup":
            return found["properties"]["resource_def"]
        return found

    def kind(self, node: str) -> Kind | None:
        """The kind of the resource that the node became."""
        resource = self.resource(node)
        return builtin().kind_of("hot", str(resource["type"])) if resource else None

    def is_property(self, node: str, keys: tuple[Any, ...], value: Any, is_key: bool) -> bool:
        """True for a property that the catalogue says in other words, which are there, or that happens anyway."""
        kind = self.kind(node)
        if self.is_nested(node) and keys == ("resource_config", "deployment"):
            return True
        if self.data["node_templates"][node].get("type") == BACK:
            return keys in (("heat_type",), ("heat_properties",))
        if kind is None or not keys:
            return False
        if keys[0] in DRAWN_FROM and kind.kind == "random_string":
            drawn = str(self.resource(node))
            if value in (0, -1):
                return any(word in drawn for word in DRAWN_FROM[str(keys[0])]) is (value == 0)
            return is_key and any(word in drawn for word in DRAWN_FROM[str(keys[0])])
        wrapper = kind.cloudify.v2.wrapper if kind.cloudify and kind.cloudify.v2 else None
        only = {**builtin().plugin.only, **kind.only}.get(".".join(map(str, keys)))
        rules = list(rules_of(kind, str(keys[-1])))
        usual = [rule.default for _, rule in rules] + [item for _, rule in rules for item in rule.ignore]
        usual += only.ignore if only else []
        if keys == (wrapper,) or value in usual or (len(keys) == 1 and kind.constants.get(keys[0]) == value):
            return True
        constant = kind.constants.get(keys[0])
        if isinstance(constant, dict) and constant.get(keys[-1]) == value:
            return True
        said = [name for name, _ in rules] + [word for key, word in OTHER_WORDS.items() if key == keys[-1]]
        return (is_key or isinstance(value, bool)) and any(
            word in self.close(("node_templates", node)).text for word in said
        )

    def is_related(self, source: str, target: Any) -> bool:
        """True if the template keeps the order of the two nodes, or says their connection somewhere."""
        if self.resource(target) is None and target in self.names:
            return True
        reached, pending = {source}, [source]
        while pending:
            name = pending.pop()
            found = {node for node in {*self.names, target} - reached if self.mentions(name, node)}
            reached |= found
            pending += found
        return target in reached

    def mentions(self, source: str, target: str) -> bool:
        """True if a resource of one node refers to the other, or one resource to both."""
        left, right = self.names.get(source, source), self.names.get(target, target)
        return any(
            right in words and (name == left or left in words or name.startswith(f"{left}_"))
            for name, words in self.words_of.items()
        ) or left in self.words_of.get(right, ())

    @cached_property
    def words_of(self) -> dict[str, set[str]]:
        found = {name: set(texts(resource)) for name, resource in self.resources.items()}
        for group, inside in ((name, self.nested[file]) for name in found for file in found[name] & self.nested.keys()):
            for words in found.values():
                words |= inside if group in words else set()
        return found


def rules_of(kind: Kind, key: str) -> list[tuple[str, PropertyRule]]:
    """The rules that a key of a node's properties may be of: neutral name and rule."""
    named = [*kind.properties.items(), *(pair for rule in kind.properties.values() for pair in rule.each.items())]
    renamed = kind.cloudify.v2.rename if kind.cloudify and kind.cloudify.v2 else {}
    places = [
        (name, rule, [*filter(None, [rule.to]), *rule.accept, *old_names(renamed, name, rule)]) for name, rule in named
    ]
    return [(name, rule) for name, rule, paths in places if any(key in path.split(".") for path in paths)]


def old_names(renamed: dict[str, str], name: str, rule: PropertyRule) -> list[str]:
    """What the 2.x plugin calls a setting."""
    settings = (name, (rule.to or "").rsplit(".", 1)[-1])
    return [renamed[setting] for setting in settings if setting in renamed]


def items_of(value: Any) -> set[str]:
    """The items of a map or list, to be compared."""
    if isinstance(value, dict):
        return {f"{key}: {item!r}" for key, item in value.items()}
    return {repr(item) for item in value} if isinstance(value, list) else set()


def is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: "/".join(p.parts[-3:]))
def test_everything_is_in_the_result_or_reported(source: Path) -> None:
    lost = {str(one): Check(one, found).missing() for one, found in converted([source], "cloudify", "hot")}
    assert lost == {one: [] for one in lost}


def test_every_exception_is_needed() -> None:
    if not REALWORLD.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    tables = ("WORDS", "TYPES", "REWRITTEN", "OTHER_WORDS", "CREDENTIALS", "OF_OPERATIONS", "OF_RUNNERS")
    assert list(unneeded(globals(), tables, converted(SOURCES, "cloudify", "hot"))) == []


def test_real_blueprints_are_there() -> None:
    if not REALWORLD.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    assert len(SOURCES) > 240


def test_the_check_finds_a_loss(tmp_path: Path) -> None:
    source = tmp_path / "blueprint.yaml"
    source.write_text("tosca_definitions_version: cloudify_dsl_1_3\ninputs:\n  size:\n    default: 4711\n")
    result = convert(source, "cloudify", "hot", carry=False)
    assert Check(source, result).missing() == []
    result = Result(result.text.replace("4711", "0"), [])
    assert Check(source, result).missing() == ["inputs.size.default: '4711'"]
