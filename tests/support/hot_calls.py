"""Calls of every HOT function, and the parameters, resources and conditions that they are about."""

from __future__ import annotations

from typing import Any

from expression_source import CONDITIONS, FILES, PARAMETERS
from hypothesis import strategies as st
from shapes import DATA, SCALARS, TEXTS, bent

from bpconvert.translators.hot.functions import FUNCTIONS, VERSIONS, resolve_version

#: what ``heat_template_version`` may say
VERSION_TEXTS = [*VERSIONS, *(version.alias for version in VERSIONS.values() if version.alias)]
NAMES = sorted({function.name for function in FUNCTIONS if function.context == "value"})
CONDITION_NAMES = sorted({function.name for function in FUNCTIONS if function.context == "condition"})

_KEYS = st.sampled_from(["a", "b", "c", "k", "t", "d", "0", 0, 1, -1, "1", 9, None, True])
_PARAMETER = st.one_of(
    st.sampled_from([*PARAMETERS]),
    st.tuples(st.sampled_from(["j1", "j2", "j3", "j4", "l1", "s1", "n1"]), _KEYS, _KEYS).map(list),
    st.tuples(st.sampled_from(["j1", "j2", "OS::stack_name", "OS::project_id"]), _KEYS).map(list),
    st.sampled_from(["OS::stack_name", "OS::stack_id", "OS::project_id", "OS::region"]),
)
_RESOURCE = st.sampled_from(["r1", "r1", "r2"])
_ATTRIBUTE = st.sampled_from(["ip", "items", "info", "none", "num", "flag", "gone", "show"])
_STEP = st.sampled_from(["k", "l", "z", 0, 1, -1, "0", None, 1.5, ["k"], {"get_param": "n1"}])
REFERENCES = st.one_of(
    st.sampled_from([*PARAMETERS]).map(lambda name: {"get_param": name}),
    st.tuples(_RESOURCE, _ATTRIBUTE).map(lambda pair: {"get_attr": list(pair)}),
    _RESOURCE.map(lambda name: {"get_resource": name}),
    st.just({"list_join": ["", ["r", "1"]]}),
)
ODD = st.one_of(SCALARS, DATA, REFERENCES)
_TEXT = st.one_of(TEXTS, TEXTS, st.sampled_from(["s1", "s2", "s5"]).map(lambda name: {"get_param": name}))
_LIST = st.one_of(
    st.lists(_TEXT, max_size=4), st.sampled_from(["l1", "l2", "l0", "j2", "jn"]).map(lambda name: {"get_param": name})
)
_MAP = st.one_of(
    st.dictionaries(st.sampled_from(["a", "b", "k"]), _TEXT, max_size=3),
    st.sampled_from(["j1", "j4"]).map(lambda name: {"get_param": name}),
    st.just({"get_attr": ["r1", "info"]}),
)
_MEMBER = st.builds(
    lambda number, name, text: f".member.{number}.{name}={text}",
    st.sampled_from([0, 1, 2, 11]),
    st.sampled_from(["Name", "Value", "Other", "a.b", ""]),
    TEXTS,
)

# -- queries ------------------------------------------------------------------------------------------------

