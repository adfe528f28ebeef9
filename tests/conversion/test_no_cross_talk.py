"""Two templates in one document convert to what each of them converts to: nothing depends on what else is there."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from typing import Any

import pytest
from corpus_cases import CFY, HOT, Case, Language, cases_of

from bpconvert.api import Result, convert
from bpconvert.options import Options
from bpconvert.translators.hot.resource_metadata import NAME as KEPT
from bpconvert.yamlio.emit import emit

pytestmark = pytest.mark.one_version

PAIRS = 60
#: language -> its sections with names
SECTIONS = {
    HOT: ("parameters", "conditions", "resources", "outputs"),
    CFY: ("inputs", "node_templates", "groups", "policies", "outputs", "capabilities"),
}
#: source -> the section of the result that has the nodes
NODES = {HOT: "node_templates", CFY: "resources"}
#: call -> the section whose entry its first argument names
CALLS = {
    "get_param": "parameters", "get_resource": "resources", "get_attr": "resources", "if": "conditions",
    "get_input": "inputs", "get_property": "node_templates", "get_attribute": "node_templates",
    "get_attributes_list": "node_templates", "get_attributes_dict": "node_templates",
}  # fmt: skip
#: other keys whose value is a name, or a list of names
NAMING = {
    "depends_on": "resources", "condition": "conditions", "target": "node_templates", "members": "groups",
    "targets": "groups",
}  # fmt: skip


class Renamed:
    """The source of a case with a prefix before each of its own names."""

    def __init__(self, case: Case, prefix: str, keep: set[str]) -> None:
        self.prefix = prefix
        self.source: dict[str, Any] = copy.deepcopy(dict(keep_only(case, keep)))
        self.names = {section: set(self.source.get(section) or ()) for section in SECTIONS[case.origin]}
        self.names["groups"] = self.names.get("groups", set()) | self.names.get("node_templates", set())
        self.data = {
            section: {f"{prefix}{name}": self.walk(entry) for name, entry in content.items()}
            if section in SECTIONS[case.origin]
            else content
            for section, content in self.source.items()
        }
        if "conditions" in self.data:
            self.data["conditions"] = self.conditions(self.data["conditions"])

    def name(self, section: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self.name(section, item) for item in value]
        return f"{self.prefix}{value}" if isinstance(value, str) and value in self.names.get(section, ()) else value

    def walk(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.walk(item) for item in value]
        if not isinstance(value, dict):
            return value
        found = {}
        for key, item in value.items():
            part = self.walk(item)
            if key in CALLS and len(value) == 1:
                first = [self.name(CALLS[key], part[0]), *part[1:]] if isinstance(part, list) and part else part
                part = first if isinstance(part, list) else self.name(CALLS[key], part)
            elif key in NAMING:
                part = self.name(NAMING[key], part)
            found[key] = part
        return found

    def conditions(self, value: Any) -> Any:
        """Conditions with the names of others in them."""
        if isinstance(value, dict):
            return {
                key: item if key in ("equals", "contains", "yaql") else self.conditions(item)
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [self.conditions(item) for item in value]
        return self.name("conditions", value)


def keep_only(case: Case, keep: set[str]) -> Any:
    from bpconvert.yamlio.document import load

    data = load(case.source.read_bytes()).data
    return {key: value for key, value in data.items() if key in keep or key in SECTIONS[case.origin]}


def usable(language: Language) -> dict[Any, list[Case]]:
    """The cases that can stand beside others, by what has to be the same."""
    from bpconvert.yamlio.document import load

    marker = {HOT: "heat_template_version", CFY: "tosca_definitions_version"}[language]
    known = {marker, "description", "imports", *SECTIONS[language]}
    found: dict[Any, list[Case]] = {}
    for case in cases_of(language):
        if case.is_mistake or case.options != Options() or case.outcome.text is None:
            continue
        data = load(case.source.read_bytes()).data
        shapes = all(isinstance(data.get(section, {}), dict) for section in SECTIONS[language])
        if shapes and data.keys() <= known:
            found.setdefault((str(data[marker]), str(data.get("imports"))), []).append(case)
    return found


def pairs(language: Language) -> list[tuple[Case, Case]]:
    groups = usable(language)
    every = [pair for cases in groups.values() for pair in itertools.combinations(cases, 2)]
    return random.Random(5).sample(every, PAIRS)


def converted(case: Case, data: dict[str, Any], place: Case) -> Result:
    return convert(
        emit(data) + "\n", case.dialect, case.target_dialect, name=str(place.source), carry=False, files="inline"
    )


def said(result: Result) -> Counter[tuple[Any, ...]]:
    return Counter((d.code, d.path) for d in result.diagnostics if len(d.path) > 1)


def said_of_both(one: Result, two: Result) -> Counter[tuple[Any, ...]]:
    """What is said of two documents that import the same, of the imports once."""
    shared = said(one).keys() & said(two).keys()
    return said(one) + said(two) - Counter(finding for finding in shared if finding[1][0] == "imports")


def alone(document: Any, section: str) -> dict[str, Any]:
    """A section without the order between nodes of the two templates: Heat lets a port wait for all subnets of its
    network, and a floating IP for all routers to its network, also where that exists already. And without what is kept
    of both in one text."""
    found = {name: entry for name, entry in (document.get(section) or {}).items() if name != KEPT}
    for name, entry in found.items() if section == "node_templates" else ():
        other = {"l": "r_", "r": "l_"}.get(name[0], "-")
        edges = [edge for edge in entry.get("relationships", ()) if not edge["target"].startswith(other)]
        found[name] = {**entry, "relationships": edges}
    return found


@pytest.mark.parametrize("language", [HOT, CFY], ids=["hot", "cfy"])
def test_two_templates_in_one(language: Language) -> None:
    marker = {HOT: "heat_template_version", CFY: "tosca_definitions_version"}[language]
    compared = 0
    for left, right in pairs(language):
        one, two = Renamed(left, "l_", {marker, "imports"}), Renamed(right, "r_", {marker, "imports"})
        sections = {**one.data, **two.data}
        whole = {
            section: {**one.data.get(section, {}), **two.data.get(section, {})}
            if section in SECTIONS[language]
            else content
            for section, content in sections.items()
        }
        singles = [converted(left, one.data, left), converted(right, two.data, left)]
        both = converted(left, whole, left)
        target = SECTIONS[CFY if language is HOT else HOT]
        left_nodes, right_nodes = (single.document.get(NODES[language]) or {} for single in singles)
        shared = set(left_nodes) & set(right_nodes)
        if any(f"{name}_2" in (both.document.get(NODES[language]) or {}) for name in shared):
            continue  # two existing resources with one name
        for section in target:
            parts = [alone(single.document, section) for single in singles]
            expected = {**parts[0], **parts[1]}
            assert alone(both.document, section) == expected, (left.name, right.name, section)
            compared += len(expected)
        assert said(both) == said_of_both(*singles), (left.name, right.name)
    assert compared > 5 * PAIRS
