"""Calls of every function of the Cloudify DSL, and the blueprint and the deployment that they are about."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from shapes import DATA, SCALARS, TEXTS, bent

from bpconvert.models.cloudify_rules import VERSIONS
from bpconvert.translators.cloudify.functions import FUNCTIONS

VERSION_TEXTS = [f"cloudify_dsl_{version}" for version in VERSIONS]
INPUTS: dict[str, Any] = {
    "text": "a-b-c",
    "number": 1,
    "yes": True,
    "items": ["x", "y-z", ["w", {"k": 5}]],
    "name": "vm",
    "key": "tree",
    "tree": {"k": {"l": [1, "two", None]}, "0": "zero", "list": [7]},
    "path": ["tree", "k", "l", 1],
    "nothing": None,
    "where": "deployment",
    "looks": {"get_input": "text"},
}
#: properties by node, in the order of the blueprint: those of the type ``own`` have defaults
PROPERTIES: dict[str, dict[str, Any]] = {
    "vm": {
        "title": "Title-Text",
        "size": 3,
        "none": None,
        "tree": {"list": ["d0", {"x": "d1"}], "t": "deep", "k": {"l": 1}},
        "made": {"string_upper": {"get_property": ["SELF", "title"]}},
        "late": {"get_attribute": ["web", "ip"]},
        "whole": {"get_input": "tree"},
        "inherited": "from the type",
    },
    "web": {
        "title": {"get_property": ["vm", "title"]},
        "size": {"get_input": "number"},
        "none": "web",
        "tree": {"t": "of web"},
        "made": {"get_property": ["vm", "made"]},
        "late": {"get_attribute": ["vm", "nets", "lan", 0]},
        "whole": [{"get_attribute": ["SELF", "title"]}, {"get_input": ["tree", "k"]}],
        "inherited": "set",
    },
    "many": {
        "title": "many",
        "size": 0,
        "none": 1,
        "tree": {},
        "made": {"string_upper": "m"},
        "late": {"get_secret": "plain"},
        "whole": {"k": 1},
        "inherited": "from the type",
    },
}
DEFAULTS = {"inherited": "from the type"}
RUNTIME: dict[str, Any] = {
    "vm": {
        "ip": "10.0.0.1",
        "tree": {"list": ["r0"]},
        "nets": {"lan": ["a", "b"]},
        "title": None,
        "call": {"get_input": "text"},
    },
    "web": {"ip": "10.0.0.2", "calls": {"concat": ["<", {"get_property": ["vm", "title"]}, ">"]}},
    "many": [{"ip": "m1", "n": [1]}, {"ip": "m2"}, {}],
}
SECRETS = {
    "plain": "secret text",
    "json": '{"k": ["v", {"deep": 1}], "call": {"get_input": "number"}}',
    "list": "[1, [2]]",
}
CAPABILITIES = {"dep": {"ip": "1.2.3.4", "map": {"k": ["v", {"d": 1}]}, "none": None}, "tree": {"ip": "other"}}
GROUPS = {"group": {"d2": {"ip": "2", "map": {"k": 2}}, "d1": {"ip": "1"}, "d3": {}}, "empty": {}}
ENVIRONMENT = {"ip": "5.6.7.8", "map": {"k": ["v"]}}
LABELS = {"env": ["prod", "test"], "one": ["1"], "a-b-c": ["x"], "csys-obj-parent": ["dep"]}
SYSTEM = {
    "deployment": {"id": "d", "name": "named", "blueprint": "b", "owner": "me"},
    "tenant": {"name": "t"},
}
CONSUMERS = {"ids": ["c1", "c2"], "names": ["one", "two"]}

_KEY = st.sampled_from(["k", "l", 0, 1, -1, 9, "0", "list", "x", "t", "lan", "d", "deep", {"get_input": "number"}])
_NODE = st.sampled_from(
    [
        "vm",
        "vm",
        "vm",
        "vm",
        "web",
        "web",
        "many",
        "SELF",
        "SOURCE",
        "TARGET",
        {"get_input": "name"},
        {"get_input": "name"},
        "nowhere",
    ]
)
_PROPERTY = st.sampled_from([*PROPERTIES["vm"], "tree", "whole", {"get_input": "key"}, "gone"])
_ATTRIBUTE = st.sampled_from(
    [
        "ip",
        "tree",
        "nets",
        "title",
        "call",
        "calls",
        "n",
        "made",
        "late",
        "whole",
        "inherited",
        "node_instance_id",
        "node_instance_index",
        "gone",
        {"get_input": "key"},
    ]
)
_KEYS = st.lists(_KEY, max_size=2)
_FLAT = st.sampled_from(["ip", "title", "gone", "made", "late"])
_CAPABILITY = st.sampled_from(["ip", "map", "none", "gone"])
CALLS = st.sampled_from(
    [
        {"get_input": "text"},
        {"get_input": "number"},
        {"get_property": ["vm", "title"]},
        {"get_property": ["vm", "made"]},
        {"get_attribute": ["vm", "ip"]},
        {"get_secret": "plain"},
        {"get_attribute": ["vm", "gone"]},
        {"get_input": "looks"},
        {"concat": ["v", "m"]},
        {"get_input": "items"},
        {"get_input": "nothing"},
        {"get_input": "tree"},
    ]
)
ODD = st.one_of(SCALARS, DATA, CALLS, CALLS)
_TEXT = st.one_of(
    TEXTS.filter(str.isascii), st.sampled_from([{"get_input": "text"}, {"get_property": ["vm", "title"]}]), CALLS
)


def _path(*heads: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(st.tuples(*heads).map(list), _KEYS).map(lambda both: [*both[0], *both[1]])


_INPUT_PATH = st.one_of(
    st.tuples(st.sampled_from(["items", "tree", "text", {"get_input": "key"}]), _KEYS).map(
        lambda two: [two[0], *two[1]]
    )
)
#: function -> arguments of the right shape
GOOD: dict[str, st.SearchStrategy[Any]] = {
    "get_input": st.one_of(
        st.sampled_from([*INPUTS, "gone", {"get_input": "key"}, {"get_input": "path"}, {"concat": ["te", "xt"]}]),
        _INPUT_PATH,
        _INPUT_PATH,
    ),
    "get_property": _path(_NODE, _PROPERTY),
    "get_attribute": _path(_NODE, _ATTRIBUTE),
    "get_attributes_list": _path(_NODE, _ATTRIBUTE),
    "get_attributes_dict": st.tuples(
        _NODE,
        st.lists(st.one_of(_FLAT, st.sampled_from([["tree", "t"], ["nets", "lan"], ["ip"], "tree.t"])), max_size=3),
    ).map(lambda both: [both[0], *both[1]]),
    "get_secret": st.one_of(
        st.sampled_from(["plain", "json", "list", "gone"]),
        st.tuples(st.sampled_from(["json", "json", "list", "plain"]), _KEY, _KEYS).map(
            lambda all_: [*all_[:2], *all_[2]]
        ),
    ),
    "get_capability": _path(st.sampled_from(["dep", "dep", "tree", {"get_input": "key"}, "gone"]), _CAPABILITY),
    "get_group_capability": _path(
        st.sampled_from(["group", "group", "empty", "gone"]),
        st.sampled_from(["ip", "map", "gone", "deployment_id:ip", ["ip"], ["ip", "map"], ["gone", "map"], []]),
    ),
    "get_environment_capability": st.one_of(
        _CAPABILITY, st.tuples(_CAPABILITY, _KEY, _KEYS).map(lambda a: [*a[:2], *a[2]])
    ),
    "get_label": st.one_of(
        st.sampled_from([*LABELS, "gone", {"get_input": "text"}]),
        st.tuples(st.sampled_from([*LABELS, {"get_input": "text"}]), st.sampled_from([0, 1, "0", "1", 5, -1])).map(
            list
        ),
    ),
    "get_sys": st.tuples(
        st.sampled_from(["deployment", "deployment", "tenant", {"get_input": "where"}]),
        st.sampled_from(["id", "name", "blueprint", "owner", {"concat": ["na", "me"]}]),
    ).map(list),
    "get_consumers": st.sampled_from(["ids", "names", "count"]),
    "concat": st.lists(st.one_of(_TEXT, ODD), max_size=4),
    "merge": st.lists(
        st.one_of(
            st.dictionaries(st.sampled_from(["a", "b"]), ODD, max_size=2),
            st.sampled_from(
                [{"get_input": "tree"}, {"get_property": ["vm", "tree"]}, {"get_attribute": ["vm", "nets"]}]
            ),
        ),
        max_size=3,
    ),
    "string_find": st.tuples(_TEXT, _TEXT).map(list),
    "string_replace": st.one_of(
        st.tuples(_TEXT, _TEXT, _TEXT).map(list), st.tuples(_TEXT, _TEXT, _TEXT, st.sampled_from([0, 1, -1])).map(list)
    ),
    "string_split": st.one_of(
        st.tuples(_TEXT, _TEXT).map(list), st.tuples(_TEXT, st.just("-"), st.sampled_from([0, 1, -1, 5])).map(list)
    ),
    "string_lower": _TEXT,
    "string_upper": _TEXT,
}
_AROUND = st.sampled_from(["", "", "", "list", "map", "concat", "type"])
#: where the value stands: an output, a property of a node, an input of an operation of a relationship
PLACES = ["output", "output", "SELF", "TARGET"]


def _placed(name: str, argument: Any, around: str) -> Any:
    call = {name: argument}
    return {
        "": call, "list": [call, 1], "map": {"k": call}, "concat": {"concat": ["<", call, ">"]},
        "type": {**call, "type": "string"},
    }[around]  # fmt: skip


def calls_of(name: str) -> st.SearchStrategy[tuple[str, Any, str]]:
    """(version, value, place): calls of a function in the versions that have it."""
    since = FUNCTIONS[name].since
    versions = [text for text, version in zip(VERSION_TEXTS, VERSIONS, strict=True) if version >= max(since, "1_1")]
    return st.tuples(
        st.sampled_from(versions),
        st.builds(_placed, st.just(name), bent(GOOD[name], ODD), _AROUND),
        st.sampled_from(PLACES),
    )


def everywhere() -> st.SearchStrategy[tuple[str, Any, str]]:
    """Any function in any version, one inside of another."""
    inner = st.sampled_from([*GOOD]).flatmap(lambda name: bent(GOOD[name], ODD, most=1).map(lambda made: {name: made}))
    outer = st.one_of(
        inner,
        st.lists(inner, min_size=1, max_size=3).map(lambda made: {"concat": made}),
        st.tuples(inner, st.sampled_from(["string_upper", "string_lower", "get_input", "get_secret", "get_label"])).map(
            lambda two: {two[1]: two[0]}
        ),
        st.tuples(inner, _KEYS).map(lambda two: {"get_input": [two[0], *two[1]]}),
        st.tuples(inner, inner).map(lambda two: {"get_attribute": list(two)}),
        st.tuples(inner, inner).map(lambda two: {"get_property": ["vm", *two]}),
    )
    return st.tuples(st.sampled_from(VERSION_TEXTS), outer, st.sampled_from(PLACES))


def blueprint(version: str, values: list[tuple[Any, str]]) -> str:
    """A blueprint that has the values at their places, as ``v0``, ``v1``, ..., and nothing that a version lacks."""
    placed: dict[str, dict[str, Any]] = {place: {} for place in PLACES}
    for number, (value, place) in enumerate(values):
        placed[place][f"v{number}"] = value
    nodes = {
        node: {key: found for key, found in properties.items() if key not in DEFAULTS or DEFAULTS[key] != found}
        for node, properties in PROPERTIES.items()
    }
    own = {name: {"default": DEFAULTS[name]} if name in DEFAULTS else {} for name in PROPERTIES["vm"]}
    user = {name: {"default": ""} for name in placed["SELF"]} | {"title": {"default": "of the user"}}
    connected = "cloudify.relationships.connected_to"
    operation = {"implementation": "p.run", "inputs": placed["TARGET"]}
    relationship = {"type": connected, "target": "vm", "source_interfaces": {"i": {"o": operation}}}
    return json.dumps(
        {
            "tosca_definitions_version": version,
            "inputs": {name: {} if found is None else {"default": found} for name, found in INPUTS.items()},
            "plugins": {"p": {"executor": "central_deployment_agent", "install": False}},
            "node_types": {"own": {"properties": own}, "user": {"properties": user}},
            "relationships": {connected: {"properties": {"connection_type": {"default": "all_to_all"}}}},
            "node_templates": {
                "vm": {"type": "own", "properties": nodes["vm"]},
                "web": {"type": "own", "properties": nodes["web"]},
                "many": {"type": "own", "properties": nodes["many"], "instances": {"deploy": 3}},
                "user": {"type": "user", "properties": placed["SELF"], "relationships": [relationship]},
            },
            "outputs": {name: {"value": value} for name, value in placed["output"].items()},
        }
    )