_ROOTS = ["$.data", "$.data.v", "$.data.l", "$.data.m", "$", "$.data.get(v)", "$.data.get(gone, 5)", "list(1, 2, 3)"]
_PARTS = [
    ".v",
    ".k",
    "[0]",
    "[-1]",
    ".len()",
    ".toUpper()",
    ".toLower()",
    ".split('-')",
    ".split(',')",
    ".join('+')",
    ".sum()",
    ".first()",
    ".first(null)",
    ".last()",
    ".where($ > 1)",
    ".where($ != null)",
    ".select($ * 2)",
    ".select(str($))",
    ".select($.k)",
    ".keys().toList()",
    ".values()",
    ".items()",
    ".toList()",
    ".distinct()",
    ".orderBy($)",
    ".reverse()",
    ".max()",
    ".min()",
    ".any()",
    ".all($ != null)",
    ".flatten()",
    ".enumerate()",
    ".zip([1, 2])",
    ".skip(1)",
    ".limit(2)",
    ".indexOf('a')",
    ".contains(a)",
    ".startsWith('a')",
    ".replace('a', 'z')",
    ".replace('a', 'z', 1)",
    ".trim()",
    ".substring(1)",
    ".format(1)",
    ".toDict($, 1)",
    ".groupBy($)",
    ".aggregate($1 + $2)",
    ".slice(2)",
    ".append(1)",
    ".set(k, 2)",
    ".insert(0, x)",
    ".mergeWith({a => 1})",
    ".get(a)",
    ".containsKey(a)",
    ".isEmpty()",
    ".hex()",
    ".toCharArray()",
    ".norm()",
    ".count()",
    ".single()",
    ".accumulate($1 + $2)",
    ".memorize()",
    ".splitWhere($ = 1)",
]
_WRAPPED = [
    "str({})",
    "int({})",
    "float({})",
    "bool({})",
    "isString({})",
    "isList({})",
    "isInteger({})",
    "len({})",
    "not {}",
    "{} = null",
    "{} + 1",
    "{} + {}",
    "{} and true",
    "{} or false",
    "coalesce({}, 'none')",
    "dict(a => {})",
    "[{}, 1]",
    "switch({} = null => 'n', true => 'y')",
    "let(x => {}) -> $x",
    "{{a => {}}}",
    "list({})",
    "selectCase({} = 1).switchCase(1, 2)",
    "{} in [1, 'a']",
    "{}.len() > 1",
    "regex('a.').search(str({}))",
    "matches({}, 'a')",
    "abs({})",
    "{} * 2",
    "{} / 2",
    "{} mod 2",
    "assert({}, $ != null)",
    "{}?.len()",
    "$.data.v => {}",
    "def(f, $ + 1) -> f({})",
    "concat({}, 'x')",
    "round({})",
]
_BROKEN = [
    "",
    "$.data.",
    "1 +",
    "$.nope",
    "nope()",
    "range(0, 300).toList()",
    "len('ab' * 20000)",
    "1 / 0",
    "$data",
    "[",
    "%",
    "range(0, 10).toList()",
    "'a' * 9999",
    "$.data.where($)",
    "'it\\'s'",
    '"a\\nb"',
    "null",
    "true",
    "5 5",
    "a.b",
    "$1",
    "let(a => 1, b => 2) -> $a + $b",
    "dict(a => 1) = {a => 1}",
    "1 = true",
    "1 = 1.0",
    "generate(1, true, $ + 1)",
    "sequence().limit(3).toList()",
    "sequence()",
    "repeat(1)",
    "cycle([1, 2]).limit(3).toList()",
    "[3, 1, 2].orderBy($)",
    "timespan(days => 1).hours",
    "datetime('2020-01-02').year",
    "bitwiseAnd(6, 3)",
    "pow(2, 5)",
]


@st.composite
def queries(draw: st.DrawFn) -> str:
    """A YAQL expression: most of them hold for some of the data."""
    if draw(st.integers(0, 9)) == 0:
        return str(draw(st.sampled_from(_BROKEN)))
    text = draw(st.sampled_from(_ROOTS)) + "".join(draw(st.lists(st.sampled_from(_PARTS), max_size=2)))
    return str(draw(st.sampled_from(_WRAPPED)).replace("{}", text)) if draw(st.booleans()) else text


_QUERY_DATA = st.one_of(
    _TEXT,
    _LIST,
    _MAP,
    DATA,
    st.lists(st.integers(0, 5), max_size=4),
    st.fixed_dictionaries({"v": st.one_of(_TEXT, st.integers(0, 5)), "l": _LIST, "m": _MAP}),
    st.sampled_from(["j1", "j2", "j3", "n1"]).map(lambda name: {"get_param": name}),
    st.tuples(_RESOURCE, _ATTRIBUTE).map(lambda pair: {"get_attr": list(pair)}),
)
_YAQL = st.fixed_dictionaries({"expression": queries()}, optional={"data": _QUERY_DATA})

# -- arguments ----------------------------------------------------------------------------------------------

