"""What HOT expressions look like when they are written again, and which version has them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from corpus_cases import CASES, Case

from bpconvert.diagnostics import SourceError
from bpconvert.models import expressions as ex
from bpconvert.models.hot_versions import LATEST, VERSIONS, nearest_version
from bpconvert.translators.hot.functions import FUNCTIONS, Reader
from bpconvert.translators.hot.write.calls import Inexpressible, collides, needs, write_condition, write_value
from bpconvert.yamlio.document import load

#: other spellings of functions that all versions have, and how their argument is written
_OLD: dict[str, Any] = {
    "Ref": None,
    "Fn::Join": lambda argument: {"list_join": argument},
    "Fn::Split": lambda argument: {"str_split": argument},
    "Fn::Replace": lambda argument: {"str_replace": {"template": argument[1], "params": argument[0]}},
    "Fn::ResourceFacade": None,
    "Fn::Base64": lambda argument: argument,
}


def template_of(case: Case) -> dict[str, Any]:
    """The case's template as Heat gets it, which is JSON; empty where it cannot be read."""
    try:
        data = load(case.source.read_bytes(), "hot.yaml").data
    except SourceError:
        return {}
    found = json.loads(json.dumps(data, default=str))
    return found if isinstance(found, dict) else {}


def parts(data: dict[str, Any], *sections: str) -> Iterator[Any]:
    """The entries of sections; those of resources and outputs by their keys."""
    for section in sections:
        entries = data.get(section)
        for entry in entries.values() if isinstance(entries, dict) else ():
            if section == "conditions":
                yield entry
            elif isinstance(entry, dict):
                yield from (value for key, value in entry.items() if key not in ("type", "condition", "depends_on"))


def plain(raw: Any, reader: Reader) -> Any:
    """``raw`` in the spelling that is written."""
    if isinstance(raw, (list, tuple, set)):
        return [plain(item, reader) for item in raw]
    if not isinstance(raw, dict):
        return raw
    inner = {key: plain(item, reader) for key, item in raw.items()}
    value = reader.value(raw)
    name, argument = next(iter(inner.items())) if len(inner) == 1 else ("", None)
    if not isinstance(value, ex.Expr) and not (name == "Fn::Base64" and value == argument):
        return {"map_replace": [{f"{name}_": argument}, {"keys": {f"{name}_": name}}]} if collides(raw) else inner
    if name in _OLD:
        return _OLD[name](argument) if _OLD[name] else write_value(value)
    if name == "get_param" and isinstance(argument, list) and len(argument) == 1:
        return {name: argument[0]}
    if name == "get_attr" and isinstance(value, ex.Attribute) and value.name is ex.MISSING:
        return {name: [value.node]}
    if name == "repeat" and argument.get("permutations") is True:
        return {name: {key: item for key, item in argument.items() if key != "permutations"}}
    if name == "yaql" and argument.get("data") == {}:
        return {name: {"expression": argument["expression"]}}
    if name == "map_merge" and argument == "":
        return {name: []}
    if name == "map_replace" and argument[1] is None:
        return {name: [argument[0], {}]}
    return inner


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_mistake], ids=lambda case: case.name)
def test_corpus_reads_and_writes_the_same(case: Case) -> None:
    """Every value and condition of the corpus: written as it was, and read again as it was."""
    data = template_of(case)
    if "heat_template_version" not in data:
        return
    version = nearest_version(str(data["heat_template_version"]))
    declared = data.get("parameters") or {}
    for raw in parts(data, "resources", "outputs"):
        reader = Reader(version, declared=declared, names=data.get("resources") or {})
        value = reader.value(raw)
        if reader.problems or any(map(_is_old, ex.walk(value))):
            continue
        written = write_value(value)
        assert written == plain(raw, Reader(version, declared=declared, names=data.get("resources") or {}))
        assert no_older_function(written)
        high = max(needs(written), version.date)
        if not _has_collision(value):
            assert meaning(Reader(VERSIONS[high], declared=declared).value(written)) == meaning(value)
            assert meaning(Reader(VERSIONS[needs(written)], declared=declared).value(written)) == meaning(value)
    for raw in parts(data, "conditions"):
        reader = Reader(version, declared=declared)
        condition = reader.condition(raw, definition=True)
        if not reader.problems:
            assert write_condition(condition) == raw
            assert needs(raw, "condition") <= version.date


