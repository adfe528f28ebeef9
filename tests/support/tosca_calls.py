"""Calls of TOSCA's functions, drawn at random, and the values that they are given."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

VERSION: Final = "tosca_simple_yaml_1_3"
SECOND: Final = "tosca_2_0"
INPUTS: Final[dict[str, Any]] = {
    "text": "a-b;c", "empty": "", "apostrophe": "it's: 0123", "number": 7, "yes": True, "fraction": 1.5,
    "items": ["x", "y-z"], "map": {"k": "v"}, "zero": 0, "no": False, "digits": "0123", "word": "no",
    "nothing": [], "void": {}, "odd": {"k": ""},
}  # fmt: skip
TYPES: Final = {str: "string", bool: "boolean", int: "integer", float: "float", list: "list", dict: "map"}
PROPERTIES: Final[dict[str, dict[str, Any]]] = {
    "one": {"text": "p-q", "number": 3, "items": ["i0", "i1"], "map": {"a": "deep", "b": "b"},
            "made": {"concat": ["<", {"get_input": "text"}, ">"]}},
    "two": {"text": {"get_property": ["one", "text"]}, "number": 0, "items": [], "map": {"a": "of two", "b": ""},
            "made": {"get_property": ["SELF", "text"]}},
}  # fmt: skip
ATTRIBUTES: Final[dict[str, dict[str, Any]]] = {"one": {"ip": "10.0.0.1"}, "two": {"ip": "fe80::1"}}
Draw = random.Random
_ODD: Final = ("{{}}", "{{ a }}", "$a", "${a}", "%s", "true", "null", "~", "1e3", "0123", '"q"', "a\nb", "# c")


def text_call(draw: Draw) -> Any:
    return draw.choice([
        {"get_input": draw.choice(["text", "apostrophe", "empty", "digits", "word"])},
        {"get_property": [draw.choice(list(PROPERTIES)), "text"]},
        {"get_attribute": [draw.choice(list(ATTRIBUTES)), "ip"]},
    ])  # fmt: skip


def words(draw: Draw) -> str:
    if draw.random() < 0.3:
        return draw.choice(_ODD)
    return "".join(draw.choices("ab-;: 'ü0.", k=draw.randint(0, 6)))


def get_input(draw: Draw) -> Any:
    name = draw.choice(list(INPUTS))
    steps = {"items": [draw.randrange(2)], "map": ["k"], "odd": ["k"]}.get(name, []) if draw.random() < 0.3 else []
    return {"get_input": [name, *steps] if steps or draw.random() < 0.2 else name}


def get_property(draw: Draw) -> Any:
    node, name = draw.choice(list(PROPERTIES)), draw.choice(list(PROPERTIES["one"]))
    steps = {"map": [draw.choice("ab")], "items": [draw.randrange(2)]}.get(name, []) if draw.random() < 0.5 else []
    return {"get_property": [node, name, *(steps if node == "one" or name == "map" else [])]}


def get_attribute(draw: Draw) -> Any:
    return {"get_attribute": [draw.choice(list(ATTRIBUTES)), draw.choice(["ip", "ip", "text", "made"])]}


def concat(draw: Draw) -> Any:
    makers: list[Callable[[Draw], Any]] = [words, words, text_call, text_call]
    if draw.random() < 0.3:
        makers += [lambda one: one.randrange(-9, 99), lambda one: one.random() < 0.5, lambda one: one.randrange(9) / 4]
    if draw.random() < 0.3:
        makers += [concat]
    return {"concat": [draw.choice(makers)(draw) for _ in range(draw.randint(1, 4))]}


def join(draw: Draw) -> Any:
    items: Any = [words(draw) for _ in range(draw.randint(1, 4))]
    if draw.random() < 0.3:
        items = {"get_input": "items"}
    elif draw.random() < 0.4:
        items.append(text_call(draw))
    return {"join": [items, draw.choice(["-", ", ", ""])] if draw.random() < 0.8 else [items]}


def token(draw: Draw) -> Any:
    separator = draw.choice(["-", ";", "-;", "x"])
    text = draw.choice(["a-b;c", "a-b;c", "one-two", words(draw)])
    return {"token": [text if draw.random() < 0.5 else {"get_input": "text"}, separator, draw.randrange(3)]}


DRAWN: Final[dict[str, Callable[[Draw], Any]]] = {
    "get_input": get_input, "get_property": get_property, "get_attribute": get_attribute, "concat": concat,
    "join": join, "token": token,
}  # fmt: skip


def second(value: Any) -> Any:
    """Calls as TOSCA 2.0 writes them."""
    if isinstance(value, list):
        return [second(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {f"${key}" if key in DRAWN else key: second(item) for key, item in value.items()}


def document(calls: list[Any], version: str = VERSION) -> str:
    """A service template whose outputs are the calls."""

    def typed(name: str, value: Any) -> dict[str, Any]:
        made: dict[str, Any] = {"type": TYPES[type(value)]}
        return {**made, "entry_schema": {"type": "string"}} if isinstance(value, (list, dict)) else made

    own = {"text": "", "number": 0, "items": [], "map": {}, "made": ""}
    body, written = ("service_template", second) if version == SECOND else ("topology_template", lambda value: value)
    return json.dumps(  # all texts in quotes: engines differ in what else is one
        {
            "tosca_definitions_version": version,
            "node_types": {
                "own.Node": {
                    "derived_from": "tosca.nodes.Root",
                    "properties": {name: typed(name, value) for name, value in own.items()},
                    "attributes": {"ip": {"type": "string"}},
                }
            },
            body: {
                "inputs": {name: typed(name, value) for name, value in INPUTS.items()},
                "node_templates": {
                    name: {"type": "own.Node", "properties": written(row), "attributes": ATTRIBUTES[name]}
                    for name, row in PROPERTIES.items()
                },
                "outputs": {f"v{number}": {"value": written(call)} for number, call in enumerate(calls)},
            },
        },
        ensure_ascii=False,
        indent=1,
    )