_REPLACE = st.fixed_dictionaries(
    {"template": TEXTS, "params": st.dictionaries(st.sampled_from(["a", "ab", "$a", "%x%", "-"]), _TEXT, max_size=3)}
)
_JOIN = st.tuples(TEXTS, _LIST).map(list)
#: function -> arguments of the right shape
GOOD: dict[str, st.SearchStrategy[Any]] = {
    "get_param": _PARAMETER,
    "get_resource": _RESOURCE,
    "get_attr": st.one_of(
        st.tuples(_RESOURCE, _ATTRIBUTE).map(list),
        st.tuples(_RESOURCE, _ATTRIBUTE, _STEP).map(list),
        st.tuples(_RESOURCE, _ATTRIBUTE, _STEP, _STEP).map(list),
        st.tuples(_RESOURCE).map(list),
        st.tuples(_RESOURCE, st.none()).map(list),
    ),
    "get_file": st.sampled_from([*FILES, {"get_param": "s4"}, {"list_join": [".", ["f", "txt"]]}]),
    "resource_facade": st.sampled_from(["metadata", "deletion_policy", "update_policy"]),
    "list_join": _JOIN,
    "str_replace": _REPLACE,
    "str_replace_strict": _REPLACE,
    "str_replace_vstrict": _REPLACE,
    "str_split": st.one_of(st.tuples(TEXTS, _TEXT).map(list), st.tuples(TEXTS, _TEXT, st.integers(-1, 2)).map(list)),
    "digest": st.tuples(st.sampled_from(["md5", "sha1", "SHA512"]), _TEXT).map(list),
    "make_url": st.fixed_dictionaries(
        {},
        optional={
            "scheme": st.just("http"),
            "host": _TEXT,
            "port": st.sampled_from([80, "8080"]),
            "path": _TEXT,
            "query": _MAP,
            "username": _TEXT,
            "password": _TEXT,
            "fragment": _TEXT,
        },
    ),
    "map_merge": st.lists(_MAP, max_size=3),
    "map_replace": st.tuples(_MAP, st.fixed_dictionaries({}, optional={"keys": _MAP, "values": _MAP})).map(list),
    "list_concat": st.lists(_LIST, max_size=3),
    "list_concat_unique": st.lists(_LIST, max_size=3),
    "filter": st.tuples(_LIST, _LIST).map(list),
    "repeat": st.fixed_dictionaries(
        {
            "template": st.one_of(TEXTS, DATA),
            "for_each": st.dictionaries(st.sampled_from(["%x%", "a"]), _LIST, min_size=1),
        },
        optional={"permutations": st.booleans()},
    ),
    "yaql": _YAQL,
    "contains": st.tuples(_TEXT, _LIST).map(list),
    "if": st.one_of(
        st.tuples(st.sampled_from([*CONDITIONS, True, False]), ODD, ODD).map(list),
        st.tuples(st.sampled_from(["c_true", "c_false"]), ODD).map(list),
    ),
    "Ref": st.sampled_from(["r1", "r2", *PARAMETERS, "OS::stack_name", "gone"]),
    "Fn::Base64": _TEXT,
    "Fn::GetAZs": st.one_of(TEXTS, ODD),
    "Fn::Join": _JOIN,
    "Fn::MemberListToMap": st.tuples(
        st.sampled_from(["Name", "Value", "a.b"]),
        st.sampled_from(["Value", "Other", ""]),
        st.lists(_MEMBER, max_size=5),
    ).map(list),
    "Fn::Replace": st.tuples(st.dictionaries(TEXTS, _TEXT, max_size=3), _TEXT).map(list),
    "Fn::ResourceFacade": st.sampled_from(["Metadata", "DeletionPolicy", "UpdatePolicy"]),
    "Fn::Select": st.tuples(
        st.sampled_from([0, 1, "0", "a", "k", -1, 9]),
        st.one_of(_LIST, _MAP, st.sampled_from(['{"a": 1}', '["x"]', "[", "5", "", "null", '"text"'])),
    ).map(list),
    "Fn::Split": st.tuples(st.sampled_from([",", "-", "a"]), _TEXT).map(list),
}