def meaning(value: Any) -> str:
    """``value`` as text, without what tells the forms of one function apart."""
    text = repr(value).replace("json_items=False", "json_items=True").replace("json_values=False", "json_values=True")
    return text.replace("strict=True", "strict=False")


def _is_old(expr: ex.Expr) -> bool:
    """Calls that later versions have in no spelling."""
    return isinstance(expr, ex.Select) or (isinstance(expr, ex.Foreign) and expr.name.startswith("Fn::"))


def _has_collision(value: Any) -> bool:
    if isinstance(value, ex.Expr):
        return any(_has_collision(getattr(value, name)) for name in ex.field_names(type(value)))
    if isinstance(value, dict):
        return collides(value) or any(map(_has_collision, value.values()))
    return isinstance(value, (list, tuple)) and any(map(_has_collision, value))


#: names that are calls in old versions only
OLDER = {f.name for f in FUNCTIONS} - {f.name for f in FUNCTIONS if f.until is None}


def no_older_function(data: Any) -> bool:
    """True when nothing in it is a call in old versions only."""
    if isinstance(data, dict):
        return not (len(data) == 1 and OLDER & data.keys()) and all(map(no_older_function, data.values()))
    return all(map(no_older_function, data)) if isinstance(data, list) else True


def test_corpus_has_every_function() -> None:
    """The property above says something about all functions."""
    found: Counter[type] = Counter()
    for case in CASES:
        data = template_of(case)
        if case.is_mistake or "heat_template_version" not in data:
            continue
        reader = Reader(nearest_version(str(data["heat_template_version"])))
        for raw in parts(data, "resources", "outputs"):
            found.update(type(expr) for expr in ex.walk(reader.value(raw)))
    wanted = {
        ex.Input, ex.System, ex.Identity, ex.Attribute, ex.File, ex.Facade, ex.Join, ex.Replace, ex.Split, ex.Digest,
        ex.Url, ex.Merge, ex.MapReplace, ex.ListConcat, ex.Filter, ex.Repeat, ex.Query, ex.Contains, ex.If,
    }  # fmt: skip
    assert wanted <= found.keys()


CALLS: list[tuple[Any, str]] = [
    ({"get_param": "x"}, "2013-05-23"),
    ({"get_param": ["x", "k", 0]}, "2013-05-23"),
    ({"get_param": {"get_param": "x"}}, "2013-05-23"),
    ({"get_param": "OS::stack_name"}, "2013-05-23"),
    ({"get_resource": "r"}, "2013-05-23"),
    ({"get_attr": ["r", "a", "k"]}, "2013-05-23"),
    ({"get_attr": ["r"]}, "2015-10-15"),
    ({"get_file": "f"}, "2013-05-23"),
    ({"resource_facade": "metadata"}, "2013-05-23"),
    ({"list_join": ["", ["a", {"get_param": "x"}]]}, "2013-05-23"),
    ({"list_join": ["", {"get_param": "x"}]}, "2013-05-23"),
    ({"list_join": ["", ["a"], ["b"]]}, "2015-10-15"),
    ({"list_join": ["", ["a", {"k": 1}]]}, "2015-10-15"),
    ({"list_join": ["", ["a", ["k"]]]}, "2015-10-15"),
    ({"str_replace": {"template": "t", "params": {"t": {"get_param": "x"}}}}, "2013-05-23"),
    ({"str_replace": {"template": "t", "params": {"t": {"k": 1, "l": 2}}}}, "2015-10-15"),
    ({"str_replace": {"template": "t", "params": {"t": [1]}}}, "2015-10-15"),
    ({"str_replace": {"template": "t", "params": {"get_param": "p"}}}, "2013-05-23"),
    ({"str_replace_strict": {"template": "t", "params": {"t": "x"}}}, "2017-02-24"),
    ({"str_replace_vstrict": {"template": "t", "params": {"t": "x"}}}, "2017-09-01"),
    ({"str_split": [",", "a,b"]}, "2015-10-15"),
    ({"str_split": [",", "a,b", 1]}, "2015-10-15"),
    ({"str_split": {"get_param": "x"}}, "2015-10-15"),
    ({"digest": ["md5", "x"]}, "2015-04-30"),
    ({"make_url": {"host": "h"}}, "2017-09-01"),
    ({"map_merge": [{"a": 1}, {"get_param": "x"}]}, "2016-04-08"),
    ({"map_replace": [{"a": 1}, {"keys": {"a": "b"}, "values": {"1": 2}}]}, "2016-10-14"),
    ({"list_concat": [["a"], ["b"]]}, "2017-09-01"),
    ({"list_concat_unique": [["a"], ["b"]]}, "2017-09-01"),
    ({"filter": [["a"], ["b"]]}, "2017-02-24"),
    ({"repeat": {"template": "t", "for_each": {"t": ["a"]}}}, "2015-04-30"),
    ({"repeat": {"template": "t", "for_each": {"t": {"a": 1, "b": 2}}}}, "2016-10-14"),
    ({"repeat": {"template": "t", "for_each": {"t": ["a"]}, "permutations": False}}, "2017-09-01"),
    ({"yaql": {"expression": "$.data", "data": {"a": 1}}}, "2016-10-14"),
    ({"contains": ["a", ["b"]]}, "2017-09-01"),
    ({"if": ["c", "a", "b"]}, "2016-10-14"),
    ({"if": [{"not": {"equals": [{"get_param": "x"}, ""]}}, "a", "b"]}, "2016-10-14"),
    ({"if": [{"contains": ["a", ["b"]]}, "a", "b"]}, "2017-09-01"),
    ({"if": [{"yaql": {"expression": "true"}}, "a", "b"]}, "2017-09-01"),
    ({"if": [{"and": [True, {"or": ["c", False]}]}, "a"]}, "2021-04-16"),
    ({"a": {"get_param": "x"}, "b": [{"list_concat": [[], []]}]}, "2017-09-01"),
    ({"equals": ["a", "b"]}, "2013-05-23"),
    ({"not": "c"}, "2013-05-23"),
    ({"a": None, 1: 2, False: "yes"}, "2013-05-23"),
]


