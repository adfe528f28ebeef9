"""URLs in a blueprint: the text of their parts, as Heat would quote them; where that cannot be known, nothing."""

from __future__ import annotations

import pytest
from choices import computed, topology_of

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Reporter
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.yamlio.document import load

HEAD = """
heat_template_version: 2018-08-31
parameters:
  p: {type: string}
  n: {type: number}
  data: {type: json}
  names: {type: comma_delimited_list}
outputs: {o: {value: {make_url: """
GIVEN = {"p": "abc", "n": 8080, "data": {"a": "b"}, "names": ["a"]}


def made(parts: str) -> Result:
    return convert(f"{HEAD}{parts}}}}}}}\n", carry=False, asked="inputs")


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ("{scheme: http, host: {get_param: p}}", "http://abc"),
        ("{host: {get_param: p}, port: {get_param: n}}", "//abc:8080"),
        ("{scheme: http, host: {get_param: p}, port: 80, path: /a b/c}", "http://abc:80/a%20b/c"),
        # who asks: each part by itself
        ("{scheme: ftp, username: {get_param: p}, host: h}", "ftp://abc@h"),
        ("{scheme: ftp, username: 'a/b:c', password: {get_param: p}, host: h}", "ftp://a%2Fb%3Ac:abc@h"),
        ("{scheme: ftp, password: 'a@b', host: {get_param: p}}", "ftp://:a%40b@abc"),
        ("{scheme: ftp, username: u, password: '', host: {get_param: p}}", "ftp://u@abc"),
        # an address of IPv6 has brackets, once
        ("{scheme: http, host: '::1', port: {get_param: n}}", "http://[::1]:8080"),
        ("{scheme: http, host: '[::1]', port: {get_param: n}}", "http://[::1]:8080"),
        ("{scheme: http, host: '[h]', port: {get_param: n}}", "http://h:8080"),
        ("{scheme: http, host: {list_join: ['', ['fe80::', {get_param: p}]]}}", "http://[fe80::abc]"),
        ("{scheme: http, host: {list_join: ['', ['[fe80::', {get_param: p}, ']']]}}", "http://[fe80::abc]"),
        ("{scheme: http, host: {list_join: ['', ['[', {get_param: p}, '::8080]']]}}",
         "http://[abc::8080]"),
        # the query is a map
        ("{scheme: http, host: {get_param: p}, query: {a: 1}}", "http://abc?a=1"),
        ("{scheme: http, host: h, query: {a b: {get_param: p}, c/d: 'x y/z', e: null}}", "http://h?a+b=abc&c/d=x+y/z&e=None"),
        ("{scheme: http, host: {get_param: p}, query: {}}", "http://abc"),
        ("{scheme: http, host: {get_param: p}, path: /x, query: {a: {get_param: n}}, fragment: top 1}",
         "http://abc/x?a=8080#top%201"),
    ],
)  # fmt: skip
def test_the_url_is_that_of_heat(parts: str, url: str) -> None:
    result = made(parts)
    back = topology_of(result.document)
    assert computed(back.outputs["o"].value, back, GIVEN) == url
    source = load(f"{HEAD}{parts}}}}}}}\n")
    hot = to_topology(source, builtin(), Reporter(source))
    assert computed(hot.outputs["o"].value, hot, GIVEN) == url


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ("{scheme: http, path: {get_param: p}}", "a URL without a host has another form"),
        ("{scheme: http, host: '', path: {get_param: p}}", "a URL without a host has another form"),
        (
            "{scheme: http, host: {list_join: ['', [ü, {get_param: p}]]}}",
            "the URL has text beyond ASCII beside a value",
        ),
        ("{scheme: http, host: h, query: {get_param: data}}", "the query of the URL is only known when deploying"),
        ("{scheme: http, host: {get_param: p}, query: {a: [1]}}", "a value of the URL's query is a list or map"),
        ("{scheme: http, host: {get_param: p}, query: {a: {b: 1}}}", "a value of the URL's query is a list or map"),
    ],
)
def test_a_url_of_another_form_is_not_written(parts: str, why: str) -> None:
    result = made(parts)
    assert str(result.document["outputs"]["o"]["value"]).startswith("not converted: ")
    assert [why in one.message for one in result.diagnostics if one.code == "BPC202"] == [True]