_CONDITION = st.recursive(
    st.one_of(
        st.sampled_from([*CONDITIONS, True, False, "c_nowhere"]),
        st.sampled_from(["b1", "b0", "cond", "s1", "n1"]).map(lambda name: {"get_param": name}),
        st.tuples(ODD, st.one_of(ODD, st.sampled_from([{"get_param": "n1"}, 3, "a"]))).map(
            lambda two: {"equals": list(two)}
        ),
        st.tuples(_TEXT, _LIST).map(lambda two: {"contains": list(two)}),
    ),
    lambda inner: st.one_of(
        inner.map(lambda one: {"not": one}),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: {"and": some}),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: {"or": some}),
    ),
    max_leaves=4,
)
_QUESTIONS = st.sampled_from(
    ["$.data = 5", "$.data.len() > 1", "$.data.v = a", "a in $.data.l", "not $.data", "true", "$.data"]
)
#: condition function -> arguments of the right shape
GOOD_CONDITION: dict[str, st.SearchStrategy[Any]] = {
    "get_param": st.sampled_from(["b1", "b0", "cond", "b1", ["j4", "a", 1]]),
    "equals": st.tuples(_TEXT, _TEXT).map(list),
    "not": _CONDITION,
    "and": st.lists(_CONDITION, min_size=2, max_size=3),
    "or": st.lists(_CONDITION, min_size=2, max_size=3),
    "yaql": st.fixed_dictionaries({"expression": st.one_of(_QUESTIONS, queries())}, optional={"data": _QUERY_DATA}),
    "contains": st.tuples(_TEXT, st.one_of(_LIST, _TEXT)).map(list),
}
ODD_CONDITION = st.one_of(SCALARS, DATA, _CONDITION, st.just({"list_join": ["", ["c_", "true"]]}))
_AROUND = st.sampled_from(["", "", "", "list", "map", "join", "replace"])


def _placed(call: Any, around: str) -> Any:
    """The call alone, or inside of something."""
    if around == "join":
        return {"list_join": ["/", ["a", call]]}
    if around == "replace":
        return {"str_replace": {"template": "<%v%>", "params": {"%v%": call}}}
    return {"": call, "list": [call, 1], "map": {"k": call}}[around]


def having(name: str, context: str = "value") -> list[str]:
    """The version texts in which the function exists."""
    forms = [function for function in FUNCTIONS if (function.name, function.context) == (name, context)]
    found = [(text, resolve_version(text)) for text in VERSION_TEXTS]
    return [text for text, version in found if version and any(form.exists_in(version) for form in forms)]


def calls_of(name: str) -> st.SearchStrategy[tuple[str, Any, dict[str, Any]]]:
    """(version, value, conditions): calls of a function, where it exists."""
    return st.tuples(
        st.sampled_from(having(name)),
        st.builds(lambda argument, around: _placed({name: argument}, around), bent(GOOD[name], ODD), _AROUND),
        st.just({}),
    )


def conditions_of(name: str) -> st.SearchStrategy[tuple[str, Any, dict[str, Any]]]:
    """The same for a condition function: in a definition, or in an ``if``."""
    call = bent(GOOD_CONDITION[name], ODD_CONDITION, most=1).map(lambda argument: {name: argument})
    versions = st.sampled_from(having(name, "condition"))
    defined = st.tuples(versions, st.just({"if": ["c_new", "yes", "no"]}), call.map(lambda made: {"c_new": made}))
    written = st.tuples(versions, call.map(lambda made: {"if": [made, "yes", "no"]}), st.just({}))
    return st.one_of(defined, written)


def everywhere() -> st.SearchStrategy[tuple[str, Any, dict[str, Any]]]:
    """Any function in any version: data, refused, or a call."""
    called = st.sampled_from(NAMES).flatmap(lambda name: GOOD[name].map(lambda argument: {name: argument}))
    asked = st.sampled_from(CONDITION_NAMES).flatmap(lambda name: GOOD_CONDITION[name].map(lambda arg: {name: arg}))
    value = st.one_of(called, called, called, asked, asked.map(lambda made: {"if": [made, 1, 2]}))
    return st.tuples(st.sampled_from(VERSION_TEXTS), value, st.just({}))
