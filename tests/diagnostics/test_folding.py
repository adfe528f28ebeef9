"""Findings that belong together; none is lost."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.diagnostics import Diagnostic, Severity, Span, diagnostic
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.folding import Group, linked
from bpconvert.diagnostics.folding import fold as grouped


def at(code: str, line: int, path: tuple[Any, ...], file: str = "a.yaml", **words: Any) -> Diagnostic:
    return diagnostic(code, Span(file, line, 1), path, words)


def fold(found: list[Diagnostic]) -> list[Group]:
    """The groups, with findings that do not know their causes yet."""
    return [Group(*(_plain(part) for part in group)) for group in grouped(linked(found))]


def _plain(part: Any) -> Any:
    if not isinstance(part, Diagnostic):
        return tuple(map(_plain, part))
    return part._replace(cause=None, severity=Severity[CODES[part.code].severity.upper()])


ALARM = at("BPC300", 3, ("resources", "alarm"), type="T", name="alarm")
USE = at("BPC305", 9, ("resources", "server", "properties", "name"), what="name", owner="stand-in ", name="alarm")
PART = at("BPC202", 4, ("resources", "alarm", "properties", "x"), reason="r")
OTHER = at("BPC202", 12, ("resources", "server", "properties", "y"), reason="r")


def test_an_attribute_and_the_parts_of_a_stand_in_follow_from_it() -> None:
    stand_in, other = fold([ALARM, PART, USE, OTHER])
    assert (stand_in.first, stand_in.follows, stand_in.also) == (ALARM, (PART, USE), ())
    assert other.all == (OTHER,)


def test_a_cause_is_in_the_same_file() -> None:
    elsewhere = USE._replace(span=Span("b.yaml", 9, 1))
    assert [group.first for group in fold([ALARM, elsewhere])] == [ALARM, elsewhere]


def test_the_same_finding_at_several_places_is_one() -> None:
    second = at("BPC300", 7, ("resources", "b"), type="T", name="b")
    third = at("BPC300", 8, ("resources", "c"), type="Another", name="c")
    first, another = fold([ALARM, second, third])
    assert (first.also, another.first) == ((second,), third)


def test_a_finding_that_occurs_twice_is_one() -> None:
    assert [group.all for group in fold([ALARM, ALARM])] == [(ALARM,)]


def test_everything_but_errors_follows_from_nothing_being_created() -> None:
    verdict = at("BPC787", 1, (), count=2, names="'a'")
    error = at("BPC121", 5, ("resources", "alarm"), problem="p")
    groups = fold([verdict, ALARM, PART, error])
    assert [(group.first, group.follows) for group in groups] == [(verdict, (ALARM, PART)), (error, ())]


def test_no_finding_is_lost() -> None:
    verdict = at("BPC787", 1, (), "b.yaml", count=1, names="'a'")
    found = [ALARM, PART, USE, OTHER, verdict, ALARM._replace(span=Span("b.yaml", 3, 1))]
    assert sorted(item for group in fold(found) for item in group.all) == sorted(found)


def test_each_finding_names_its_cause() -> None:
    causes = [one.as_dict()["cause"] for one in linked([ALARM, USE, OTHER])]
    assert causes == [None, {"code": "BPC300", "file": "a.yaml", "line": 3, "column": 1}, None]


def severities(found: list[Diagnostic]) -> list[str]:
    return [str(one.severity) for one in linked(found)]


def test_a_warning_of_a_part_of_a_stand_in_is_an_info() -> None:
    """Not what another node has of it, what asks for a value, what comes from a kept source, and no error."""
    value = at("BPC201", 5, ("resources", "alarm", "properties", "y"), input="y", reason="r")
    error = at("BPC121", 5, ("resources", "alarm"), problem="p")
    kept = at("BPC670", 5, ("resources", "alarm"), what="w")
    assert severities([ALARM, PART, value, error, kept, USE, OTHER]) == [
        *("warning", "info", "warning", "error", "warning", "warning", "warning"),
    ]
    assert severities([PART, USE]) == ["warning", "warning"]


def test_all_warnings_are_infos_where_nothing_is_created() -> None:
    verdict = at("BPC787", 1, (), count=2, names="'a'")
    value = at("BPC201", 5, ("resources", "alarm", "properties", "y"), input="y", reason="r")
    assert severities([verdict, ALARM, PART, USE, OTHER, value]) == ["error", *["info"] * 4, "warning"]


def test_what_one_step_settles_is_one_warning() -> None:
    """One input for two machines: the second one names the first as its cause. Another document asks for itself."""
    first, second = (
        at("BPC812", line, ("node_templates", node), node=node, words="a machine", input="flavor", what="flavor")
        for line, node in ((3, "a"), (7, "b"))
    )
    image = at("BPC812", 7, ("node_templates", "b"), node="b", words="a machine", input="image", what="image")
    elsewhere = second._replace(span=Span("b.yaml", 7, 1))
    found = linked([first, second, image, elsewhere])
    assert [(one.severity, one.cause) for one in found] == [
        ("warning", None), ("info", ("BPC812", "a.yaml", 3, 1)), ("warning", None), ("warning", None),
    ]  # fmt: skip


def test_each_entry_has_a_warning_of_its_own() -> None:
    """What follows from one stand-in, and what one input is asked for, is one warning in an entry, not in several."""
    first, again, elsewhere = (
        at("BPC202", 9, ("resources", name, "properties", key), reason="r", stand_in="alarm")
        for name, key in (("server", "x"), ("server", "y"), ("other", "x"))
    )
    assert severities([ALARM, first, again, elsewhere]) == ["warning", "warning", "info", "warning"]
    asked, twice, other = (
        at("BPC201", 5, ("resources", name, "properties", key), input="i", reason="r")
        for name, key in (("a", "x"), ("a", "y"), ("b", "x"))
    )
    assert severities([asked, twice, other]) == ["warning", "info", "warning"]


def test_one_stand_in_that_several_outputs_read_is_one_warning() -> None:
    """It is one step to replace it. Another finding in the same output that follows from it is part of that, too."""
    first, second = (USE._replace(path=("outputs", name, "value")) for name in ("a", "b"))
    text = at("BPC202", 9, ("outputs", "c", "value"), reason="r", stand_in="alarm")
    third = USE._replace(path=("outputs", "c", "value"))
    other = at("BPC305", 9, ("outputs", "d", "value"), what="name", owner="stand-in ", name="another")
    found = linked([ALARM, first, second, text, third, other])
    assert [one.severity for one in found] == ["warning", "warning", "info", "warning", "info", "warning"]


def test_a_value_of_a_file_that_cannot_be_read_follows_from_that() -> None:
    place = ("resources", "server", "properties", "user_data")
    asked = at("BPC201", 5, place, input="i", reason="r")
    other = at("BPC201", 6, (*place[:3], "name"), input="n", reason="r")
    file = at("BPC610", 5, (*place, "str_replace", "template"), name="a.sh")
    found = linked([asked, other, file])
    assert [(one.severity, one.cause and one.cause.code) for one in found] == [
        ("info", "BPC610"), ("warning", None), ("warning", None),
    ]  # fmt: skip


def test_the_verdict_on_a_document_includes_nodes_of_unknown_types() -> None:
    verdict = at("BPC787", 1, (), count=1, names="'alarm'")
    found = linked([verdict, IMPORT, ALARM, USE], {"a.yaml": {"alarm"}})
    assert [(one.code, str(one.severity)) for one in found] == [
        ("BPC787", "error"), ("BPC142", "warning"), ("BPC300", "info"), ("BPC305", "info"),
    ]  # fmt: skip


def test_what_follows_from_a_finding_that_is_left_out_stands_for_itself() -> None:
    [_, use, part] = linked([ALARM, USE, PART])
    assert [group.first for group in grouped([use, part])] == [use, part]


IMPORT = at("BPC142", 1, ("imports", 0), name="types.yaml", why="w")


def test_nodes_of_unknown_types_follow_from_the_import_that_could_not_be_read() -> None:
    known = at("BPC300", 20, ("resources", "known"), type="T", name="known")
    causes = [one.cause and one.cause.code for one in linked([IMPORT, ALARM, USE, PART, known], {"a.yaml": ["alarm"]})]
    assert causes == [None, "BPC142", "BPC142", "BPC142", None]
    elsewhere = linked([IMPORT, ALARM], {"b.yaml": ["alarm"]})
    assert [one.cause for one in elsewhere] == [None, None]


def test_the_verdict_on_a_document_does_not_hide_the_import() -> None:
    verdict = at("BPC787", 1, (), count=2, names="'a'")
    groups = grouped(linked([verdict, IMPORT, ALARM, OTHER], {"a.yaml": {"alarm"}}))
    assert [(group.first.code, [one.code for one in group.follows]) for group in groups] == [
        ("BPC787", ["BPC202"]),
        ("BPC142", ["BPC300"]),
    ]


def test_the_types_of_an_unknown_plugin_may_be_the_ones() -> None:
    plugin = at("BPC141", 1, ("imports", 1), name="plugin:other")
    assert [one.cause for one in linked([IMPORT, plugin, ALARM], {"a.yaml": ["alarm"]})] == [None, None, None]


def test_a_stand_in_follows_from_the_file_of_its_type_that_is_not_there() -> None:
    missing = at("BPC610", 3, ("resources", "alarm", "type"), name="alarm.yaml")
    other = at("BPC610", 4, ("resources", "alarm", "properties", "file"), name="x.sh")
    groups = grouped(linked([ALARM, missing, USE, PART]))
    assert [(group.first.code, len(group.follows)) for group in groups] == [("BPC610", 3)]
    assert [one.cause and one.cause.code for one in linked([ALARM, other])] == [None, "BPC300"]
    assert [linked([ALARM, file])[0].severity for file in (missing, other)] == [Severity.INFO, Severity.WARNING]


def test_an_error_does_not_follow_from_a_warning() -> None:
    error = ALARM._replace(severity=Severity.ERROR)
    assert [one.cause for one in linked([IMPORT, error], {"a.yaml": ["alarm"]})] == [None, None]


IMPORTING = {
    "cloudify": (
        "tosca_definitions_version: cloudify_dsl_1_3\n"
        "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin, mine.yaml]\n"
        "node_types:\n  own.Odd: {derived_from: cloudify.nodes.Root}\n  own.Child: {derived_from: mine.Base}\n"
        "node_templates:\n  a: {type: mine.Thing}\n  b: {type: own.Child}\n  c: {type: own.Odd}\n"
        "  d: {type: cloudify.nodes.Bad}\n"
    ),
    "tosca": (
        "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [mine.yaml]\n"
        "node_types:\n  own.Odd: {derived_from: tosca.nodes.Root}\n  own.Child: {derived_from: mine.Base}\n"
        "topology_template:\n  node_templates:\n    a: {type: mine.Thing}\n    b: {type: own.Child}\n"
        "    c: {type: own.Odd}\n    n: {type: tosca.nodes.network.Network}\n"
    ),
}


TARGETS = ("hot", "cloudify", "tosca")


@pytest.mark.parametrize(("source", "target"), [pair for pair in product(IMPORTING, TARGETS) if pair[0] != pair[1]])
def test_in_documents(source: str, target: str) -> None:
    found = convert(IMPORTING[source], source, target, name="a.yaml").diagnostics
    causes = {one.path[-1]: one.cause and one.cause.code for one in found if CODES[one.code].causes == "node"}
    assert (causes["a"], causes["b"], causes.get("c")) == ("BPC142", "BPC142", None)


HINDERED = """\
heat_template_version: 2018-08-31
parameters: {p: {type: boolean, default: false}}
conditions: {c: {get_param: p}}
resources:
  other: {type: other.yaml}
  net: {type: OS::Neutron::Net, condition: c}
outputs:
  all:
    value:
      one: {get_attr: [other, x]}
      two: CALL
"""


@pytest.mark.parametrize(("call", "severity"), [
    ("{list_concat: [{get_attr: [other, x]}, [a]]}", Severity.INFO),
    ("{map_merge: [{get_attr: [other, x]}, {a: 1}]}", Severity.INFO),
    ("{list_concat: [{get_attr: [other, x]}, {get_attr: [net, subnets]}]}", Severity.WARNING),
])  # fmt: skip
def test_what_a_node_would_compute_without_a_stand_in_follows_from_it(call: str, severity: Severity) -> None:
    findings = convert(HINDERED.replace("CALL", call), "hot", "cloudify").diagnostics
    (shown,) = [each for each in findings if each.code == "BPC202"]
    assert (shown.path, shown.severity) == (("outputs", "all", "value", "two"), severity)
    assert (shown.cause and shown.cause.code) == ("BPC610" if severity == Severity.INFO else None)
