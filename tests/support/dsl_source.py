"""Random expressions of the Cloudify DSL, and the blueprint that they are about.

The same seed gives the same expressions and the same given inputs. Nearly all have arguments of the right kind.
"""

from __future__ import annotations

import random
from typing import Any

#: name -> declaration in the blueprint and values that may be given
INPUTS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "env": ({"type": "string"}, ["prod", "de-v_1", "a$b $env %x% 'q' \\", ""]),
    "word": ({"type": "string", "default": "a-b-c"}, ["Mixed Case", "--"]),
    "num": ({"type": "integer"}, [0, 7, -3]),
    "flt": ({"type": "float", "default": 1.5}, [2.0, 0.25]),
    "flag": ({"type": "boolean", "default": True}, [False]),
    "items": ({"type": "list", "default": ["x", "y-z", "w"]}, [["k", "l", "m"]]),
    "texts": ({"type": "list", "item_type": "string", "default": ["t", "u"]}, [["v", "w"]]),
    "data": (
        {"type": "dict", "default": {"k": "v", "port": 80, "on": True, "in": {"list": ["p", "q"], "t": "T-U"}}},
        [{"k": "K", "port": 8080, "on": False, "in": {"list": ["r", "s"], "t": ""}}],
    ),
    "greeting": ({"type": "string", "default": {"concat": ["hi-", {"get_input": "env"}]}}, ["hey"]),
    "again": ({"default": {"get_input": "greeting"}}, ["once more"]),
    "count": ({"type": "integer", "default": {"get_input": "num"}}, [12]),
    "mixed": (
        {"type": "dict", "default": {"a": {"get_input": "env"}, "b": {"c": [1, "two"]}}},
        [{"a": "A", "b": {"c": [3]}}],
    ),
    "maybe": ({"type": "string", "required": False}, ["sure"]),
    # branches of choices
    "if_env": ({"hidden": True, "default": ["is prod", {"get_input": "word"}]}, []),
    "if_flag": ({"hidden": True, "default": [{"get_attribute": ["web", "name"]}, {"get_input": ["data", "k"]}]}, []),
    "if_both": ({"hidden": True, "default": ["no", {"get_input": ["if_word", {"string_find": [
        "#a-b-c#", {"concat": ["#", {"get_input": "word"}, "#"]}]}]}]}, []),
    "if_word": ({"hidden": True, "default": ["yes", "other"]}, []),
}  # fmt: skip
#: properties of the node ``cfg``, and what of ``web``
PROPERTIES: dict[str, dict[str, Any]] = {
    "cfg": {
        "title": "Title-Text", "size": 3, "enabled": False,
        "deep": {"list": ["d0", {"x": "d1"}], "env": {"get_input": "env"}},
        "own": {"concat": [{"get_property": ["SELF", "title"]}, "/", {"get_input": "word"}]},
        "whole": {"get_input": "data"}, "address": {"get_attribute": ["web", "first_address"]},
    },
    "web": {"label": "web-label"},
}  # fmt: skip
#: what the node ``web`` (a server in Heat) has at run time
RUNTIME: dict[str, Any] = {
    "first_address": "10.0.0.5", "name": "web-1-x", "accessIPv4": "1.2.3.4",
    "networks": {"net": ["10.0.0.5", "10.0.0.6"]}, "instance_name": "inst",
}  # fmt: skip
_LITERALS = [
    "", "a", "-", "x y", "://", ":80", "$env", "$word ", "${num}", "'", "\\n", "%env%", "<env>", "true", "1", "AbC",
]  # fmt: skip


