"""A document with twice as many copies of what a case of the corpus has takes twice as many calls of functions."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml
from checkout import CORPUS
from growing import MOST, calls_of

pytestmark = pytest.mark.one_version

#: language -> its folder, the file of a case, and the keys that lead to the nodes
WHERE = {
    "hot": ("hot", "hot.yaml", ("resources",)),
    "cloudify": ("cfy", "blueprint.yaml", ("node_templates",)),
    "tosca": ("tosca", "tosca.yaml", ("topology_template", "node_templates")),
}
#: how many nodes the smaller document has at least
NODES = 100
CASES = {
    "hot": [
        "auto-scaling-group",
        "group-with-a-condition",
        "group-with-an-index",
        "index-in-functions",
        "quoted-scalars-stay-text",
        "security-group-rules",
        "software-at-all-actions",
        "software-group-with-names",
        "software-on-members-of-groups",
        "software-variables-of-all-kinds",
        "user-data-of-each-member",
    ],
    "cloudify": [
        "cloud-init-and-keys",
        "node-properties-of-stand-ins",
        "scaled-with-what-is-inside",
        "settings-that-nothing-reads",
    ],
    "tosca": ["machines-that-aspects-scale", "scalable-compute", "scaled-with-what-belongs-to-it"],
}


def copied(value: Any, names: set[str], number: int) -> Any:
    """``value`` with the nodes ``names`` called as in a copy of the document; a text that is no name stays."""
    if isinstance(value, dict):
        return {key: copied(one, names, number) for key, one in value.items()}
    if isinstance(value, list):
        return [copied(one, names, number) for one in value]
    return f"{value}_{number}" if isinstance(value, str) and value in names else value


@cache
def document(language: str, case: str, size: int) -> str:
    """A case with so many copies of its nodes that there are ``size`` at least."""
    folder, file, keys = WHERE[language]
    made = yaml.safe_load((CORPUS / folder / case / file).read_bytes())
    parent = made
    for key in keys[:-1]:
        parent = parent[key]
    nodes = dict(parent[keys[-1]])
    for number in range(1, size // len(nodes) + 1):
        for name, node in nodes.items():
            parent[keys[-1]][f"{name}_{number}"] = copied(node, set(nodes), number)
    text: str = yaml.dump(made, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)
    return text


@pytest.mark.parametrize(
    ("source", "case", "target"),
    [
        pytest.param(source, case, target, id=f"{case}-{target}")
        for source, cases in CASES.items()
        for case in cases
        for target in WHERE
        if target != source
    ],
)
def test_twice_as_many_copies_take_twice_as_many_calls(source: str, case: str, target: str) -> None:
    calls_of(document(source, case, 1), source, target)  # what is read once, is
    small, large = (calls_of(document(source, case, size), source, target) for size in (NODES, 2 * NODES))
    assert large <= MOST * small, f"{large / small:.2f} times as many calls"
