"""An edit of what an earlier version wrote: what today is written otherwise, and means the same, is none."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import pytest
from forging import Record, changed

from bpconvert import Result, convert
from bpconvert.translators.dialects import load
from bpconvert.translators.provenance import parts
from bpconvert.translators.provenance.carry import digests_of
from bpconvert.translators.support.places import value_at
from bpconvert.yamlio.document import load as as_written
from bpconvert.yamlio.emit import emit

SOURCE = """\
heat_template_version: 2018-08-31
parameters:
  first: {type: string, default: a}
  list: {type: comma_delimited_list, default: [a, b]}
  last: {type: string, default: a}
resources:
  group:
    type: OS::Neutron::SecurityGroup
    properties:
      name: {get_param: first}
      rules: [{protocol: tcp, port_range_min: 22, port_range_max: 22}]
  net: {type: OS::Neutron::Net, properties: {name: {get_param: last}, tags: {get_param: list}}}
"""
NET, GROUP = ("node_types", "openstack.neutron.Net"), ("node_types", "openstack.neutron.SecurityGroup")
INPUTS, NODES = ("topology_template", "inputs"), ("topology_template", "node_templates")
Edit = Callable[[Any], None]


def put(*path: Any) -> Edit:
    """Another value, the last of these, at a place."""
    *holder, key, value = path

    def edit(data: Any) -> None:
        value_at(data, tuple(holder))[key] = value

    return edit


def removed(*path: Any) -> Edit:
    """Nothing at a place any more."""

    def edit(data: Any) -> None:
        del value_at(data, path[:-1])[path[-1]]

    return edit


def of(*edits: Edit) -> Edit:
    """Several edits at once."""

    def edit(data: Any) -> None:
        for one in edits:
            one(data)

    return edit


#: earlier versions said nothing of what is in a list
NO_TYPES = removed("data_types")
NO_SCHEMAS = of(
    removed(*GROUP, "properties", "rules", "entry_schema"),
    removed(*NET, "properties", "tags", "entry_schema"),
    removed(*INPUTS, "list", "entry_schema"),
)
EARLIER = of(NO_TYPES, NO_SCHEMAS)


def way_back(earlier: Edit, edit: Edit) -> tuple[list[str], Result]:
    """What comes back of an edit of the service template that an earlier version made, which was otherwise than that of
    today: the lines that are others than those of the source, and the result."""

    def as_earlier(data: Any, record: Record) -> None:
        earlier(data)
        record["digests"] = parts.written_digests(digests_of(load(emit(data)).data, ("metadata", "bpconvert")))

    data = as_written(changed(convert(SOURCE, "hot", "tosca").text, as_earlier)).data
    edit(data)
    back = convert(emit(data), "tosca", "hot")
    lines = difflib.unified_diff(SOURCE.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:2] not in ("--", "++", "@@")], back


def codes(back: Result) -> list[tuple[str, tuple[Any, ...]]]:
    return [(one.code, one.path) for one in back.diagnostics]


FIRST = ["-  first: {type: string, default: a}", "+  first: {type: string, default: z}"]
LAST = [line.replace("first", "last") for line in FIRST]
LIST = "-  list: {type: comma_delimited_list, default: [a, b]}"


@pytest.mark.parametrize(
    "earlier",
    [
        EARLIER,
        NO_TYPES,
        NO_SCHEMAS,
        removed(*INPUTS, "list", "entry_schema"),
        of(NO_TYPES, removed(*GROUP, "properties", "rules", "entry_schema")),
    ],
    ids=["all of it", "a section", "entries", "one entry", "a section and an entry"],
)
@pytest.mark.parametrize(
    ("edit", "lines", "findings"),
    [
        (of(), [], []),
        (put(*INPUTS, "first", "default", "z"), FIRST, [("BPC620", ("inputs", "first"))]),
        (put(*INPUTS, "last", "default", "z"), LAST, [("BPC620", ("inputs", "last"))]),
        (
            put(*NODES, "net", "properties", "name", "z"),
            [
                "-  net: {type: OS::Neutron::Net, properties: {name: {get_param: last}, tags: {get_param: list}}}",
                "+  net: {type: OS::Neutron::Net, properties: {name: z, tags: {get_param: list}}}",
            ],
            [("BPC620", ("node_templates", "net"))],
        ),
        (
            put(*INPUTS, "more", {"type": "string", "default": "q"}),
            ["+  more:", "+    type: string", "+    default: q"],
            [("BPC623", ("inputs", "more"))],
        ),
        (removed(*INPUTS, "list"), [LIST], [("BPC625", ()), ("BPC621", ("inputs",))]),
        (put(*NET, "description", "mine"), [], [("BPC622", NET)]),
    ],
    ids=["nothing", "before it", "behind it", "what uses it", "a new entry", "the entry is gone", "a definition"],
)
def test_an_edit(earlier: Edit, edit: Edit, lines: list[str], findings: list[Any]) -> None:
    there, back = way_back(earlier, edit)
    assert (there, codes(back)) == (lines, findings)


def test_an_edit_of_what_is_written_otherwise_today() -> None:
    """It goes back, and what stands beside it stays."""
    there, back = way_back(EARLIER, put(*INPUTS, "list", "default", ["z"]))
    assert there == [LIST, LIST.replace("-", "+").replace("[a, b]", "[z]")]
    assert {one.path for one in back.diagnostics} == {("inputs", "list")}


def test_an_edit_that_leaves_what_today_would_be_written_is_one() -> None:
    """Whoever has taken the types away from what is written today did so: that is no earlier version's way."""
    for edit in (removed("data_types"), removed(*INPUTS, "list", "entry_schema")):
        there, back = way_back(of(), edit)
        assert there == []
        assert {one.code for one in back.diagnostics} <= {"BPC622", "BPC666"}
        assert codes(back)


@pytest.mark.parametrize("earlier", [EARLIER, NO_SCHEMAS])
def test_a_section_that_is_none_any_more(earlier: Edit) -> None:
    """It is reported, and what comes behind it is as it was."""
    there, back = way_back(earlier, of(put("data_types", "odd"), put(*INPUTS, "first", "default", "z")))
    assert there == FIRST
    assert [one for one in codes(back) if one[1][:1] != ("data_types",)] == [("BPC620", ("inputs", "first"))]
    assert ("BPC120", ("data_types",)) in codes(back)


def test_an_entry_that_is_not_written_any_more_is_reported() -> None:
    """An earlier version wrote a definition that nothing needs."""
    more = of(EARLIER, put("node_types", "x.y", {"derived_from": "tosca.nodes.Root"}))
    there, back = way_back(more, put(*INPUTS, "first", "default", "z"))
    assert there == FIRST
    assert codes(back) == [("BPC620", ("inputs", "first")), ("BPC662", ("metadata", "bpconvert"))]