class Source:
    """Makes raw DSL values."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.given = {
            name: self.random.choice(values)
            for name, (declared, values) in INPUTS.items()
            if ("default" not in declared and declared.get("required", True)) or (values and self.random.random() < 0.3)
        }

    def value(self, depth: int = 3) -> Any:
        """A value of any kind, with calls."""
        kind = self.random.choice(["text"] * 6 + ["map", "list", "number", "scalar"])
        return getattr(self, kind)(depth)

    def text(self, depth: int) -> Any:
        """What yields a text."""
        choose = self.random
        if depth <= 0 or choose.random() < 0.2:
            return self.leaf()
        make = choose.choice(
            [self.concat] * 3 + [self.replace, self.split, self.case, self.case, self.leaf, self.choice]
        )
        return make(depth - 1)

    def leaf(self, depth: int = 0) -> Any:
        """A text or a reference to one."""
        return self.random.choice([
            self.random.choice(_LITERALS), self.random.choice(_LITERALS),
            {"get_input": "env"}, {"get_input": "word"}, {"get_input": "greeting"}, {"get_input": "again"},
            {"get_input": ["items", self.random.randint(-1, 2)]}, {"get_input": ["texts", 1]},
            {"get_input": ["data", "k"]}, {"get_input": ["data", "in", "t"]}, {"get_input": ["mixed", "a"]},
            {"get_input": ["data", "in", "list", {"string_find": ["abc", "b"]}]},
            {"get_property": ["cfg", "title"]}, {"get_property": ["cfg", "deep", "list", 0]},
            {"get_property": ["cfg", "deep", "list", 1, "x"]}, {"get_property": ["cfg", "own"]},
            {"get_property": ["cfg", "deep", "env"]}, {"get_attribute": ["cfg", "title"]},
            {"get_attribute": ["web", "first_address"]}, {"get_attribute": ["web", "name"]},
            {"get_attribute": ["web", "networks", "net", 1]}, {"get_attribute": ["cfg", "address"]},
            {"get_attribute": ["web", "label"]}, {"get_sys": ["deployment", "name"]},
        ])  # fmt: skip

    def choice(self, depth: int = 0) -> Any:
        """One of two texts, as hot2cfy writes ``if``."""
        fenced = {"concat": ["|", {"get_input": "env"}, "|"]}
        return self.random.choice([
            {"get_input": ["if_env", {"string_find": ["|prod|", fenced]}]},
            {"get_input": ["if_env", {"string_find": [fenced, "|prod|"]}]},
            {"get_input": ["if_flag", {"get_input": "flag"}]}, {"get_input": ["if_both", {"get_input": "flag"}]},
        ])  # fmt: skip

    def scalar(self, depth: int) -> Any:
        """A number, a boolean, or null now and then."""
        return self.random.choice([
            7, 1.5, True, {"get_input": "num"}, {"get_input": "flt"}, {"get_input": "flag"}, {"get_input": "count"},
            {"get_input": ["data", "port"]}, {"get_input": ["data", "on"]}, {"get_property": ["cfg", "size"]},
            {"get_property": ["cfg", "enabled"]}, {"get_input": "maybe"}, {"get_input": ["mixed", "b", "c", 0]},
        ])  # fmt: skip

    def number(self, depth: int) -> Any:
        """Where a text is in another one."""
        if depth <= 0:
            return self.random.choice([3, {"get_input": "num"}])
        return {"string_find": [self.text(depth - 1), self.random.choice(["a", "-", "\\", "'", self.leaf()])]}

    def concat(self, depth: int) -> Any:
        """Texts and now and then other scalars."""
        items = [
            self.scalar(depth) if self.random.random() < 0.2 else self.text(depth)
            for _ in range(self.random.choice([0, 1, 2, 2, 3, 3, 4]))
        ]
        if items and self.random.random() < 0.3:
            between = self.random.choice(["-", "/", " $env "])
            items = [part for item in items for part in (item, between)][:-1]
        return {"concat": items}

    def replace(self, depth: int) -> Any:
        """string_replace, counted or not."""
        old = self.random.choice(["-", "a", "env", "$", "", self.leaf()])
        count = self.random.choice([[], [], [1], [0], [-1]])
        return {"string_replace": [self.text(depth), old, self.leaf(), *count]}

    def split(self, depth: int) -> Any:
        """One piece of a text."""
        index = self.random.choice([0, 0, -1, 1])
        return {"string_split": [self.text(depth), self.random.choice(["-", "/", "a"]), index]}

    def case(self, depth: int) -> Any:
        """Upper or lower case."""
        text = self.text(depth)
        return {self.random.choice(["string_lower", "string_upper"]): text if text != "" else "Ab"}

    def list(self, depth: int) -> Any:
        """A list, or what yields one."""
        if depth > 0 and self.random.random() < 0.5:
            return {"string_split": [self.text(depth - 1), self.random.choice(["-", " "])]}
        return self.random.choice([
            [self.text(depth - 1), self.scalar(depth)], {"get_input": "items"}, {"get_input": "texts"},
            {"get_property": ["cfg", "deep", "list"]}, {"get_attributes_list": ["web", "first_address"]},
            {"get_attribute": ["web", "networks", "net"]},
        ])  # fmt: skip

    def map(self, depth: int) -> Any:
        """A map, or a merged one; its keys are names of Heat's functions now and then."""
        if depth > 0 and self.random.random() < 0.5:
            return {"merge": [self.map(depth - 1) for _ in range(self.random.randint(1, 3))]}
        key = self.random.choice(["k", "z", "get_param", "if", "yaql", "equals", "Ref"])
        return self.random.choice([
            {key: self.text(depth - 1)}, {"a": self.scalar(depth), key: {"get_attr": self.text(depth - 1)}},
            {"get_input": "data"}, {"get_input": ["data", "in"]}, {"get_property": ["cfg", "whole", "in"]},
            {"get_input": "mixed"}, {"get_input": ["mixed", "b"]}, {"get_property": ["cfg", "deep"]},
        ])  # fmt: skip