@pytest.mark.parametrize(("raw", "version"), CALLS, ids=[str(raw)[:60] for raw, _ in CALLS])
def test_written_as_read_and_in_the_lowest_version(raw: Any, version: str) -> None:
    reader = Reader(LATEST)
    value = reader.value(raw)
    assert write_value(value) == raw
    assert needs(raw) == version
    lowest = Reader(VERSIONS[version])
    lowest.value(raw)
    assert not lowest.problems


@pytest.mark.parametrize(
    ("data", "written"),
    [
        ({"get_param": "x"}, {"map_replace": [{"get_param_": "x"}, {"keys": {"get_param_": "get_param"}}]}),
        ({"Ref": "x"}, {"map_replace": [{"Ref_": "x"}, {"keys": {"Ref_": "Ref"}}]}),
        ({"Fn::Select": [0, []]}, {"map_replace": [{"Fn::Select_": [0, []]}, {"keys": {"Fn::Select_": "Fn::Select"}}]}),
        (
            [{"k": {"if": {"yaql": 1}}}],
            [{"k": {"map_replace": [
                {"if_": {"map_replace": [{"yaql_": 1}, {"keys": {"yaql_": "yaql"}}]}}, {"keys": {"if_": "if"}},
            ]}}],
        ),
        ({"get_param": "x", "k": 1}, {"get_param": "x", "k": 1}),
        ({"equals": [1, 2]}, {"equals": [1, 2]}),
    ],
)  # fmt: skip
def test_data_that_looks_like_a_call(data: Any, written: Any) -> None:
    assert write_value(data) == written
    assert needs(written) == ("2016-10-14" if written != data else "2013-05-23")


@pytest.mark.parametrize(
    "value",
    [
        ex.Secret("s"), ex.Concat(("a",)), ex.Equals(1, 2), ex.Not(True), ex.Condition("c"), ex.System("tenant.name"),
        ex.Foreign("cloudify", "concat", "x"), ex.Foreign("hot", "Fn::GetAZs", ""), ex.Select(0, []),
    ],
    ids=repr,
)  # fmt: skip
def test_what_hot_cannot_say(value: Any) -> None:
    with pytest.raises(Inexpressible):
        write_value({"k": [value]})


@pytest.mark.parametrize("value", [ex.Not(ex.Attribute("a", "b")), ex.Equals({"get_param": "x"}, 1), ex.Identity("r")])
def test_what_no_condition_can_say(value: Any) -> None:
    with pytest.raises(Inexpressible):
        write_condition(value)
