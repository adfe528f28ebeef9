"""Generated property maps for stand-ins: data that looks like calls of the other language, odd keys, deep nesting."""

from __future__ import annotations

import json
from typing import Any, Final

import yaml
from hypothesis import strategies as st

#: functions that only the other language has; with any arguments they are data
DSL: Final = ("get_input", "get_property", "get_attribute", "get_secret", "concat", "get_capability", "get_label",
              "get_environment_capability", "merge", "string_find", "get_sys", "get_attributes_list")  # fmt: skip
HEAT: Final = ("get_resource", "get_param", "get_attr", "get_file", "str_replace", "list_join", "repeat", "filter",
               "if", "not", "and", "or", "equals", "contains", "digest", "yaql", "resource_facade", "map_merge",
               "str_split",
               "map_replace", "make_url", "list_concat", "Fn::GetAtt", "Ref")  # fmt: skip
_PLAIN: Final = ("name", "size", "SELF", "key with spaces", "dotted.key", "x:y", "~", "yes", "0123", "", "properties",
                 "type", "inputs", "1.5", "#", "- a", "{}")  # fmt: skip
_TEXTS: Final = ("", "yes", "0123", "it's", '"', "a: b", "SELF", "a\nb\n", " padded ", "{{ x }}", "%index%", "1e3",
                 "null", "get_input", "~", "2020-01-01", "\\n", "#no comment")  # fmt: skip


def scalars(texts: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Single values; ``texts``: some that are read wrongly where they are not quoted."""
    return st.one_of(
        st.sampled_from(texts),
        st.integers(-5, 10**6),
        st.booleans(),
        st.sampled_from([0.5, -1.25]),
        st.text(st.characters(codec="ascii", min_codepoint=32, max_codepoint=126), max_size=8),
    )


def data(functions: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Plain data of which some maps look like calls of ``functions``."""
    encoded = tuple(f'{{"{name}": "x"}}' for name in functions[:3])
    texts = (*_TEXTS, *encoded, *map(json.dumps, encoded), *(("\u00e9", '"\\u00e9"') if functions is DSL else ()))
    return st.recursive(
        scalars(texts),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.sampled_from(_PLAIN), inner, max_size=3),
            st.builds(lambda name, value: {name: value}, st.sampled_from(functions), inner),
            st.builds(
                lambda name, value, other: {name: value, "beside": other}, st.sampled_from(functions), inner, inner
            ),
        ),
        max_leaves=8,
    )


def properties(functions: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """The properties of one resource or node."""
    return st.dictionaries(st.sampled_from(("config", "data", "odd key", "get", *functions[:4])), data(functions),
                           min_size=1, max_size=3)  # fmt: skip


def nested(depth: int, leaf: Any) -> Any:
    """Data as deep as that."""
    for level in range(depth):
        leaf = {"level": leaf} if level % 2 else [leaf]
    return leaf


def template(found: dict[str, Any], heat_type: str = "My::Type") -> str:
    """A Heat template with one resource that has no counterpart."""
    resource = {"type": heat_type, "properties": found}
    return yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": {"odd": resource}}, allow_unicode=True)


def blueprint(found: dict[str, Any]) -> str:
    """A blueprint with one node that has no counterpart; its type takes everything."""
    declared = {name: {"default": {}} for name in found}
    node_types = {"my.Type": {"derived_from": "cloudify.nodes.Root", "properties": declared,
                              "interfaces": {"my": {"run": {"implementation": "plugin.tasks.run"}}}}}  # fmt: skip
    text = {
        "tosca_definitions_version": "cloudify_dsl_1_3",
        "imports": ["cloudify/types/types.yaml"],
        "plugins": {"plugin": {"executor": "central_deployment_agent", "install": False}},
        "node_types": node_types,
        "node_templates": {"odd": {"type": "my.Type", "properties": found}},
    }
    return yaml.safe_dump(text, allow_unicode=True)