@pytest.mark.parametrize(
    ("declared", "parts", "is_told"),
    [
        ("string", "{host: h, path: /, query: {a: {get_param: p}}}", True),
        ("string, constraints: [{allowed_values: [a, b/c]}]", "{host: h, path: /, query: {a: {get_param: p}}}", False),
        ("string, constraints: [{allowed_values: [a, b c]}]", "{host: h, path: /, query: {a: {get_param: p}}}", True),
        ("string, constraints: [{allowed_values: [a, b/c]}]", "{host: h, username: {get_param: p}}", True),
        ("number", "{host: h, port: {get_param: p}}", False),
        ("string", "{host: {list_join: ['', [a, {get_param: p}]]}}", True),
        ("string, constraints: [{allowed_values: [a, b/c]}]", "{host: h, fragment: {get_param: p}}", False),
        ("string, constraints: [{allowed_values: [a, b/c]}]", "{host: {get_param: p}}", True),
        ("string, constraints: [{allowed_values: [/a, /b]}]", "{host: h, path: {get_param: p}}", False),
        ("string, constraints: [{allowed_values: [/a, b]}]", "{host: h, path: {get_param: p}}", True),
        ("string, constraints: [{allowed_values: ['', b]}]", "{host: {get_param: p}}", True),
    ],
)
def test_values_that_heat_would_quote_are_told(declared: str, parts: str, is_told: bool) -> None:
    head = f"heat_template_version: 2018-08-31\nparameters: {{p: {{type: {declared}}}}}\n"
    result = convert(f"{head}outputs: {{o: {{value: {{make_url: {parts}}}}}}}\n", carry=False, asked="inputs")
    assert ("BPC228" in [one.code for one in result.diagnostics]) is is_told


def converted(declared: str, parts: str, asked: str = "inputs") -> Result:
    """An output with a URL of one parameter and one resource."""
    head = f"heat_template_version: 2018-08-31\nparameters: {{p: {{{declared}}}}}\n"
    net = "resources: {net: {type: OS::Neutron::Net}}\n"
    return convert(f"{head}{net}outputs: {{o: {{value: {{make_url: {parts}}}}}}}\n", carry=False, asked=asked)


@pytest.mark.parametrize(
    ("default", "parts", "part"),
    [
        ("a b", "{host: {get_param: p}}", "host"),
        ("''", "{host: {get_param: p}}", "host"),
        ("a/b", "{host: {get_param: p}}", "host"),
        ("a/b", "{host: h, username: {list_join: ['', [x, {get_param: p}]]}}", "username"),
        ("a/b", "{host: h, path: {get_param: p}}", "path"),
        ("b/", "{host: h, path: {get_param: p}}", "path"),
        ("/a/b", "{host: h, path: {get_param: p}}", ""),
        ("a/b", "{host: h, path: {list_join: ['', [/x/, {get_param: p}]]}}", ""),
        ("a/b", "{host: h, fragment: {get_param: p}}", ""),
        ("a/b", "{host: h, query: {q: {get_param: p}}}", ""),
        ("ab", "{host: {get_param: p}}", ""),
    ],
)
def test_a_default_that_heat_would_write_in_another_form(default: str, parts: str, part: str) -> None:
    """It would be wrong for whoever gives no other value."""
    result = converted(f"type: string, default: {default}", parts)
    reasons = [one.message for one in result.diagnostics if one.code == "BPC202"]
    reason = (
        f"not converted: the default of 'p' has another form as a URL's {part}; it is computed where --param gives p"
    )
    assert reasons == [reason] * bool(part)


def test_a_default_that_is_no_text_has_one_form() -> None:
    """Also where a text stands behind it."""
    result = converted("type: number, default: 5", "{host: h, port: {get_param: p}}")
    assert result.document["outputs"]["o"]["value"] == {"concat": ["//h:", {"get_input": "p"}]}


def test_where_a_value_is_told_of() -> None:
    """Each at its own place, whatever call it stands in."""
    parts = "{host: {list_join: ['', [a, {get_param: p}]]}, fragment: {get_attr: [net, name]}}"
    places = [one.path[2:] for one in converted("type: string", parts).diagnostics if one.code == "BPC228"]
    assert places == [("value", "make_url", "host", "list_join", 1, 1), ("value", "make_url", "fragment")]


def test_a_node_quotes_what_has_characters_to_quote() -> None:
    """Where nodes compute; all parts of which that can be are named once."""
    parts = "{host: {get_param: p}, path: {list_join: ['', [/, {get_param: p}, {get_param: p}]]}}"
    result = converted("type: string", parts, asked="values")
    assert result.document["outputs"]["o"]["value"] == {"get_attribute": ["o", "result"]}
    (message,) = (one.message for one in result.diagnostics if one.code == "BPC215")
    assert message.endswith("node 'o': the URL's host and path may have characters to quote")
    assert not [one for one in result.diagnostics if one.code == "BPC228"]


def test_a_url_without_such_values_is_no_matter_of_a_node() -> None:
    result = converted("type: number", "{host: h, port: {get_param: p}}", asked="values")
    assert result.document["outputs"]["o"]["value"] == {"concat": ["//h:", {"get_input": "p"}]}
