"""Random HOT expressions, and the parameters, conditions and runtime values that they are about.

The same seed gives the same expressions. Most have arguments of the right kind; some do not, so that refusals are
compared too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bpconvert.translators.hot.functions import VERSIONS, Version, functions_of

#: name -> (type, value)
PARAMETERS: dict[str, tuple[str, Any]] = {
    "s1": ("string", "abcab"),
    "s2": ("string", "a,b,,c"),
    "s3": ("string", ""),
    "s4": ("string", "5"),
    "s5": ("string", "e\u00e9 \u20ac %x%"),
    "cond": ("string", "c_true"),
    "n1": ("number", 3),
    "n2": ("number", "2.50"),
    "b1": ("boolean", "yes"),
    "b0": ("boolean", False),
    "l1": ("comma_delimited_list", "a,b, c"),
    "l2": ("comma_delimited_list", ["x", "y", "z"]),
    "l0": ("comma_delimited_list", ""),
    "j1": ("json", {"a": 1, "b": {"c": [1, 2, {"d": None}]}, "t": "text", "n": None}),
    "j2": ("json", [1, "two", None, True, [3], {"k": "v"}]),
    "j3": ("json", '[{"a": "x"}, {"b": "y", "a": "z"}]'),
    "j4": ("json", '{"0": "zero", "k": "v", "a": [1.0, false]}'),
    "jn": ("json", "null"),
}
RESOURCES: dict[str, dict[str, Any]] = {
    "r1": {
        "id": "r1-id",
        "attributes": {"ip": "10.0.0.1", "items": ["a", "b"], "info": {"k": "v", "l": [1, {"z": "q"}]}, "none": None},
    },
    "r2": {"id": "abc", "attributes": {"ip": "a", "num": 5, "flag": True, "items": []}},
}
CONDITIONS: dict[str, Any] = {
    "c_true": True,
    "c_false": False,
    "c_eq": {"equals": [{"get_param": "n1"}, 3]},
    "c_param": {"get_param": "b0"},
    "c_and": {"and": ["c_true", {"not": "c_false"}, {"equals": ["a", "b"]}]},
    "c_lazy": {"or": ["c_true", "c_nowhere"]},
    "c_loop": {"not": "c_loop2"},
    "c_loop2": {"not": "c_loop"},
    "c_text": {"get_param": "s1"},
    "c_lost": {"equals": [{"get_param": "nowhere"}, 1]},
}
#: what a resource of the parent stack has, and the availability zones of the cloud
PARENT = {"metadata": {"k": ["v", 1]}, "update_policy": {"p": {"q": 2}}, "deletion_policy": "Retain"}
ZONES = ["nova", "az2"]
FILES = {"f.txt": "text of f %x%\n", "5": "five"}
_TEXTS = [
    "", "a", "b", "ab", "abcd", "a-b-c", "$a $ab $abc", "x,y,z", "%x%", "pre-%x%-%y%", "\u00e9", "5", "c_true", "k",
]  # fmt: skip
_SCALARS = [0, 1, 2, -1, 3.0, 1.5, True, False, None]


class Source:
    """Makes raw HOT values for one version. ``runtime``: they may refer to resources."""

    def __init__(self, seed: int, *, runtime: bool, version: str | None = None) -> None:
        self.random = random.Random(seed)
        self.runtime = runtime
        self.version: Version = VERSIONS[version or self.random.choice([*VERSIONS, "2017-09-01", "2021-04-16"])]
        table = functions_of(self.version)
        self.kinds = {
            kind: [name for name in names if name in table or self.random.random() < 0.03]
            for kind, names in _RESULTS.items()
        }

    def value(self, kind: str = "any", depth: int = 3) -> Any:
        """A raw value that most likely yields ``kind``: text, list, map, bool or any."""
        choose = self.random
        if choose.random() < 0.06 or kind == "any":
            kind = choose.choice(["text", "text", "list", "map", "bool"])
        names = self.kinds[kind]
        if depth > 0 and names and choose.random() < 0.75:
            name = choose.choice(names)
            return {name: self.argument(name, kind, depth - 1)}
        return self.literal(kind, depth)

    def literal(self, kind: str, depth: int) -> Any:
        """Data, with calls inside now and then."""
        choose = self.random
        if kind == "text":
            return choose.choice(_SCALARS) if choose.random() < 0.08 else choose.choice(_TEXTS)
        if kind == "bool":
            return choose.random() < 0.5
        if choose.random() < 0.04:
            return None
        if kind == "list":
            inner = choose.choice(["text", "text", "text", "any", "map"])
            return [self.value(inner, depth - 1) for _ in range(choose.randint(0, 3))]
        keys = [choose.choice(["a", "b", "k", "%x%", "0"]) for _ in range(choose.randint(0, 3))]
        return {key: self.value("text", depth - 1) for key in keys}

    def argument(self, name: str, kind: str, depth: int) -> Any:
        """An argument for the function ``name``."""
        make = _ARGUMENTS.get(name)
        return make(self, kind, depth) if make is not None else self.value("any", depth)

    def condition(self, depth: int = 2) -> Any:
        """A raw condition."""
        choose = self.random
        kind = choose.random()
        if depth <= 0 or kind < 0.4:
            return choose.choice([True, False, *CONDITIONS, *CONDITIONS, "c_nowhere"])
        if kind < 0.5:
            return {"get_param": choose.choice(["b1", "b0", "cond", "s1", "n1"])}
        if kind < 0.65:
            return {"equals": [choose.choice([*_TEXTS, *_SCALARS]), {"get_param": choose.choice(list(PARAMETERS))}]}
        if kind < 0.8:
            return {"not": self.condition(depth - 1)}
        if kind < 0.85 and self.version.has("2017-09-01"):
            return {"contains": [choose.choice(_TEXTS), {"get_param": choose.choice(["s1", "l1", "l2", "j2"])}]}
        return {choose.choice(["and", "or"]): [self.condition(depth - 1) for _ in range(choose.randint(2, 3))]}

    def get_param(self, kind: str, depth: int) -> Any:
        """A parameter of the kind, or a path into one."""
        choose = self.random
        if choose.random() < 0.3:
            steps = ["a", "b", "c", 0, 1, 2, "0", "1", -1, "t", "d", "k", None, 9, True]
            return [choose.choice(["j1", "j2", "j3", "j4", "l1", "s1"]), *choose.sample(steps, choose.randint(0, 3))]
        types = {"text": ["string"], "list": ["comma_delimited_list"], "map": ["json"], "bool": ["boolean"]}
        names = [name for name, (type_, _) in PARAMETERS.items() if type_ in types[kind]]
        if kind == "list":
            names += ["j2", "j3"]
        return choose.choice(["nowhere" if choose.random() < 0.03 else choose.choice(names), choose.choice(names)])

    def get_attr(self, kind: str, depth: int) -> Any:
        """An attribute, or a path into one."""
        choose = self.random
        names = {"text": ["ip", "none"], "list": ["items"], "map": ["info"], "bool": ["flag"]}[kind]
        path = choose.sample(["k", "l", 0, 1, "0", "z"], choose.choice([0, 0, 1, 2]))
        return [choose.choice(["r1", "r2"]), choose.choice([*names, *names, "num", "gone"]), *path]

    def replace(self, kind: str, depth: int) -> Any:
        """The argument of str_replace."""
        names = ["$a", "$ab", "$abc", "a", "b", "ab", "bcd", "-", "%x%", "k", "c"]
        keys = self.random.sample(names, self.random.randint(0, 3))
        template = self.random.choice(["$a $ab $abc", "abcd", "a-b-c", "ab%x%ba"])
        return {
            "template": template if self.random.random() < 0.7 else self.value("text", depth),
            "params": {key: self.value(self.random.choice(["text", "text", "any"]), depth) for key in keys}
            if self.random.random() < 0.9
            else self.value("map", depth),
        }

    def repeat(self, kind: str, depth: int) -> Any:
        """The argument of repeat."""
        names = self.random.sample(["%x%", "%y%", "a"], self.random.randint(1, 2))
        found = {
            "template": self.value(self.random.choice(["text", "map", "list"]), depth),
            "for_each": {name: self.value("list" if self.random.random() < 0.9 else "map", depth) for name in names},
        }
        if self.random.random() < 0.3:
            found["permutations"] = self.random.choice([True, False, False])
        return found

    def url(self, kind: str, depth: int) -> Any:
        """The argument of make_url."""
        choose = self.random
        parts = {
            "scheme": choose.choice(["http", "https", "a:b"]),
            "username": self.value("text", depth - 1),
            "password": choose.choice(["p@ss/w", "", "\u00e9"]),
            "host": choose.choice(["[::1]", "fe80::1", "example.com", self.value("text", depth - 1)]),
            "port": choose.choice([80, "8080", 0, 70000, "x", 80.5]),
            "path": choose.choice(["/a b", "c/d", self.value("text", depth - 1)]),
            "query": choose.choice([{"a": "1/2 3", "b": 4}, {}, self.value("map", depth - 1)]),
            "fragment": choose.choice(["f g", 5]),
        }
        return {name: parts[name] for name in parts if choose.random() < 0.45}


def _list_of(kind: str) -> Callable[[Source, str, int], Any]:
    def make(source: Source, _: str, depth: int) -> Any:
        return [source.value(kind, depth) for _ in range(source.random.randint(1, 3))]

    return make


def _join(source: Source, kind: str, depth: int) -> Any:
    count = source.random.choice([1, 1, 2])
    return [source.random.choice(_TEXTS[:3]), *(source.value("list", depth) for _ in range(count))]


def _split(source: Source, kind: str, depth: int) -> Any:
    index = [source.random.choice([0, 1, "1", -1, 7, "x"])] if kind == "text" and source.random.random() < 0.9 else []
    return [source.random.choice([",", "-", "b", " "]), source.value("text", depth), *index]


def _if(source: Source, kind: str, depth: int) -> Any:
    branches = [source.value(kind, depth), source.value(kind, depth)]
    return [source.condition(), *branches[: 1 if source.random.random() < 0.15 else 2]]


def _map_replace(source: Source, kind: str, depth: int) -> Any:
    keys = {source.random.choice(["a", "k", "b"]): source.random.choice(["z", "b", "y", None])}
    values = {source.random.choice(["a", "v", "x", "10.0.0.1"]): source.value("text", depth)}
    changes = {"keys": keys, "values": values}
    return [source.value("map", depth), {name: changes[name] for name in changes if source.random.random() < 0.6}]


def _members(source: Source, kind: str, depth: int) -> Any:
    """The argument of Fn::MemberListToMap."""
    choose = source.random
    names = [f".member.{number}.{name}" for number in (0, 1) for name in ("Name", "Value")]
    items = [f"{name}={choose.choice(_TEXTS)}" for name in choose.sample(names, choose.choice([2, 4, 4]))]
    return ["Name", "Value", items if choose.random() < 0.9 else source.value("any", depth)]


def _query(source: Source, kind: str, depth: int) -> Any:
    """The argument of yaql."""
    choose = source.random
    expression = choose.choice(["$.data", "$.data.len()", "str($.data)", "$.data = null", "$.data.toUpper()", "$.gone"])
    return {"expression": expression, "data": source.value("any", depth)}


#: kind of result -> functions that give it (a name stands several times when it should be used often)
_RESULTS: dict[str, list[str]] = {
    "text": ["get_param", "get_param", "get_attr", "get_resource", "list_join", "list_join", "str_replace",
             "str_replace", "str_replace_strict", "str_replace_vstrict", "str_split", "digest", "make_url", "if",
             "get_file", "Fn::Join", "Fn::Select", "Fn::Replace", "Fn::Base64", "Ref"],
    "list": ["get_param", "get_param", "get_attr", "str_split", "list_concat", "list_concat_unique", "filter", "repeat",
             "repeat", "if", "Fn::Split", "Fn::Select"],
    "map": ["get_param", "get_attr", "map_merge", "map_merge", "map_replace", "map_replace", "if"],
    "bool": ["get_param", "contains", "if"],
}  # fmt: skip
_ARGUMENTS: dict[str, Callable[[Source, str, int], Any]] = {
    "get_param": Source.get_param,
    "get_attr": Source.get_attr,
    "get_resource": lambda source, kind, depth: source.random.choice(["r1", "r2"]),
    "Ref": lambda source, kind, depth: source.random.choice(["r1", "s1", "l1", "nowhere"]),
    "get_file": lambda source, kind, depth: source.random.choice(["f.txt", "5", "gone", {"get_param": "s4"}]),
    "list_join": _join,
    "Fn::Join": _join,
    "str_replace": Source.replace,
    "str_replace_strict": Source.replace,
    "str_replace_vstrict": Source.replace,
    "Fn::Replace": lambda source, kind, depth: [
        {"a": source.value("text", depth), "ab": "q"}, source.value("text", depth),
    ],
    "Fn::Base64": lambda source, kind, depth: source.literal("text", depth),
    "str_split": _split,
    "Fn::Split": lambda source, kind, depth: [",", source.value("text", depth)],
    "Fn::Select": lambda source, kind, depth: [source.random.choice([0, "1", "a", 9]), source.value("any", depth)],
    "digest": lambda source, kind, depth: [
        source.random.choice(["md5", "SHA256", "nope"]), source.value("text", depth),
    ],
    "make_url": Source.url,
    "map_merge": _list_of("map"),
    "map_replace": _map_replace,
    "list_concat": _list_of("list"),
    "list_concat_unique": _list_of("list"),
    "filter": lambda source, kind, depth: [source.value("list", depth), source.value("list", depth)],
    "repeat": Source.repeat,
    "contains": lambda source, kind, depth: [source.value("text", depth), source.value("list", depth)],
    "if": _if,
    "yaql": _query,
    "Fn::MemberListToMap": _members,
    "Fn::GetAZs": lambda source, kind, depth: source.value("text", depth),
    "resource_facade": lambda source, kind, depth: source.random.choice([*PARENT, "Metadata", "gone", 5]),
    "Fn::ResourceFacade": lambda source, kind, depth: source.random.choice(
        ["Metadata", "DeletionPolicy", "UpdatePolicy", "metadata", "gone", 5]
    ),
}  # fmt: skip
