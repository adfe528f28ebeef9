"""The text that documents keep in their metadata: what is written into it, and what comes back from it."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from bpconvert import convert
from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input, Node, Operation, Output, Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.provenance.keeping import Entry, Kept, KeptNode, Present, Written, read, restore, written
from bpconvert.translators.provenance.metadata_text import Portable, digest
from bpconvert.yamlio.document import load

WORD, VM, LOST = ex.Input("word"), ex.Identity("vm"), ex.Input("lost")
WORD_DATA = {"$Input": {"name": "word", "keys": [], "strict": False}}
NOTHING = Written({}, {})
#: what is told, without the rest of the sentence
KEPT_PLACE = ("metadata", "kept")


def same_names(*names: str) -> Portable:
    known = {name: name for name in names}
    return Portable(Topology("toy", "1"), known.get, known.get)


def text_of(inputs: Written = NOTHING, outputs: Written = NOTHING, **entries: Entry) -> str:
    return written(same_names("word", "vm"), inputs, outputs, entries)


# -- writing ------------------------------------------------------------------------------------------------


def test_nothing_is_kept_as_no_text() -> None:
    assert text_of() == ""
    assert text_of(vm=Entry("t", {}), net=Entry("t", {"a": LOST}, {"b": LOST})) == ""


def test_values_are_kept_with_what_is_written_in_their_place() -> None:
    """Those that are in the document, and mean something there."""
    inputs = Written({"asked": WORD, "gone": WORD, "lost": LOST}, {"asked": {"type": "string"}, "lost": 1, "more": 2})
    outputs = Written({"shown": [1, WORD]}, {"shown": "a text"})
    assert json.loads(text_of(inputs, outputs)) == {
        "inputs": {"asked": [digest({"type": "string"}), WORD_DATA]},
        "outputs": {"shown": [digest("a text"), [1, WORD_DATA]]},
    }
    assert json.loads(text_of(outputs=outputs)).keys() == {"outputs"}


def test_nodes_are_kept_by_their_types_and_what_these_lack() -> None:
    run = Operation("life", "begin", "a.sh", {"x": WORD})
    found = json.loads(
        text_of(
            vm=Entry("m", {"a": 1, "lost": LOST}, {"b": WORD}, [run], "toy"), net=Entry("n", {}, {"size": None}),
            one=Entry("o", {}, operations=[run]), none=Entry("p", {}),
        )
    )  # fmt: skip
    row = {"interface": "life", "name": "begin", "implementation": "a.sh", "host": "source", "inputs": {"x": WORD_DATA}}
    assert found == {
        "nodes": {
            "vm": {
                "type": "m",
                "properties": {"a": 1},
                "assumed": {"b": WORD_DATA},
                "operations": [{**row, "native": "toy"}],
            },
            "net": {"type": "n", "assumed": {"size": None}},
            "one": {"type": "o", "operations": [{**row, "native": ""}]},
        }
    }


def test_software_that_is_gone_is_kept_with_what_it_waits_for() -> None:
    """By way of software of which nothing is kept; what has no name in the document is left out."""
    run = Operation("life", "begin", "a.sh")
    gone = {
        "app": Entry("t", {}, operations=[run], role="component", after=["between", "base", "lost"]),
        "between": Entry("t", {}, role="component", after=["vm"]),
        "base": Entry("u", {}, operations=[run], role="deployment"),
    }
    found = json.loads(written(same_names("vm"), NOTHING, NOTHING, {}, gone))
    assert found.keys() == {"gone"}
    assert [len(one.pop("operations")) for one in found["gone"].values()] == [1, 1]
    assert found["gone"] == {
        "app": {"type": "t", "role": "component", "after": ["vm", "base"]},
        "base": {"type": "u", "role": "deployment"},
    }


def test_an_entry_that_was_software_is_kept_with_its_role() -> None:
    assert json.loads(text_of(vm=Entry("t", {}, role="component"))) == {
        "nodes": {"vm": {"type": "t", "role": "component"}}
    }


def test_other_letters_are_escaped_where_that_is_asked_for() -> None:
    entries = {"vm": Entry("m", {"a": "\u00fc"})}
    assert "\u00fc" in written(same_names(), NOTHING, NOTHING, entries)
    assert "\\u00fc" in written(same_names(), NOTHING, NOTHING, entries, ascii_only=True)


# -- reading ------------------------------------------------------------------------------------------------


def test_what_is_written_is_read() -> None:
    rows = {"a": ["1234", {"b": [1]}]}
    node = {"type": "t", "properties": {"p": 1}, "assumed": {"q": None}, "operations": [{"name": "x"}]}
    found = read(json.dumps({"inputs": rows, "outputs": {"o": ["5", None]}, "nodes": {"n": node, "m": {"type": "u"}}}))
    assert found == Kept(
        {"a": ("1234", {"b": [1]})},
        {"o": ("5", None)},
        {"n": KeptNode("t", {"p": 1}, {"q": None}, [{"name": "x"}]), "m": KeptNode("u")},
    )
    gone = {"app": {"type": "t", "role": "component", "after": ["m"]}}
    assert read(json.dumps({"gone": gone})) == Kept({}, {}, {}, {"app": KeptNode("t", role="component", after=["m"])})
    assert read("{}") == read(ex.MISSING) == Kept({}, {}, {})
    assert read("{}").is_empty
    assert not found.is_empty


@pytest.mark.parametrize(
    "data",
    [
        1, "", "[]", '{"inputs": []}', '{"outputs": {"o": ["1"]}}', '{"outputs": {"o": [1, 2]}}', '{"nodes": []}',
        '{"nodes": {"n": {"properties": {}}}}', '{"nodes": {"n": {"type": 1}}}', "[" * 100_000,
        '{"nodes": {"n": {"type": "t", "properties": [1]}}}', '{"nodes": {"n": {"type": "t", "assumed": [1]}}}',
        '{"nodes": {"n": {"type": "t", "operations": [1]}}}', '{"nodes": {"n": {"type": "t", "operations": {}}}}',
    ],
)  # fmt: skip
def test_what_has_another_shape_cannot_be_read(data: Any) -> None:
    assert read(data) is None


# -- coming back --------------------------------------------------------------------------------------------

STRING = {"type": "string"}


def sample() -> Topology:
    """``vm`` and output ``o`` ask for input ``word``; ``text`` has a kind with a usual length."""
    nodes = {
        "vm": Node("vm", "m", "server", {"name": WORD, "tags": ["a"]}, path=("nodes", "vm")),
        "text": Node("text", "r", "random_string", {}, path=("nodes", "text")),
        "other": Node("other", "x", path=("nodes", "other")),
    }
    return Topology(
        "toy", "1", inputs={"word": Input("word", "string", path=("inputs", "word"))}, nodes=nodes,
        outputs={"o": Output("o", "a text", path=("outputs", "o"))},
    )  # fmt: skip


def come_back(topology: Topology, kept: Kept, **changed: Any) -> list[tuple[ex.Path, str]]:
    """Put back what is ``kept``; places of what is told, and what comes back there."""
    types = {name: node.source_type for name, node in topology.nodes.items()}
    present = Present({"word": STRING}, {"o": {"value": "a text"}}, types, KEPT_PLACE)._replace(**changed)
    reporter = Reporter(load("{}\n"))
    restore(topology, kept, present, builtin(), reporter)
    assert {one.code for one in reporter.diagnostics} <= {"BPC670"}
    return [(one.path, one.message.partition(" comes from")[0]) for one in reporter.diagnostics]


def nodes(**kept: KeptNode) -> Kept:
    return Kept({}, {}, kept)


REST = (KEPT_PLACE, "what was not edited since")


def test_nothing_kept_is_nothing_told() -> None:
    assert come_back(sample(), Kept({}, {}, {})) == []


def test_the_value_of_an_output_comes_back() -> None:
    found = sample()
    kept = Kept({}, {"o": (digest("a text"), [WORD_DATA])}, {})
    assert come_back(found, kept) == [(("outputs", "o"), "the value of 'o'"), REST]
    assert found.outputs["o"].value == [WORD]


@pytest.mark.parametrize(
    ("name", "row", "declared"),
    [
        ("o", [digest("a text"), WORD_DATA], {"o": {"value": "edited"}}),
        ("o", [digest("a text"), WORD_DATA], {"o": "a text"}),
        ("o", [digest("a text"), WORD_DATA], {}),
        ("o", [digest("a text"), {"$Input": {"name": "lost"}}], {"o": {"value": "a text"}}),
        ("o", [digest("a text"), {"$Nothing": {}}], {"o": {"value": "a text"}}),
        ("p", [digest("a text"), WORD_DATA], {"p": {"value": "a text"}}),
    ],
)
def test_an_output_that_was_edited_or_whose_value_means_nothing_stays(name: str, row: Any, declared: Any) -> None:
    found = sample()
    assert come_back(found, Kept({}, {name: tuple(row)}, {}), outputs=declared) == [REST]
    assert found.outputs["o"].value == "a text"


def test_each_node_that_is_as_it_was_has_its_properties() -> None:
    """One of another type, or that is gone, is no reason to leave the others out."""
    found = sample()
    found.nodes["other"].kind = "server"
    kept = nodes(
        gone=KeptNode("m", {"a": 1}),
        other=KeptNode("y", {"a": 1}),
        vm=KeptNode("m", {"a": 1}),
        text=KeptNode("r", {"b": 2}),
    )
    assert come_back(found, kept) == [
        (("nodes", "vm"), "property 'a' of 'vm'"),
        (("nodes", "text"), "property 'b' of 'text'"),
        REST,
    ]
    assert found.nodes["vm"].properties == {"name": WORD, "tags": ["a"], "a": 1}
    assert found.nodes["text"].properties == {"b": 2}
    assert found.nodes["other"].properties == {}


def test_a_node_without_a_kind_has_its_operations_alone() -> None:
    found = sample()
    run = {"interface": "life", "name": "begin", "implementation": "a.sh", "native": "toy"}
    told = come_back(found, nodes(other=KeptNode("x", {"a": 1}, operations=[run])))
    assert told == [(("nodes", "other"), "operation 'begin' of 'other' (a.sh)"), REST]
    assert found.nodes["other"].properties == {}
    assert [one.implementation for one in found.nodes["other"].operations] == ["a.sh"]


def test_a_node_of_a_kind_that_no_catalogue_has_gets_its_properties() -> None:
    found = sample()
    found.nodes["other"].kind = "nowhere"
    come_back(found, nodes(other=KeptNode("x", {"a": 1})))
    assert found.nodes["other"].properties == {"a": 1}


@pytest.mark.parametrize(
    ("given", "kept", "expected"),
    [
        ({}, {"length": 5}, 5),
        ({"length": 8}, {"length": 5}, 5),  # the plugin's own, where a blueprint says nothing
        ({"length": 9}, {"length": 5}, 9),
        ({"length": "XX"}, {"length": 5}, "XX"),
        ({"length": [1, 2]}, {"length": [2, 3]}, [1, 2, 3]),
        ({"length": [1]}, {"length": 2}, [1]),
        ({"length": 1}, {"length": [2]}, 1),
        ({"length": {"a": 1, "b": 2}}, {"length": {"b": 3, "c": 4}}, {"a": 1, "b": 2, "c": 4}),
        ({"length": {"a": 1}}, {"length": [2]}, {"a": 1}),
        ({"length": [1]}, {"length": {"a": 2}}, [1]),
    ],
)
def test_what_is_given_by_now_counts(given: Any, kept: Any, expected: Any) -> None:
    found = sample()
    before = given.get("length")
    found.nodes["text"].properties = given
    told = come_back(found, nodes(text=KeptNode("r", kept)))
    assert found.nodes["text"].properties == {"length": expected}
    changed = [(("nodes", "text"), "property 'length' of 'text'")] if expected != before else []
    assert told == [*changed, REST]


def test_a_property_without_a_usual_value_that_is_given_counts() -> None:
    found = sample()
    found.nodes["text"].properties = {"mine": "XX"}
    come_back(found, nodes(text=KeptNode("r", {"mine": 1, "next": 2})))
    assert found.nodes["text"].properties == {"mine": "XX", "next": 2}


def test_items_of_an_assumed_list_are_not_added() -> None:
    found = sample()
    come_back(found, nodes(vm=KeptNode("m", {}, {"tags": ["b"], "size": 1})))
    assert found.nodes["vm"].properties == {"name": WORD, "tags": ["a"], "size": 1}


def test_entries_of_an_assumed_map_are_not_added() -> None:
    found = sample()
    found.nodes["vm"].properties = {"labels": {"a": 1}}
    assert come_back(found, nodes(vm=KeptNode("m", {}, {"labels": {"b": 2}}))) == [REST]
    assert found.nodes["vm"].properties == {"labels": {"a": 1}}


def test_a_node_that_was_software_is_that_again() -> None:
    found = sample()
    assert come_back(found, nodes(other=KeptNode("x", role="component"))) == [
        (("nodes", "other"), "that 'other' is software"),
        REST,
    ]
    assert found.nodes["other"].was == "component"


RUN = {"interface": "life", "name": "begin", "implementation": "a.sh"}


def test_software_that_is_gone_is_there_again() -> None:
    """It waits for what is there. What has no operation or no role, or has been made anew, does not come back."""
    found = sample()
    gone = {
        "app": KeptNode("t", operations=[RUN], role="component", after=["base", "vm", "lost"]),
        "base": KeptNode("u", operations=[RUN], role="component"),
        "idle": KeptNode("u", role="component"),
        "plain": KeptNode("u", operations=[RUN]),
        "vm": KeptNode("u", operations=[RUN], role="component", after=["base"]),
    }
    assert come_back(found, Kept({}, {}, {}, gone)) == [
        (KEPT_PLACE, "operation 'begin' of 'app' (a.sh)"),
        (KEPT_PLACE, "operation 'begin' of 'base' (a.sh)"),
        REST,
    ]
    assert [*found.nodes] == ["vm", "text", "other", "app", "base"]
    app = found.nodes["app"]
    assert (app.source_type, app.role, app.path) == ("t", "component", KEPT_PLACE)
    waits = [(one.source, one.target, one.path) for node in found.nodes.values() for one in node.relationships]
    assert waits == [("app", "base", KEPT_PLACE), ("app", "vm", KEPT_PLACE)]


def test_null_says_that_the_source_does_not_give_it_either() -> None:
    found = sample()
    assert come_back(found, nodes(vm=KeptNode("m", {"image": None, "name": None}))) == [REST]
    assert found.nodes["vm"].properties == {"name": WORD, "tags": ["a"], "image": None}
    assert found.nodes["vm"].lacks == ("image", "name")


def test_a_value_that_means_nothing_or_would_wait_for_itself_is_left_out_alone() -> None:
    found = sample()
    found.nodes["text"].properties = {"of": VM}
    values = {
        "a": {"$Nothing": {}}, "b": {"$Input": {"name": "lost"}}, "c": {"$Identity": {"node": "vm"}},
        "d": {"$Identity": {"node": "text"}}, "e": {"$Identity": {"node": "other"}},
    }  # fmt: skip
    come_back(found, nodes(vm=KeptNode("m", values)))
    assert found.nodes["vm"].properties == {"name": WORD, "tags": ["a"], "e": ex.Identity("other")}


def test_what_a_node_was_declared_with_makes_nobody_wait() -> None:
    """It is what the source said; what is computed of it are the properties."""
    found = sample()
    found.nodes["other"].declared = {"of": VM}
    come_back(found, nodes(vm=KeptNode("m", {"e": {"$Identity": {"node": "other"}}})))
    assert found.nodes["vm"].properties["e"] == ex.Identity("other")


ASKED = Kept({"word": (digest(STRING), "front")}, {}, {})


def test_the_value_of_an_input_comes_back_and_the_input_is_gone() -> None:
    found = sample()
    assert come_back(found, ASKED) == [
        (("inputs", "word"), "the value of 'word'"),
        (("inputs", "word", "description"), "the value of 'word'"),
        REST,
    ]
    assert found.nodes["vm"].properties["name"] == "front"
    assert found.inputs == {}


@pytest.mark.parametrize("inputs", [{"word": {"type": "number"}}, {}, {"word": None}])
def test_an_input_that_was_edited_stays(inputs: Any) -> None:
    found = sample()
    assert come_back(found, ASKED, inputs=inputs) == [REST]
    assert found.nodes["vm"].properties["name"] == WORD
    del found.inputs["word"]
    assert come_back(found, ASKED) == [REST]


@pytest.mark.parametrize("use", [ex.Input("word", ("a",)), ex.Input(ex.Input("other"))])
def test_an_input_of_which_more_is_used_stays_beside_its_value(use: Any) -> None:
    found = sample()
    found.outputs["o"].value = use
    come_back(found, ASKED)
    assert found.nodes["vm"].properties["name"] == "front"
    assert found.outputs["o"].value == use
    assert list(found.inputs) == ["word"]


def test_an_input_that_says_which_input_is_meant_is_not_exchanged() -> None:
    found = sample()
    found.outputs["o"].value = ex.Input(WORD)
    assert come_back(found, ASKED) == [REST]
    assert found.nodes["vm"].properties["name"] == WORD


@pytest.mark.parametrize("value", [{"$Input": {"name": "lost"}}, {"$Identity": {"node": "vm"}}])
def test_an_input_whose_value_is_gone_or_waits_for_its_user_stays(value: Any) -> None:
    found = sample()
    assert come_back(found, Kept({"word": (digest(STRING), value)}, {}, {})) == [REST]
    assert found.nodes["vm"].properties["name"] == WORD


def test_an_input_whose_value_is_a_node_that_nothing_waits_with_is_gone() -> None:
    """What waits for each other, but not for the user, is no endless way; other inputs do not matter."""
    found = sample()
    found.inputs["size"] = Input("size", "number")
    found.nodes["text"].properties = {"of": ex.Identity("other"), "size": ex.Input("size")}
    found.nodes["other"].properties = {"of": ex.Identity("text")}
    come_back(found, Kept({"word": (digest(STRING), {"$Identity": {"node": "other"}})}, {}, {}))
    assert found.nodes["vm"].properties["name"] == ex.Identity("other")
    assert list(found.inputs) == ["size"]


def test_an_input_stays_where_its_value_waits_for_one_of_its_users() -> None:
    found = sample()
    found.nodes["other"].properties = {"a": WORD}
    assert come_back(found, Kept({"word": (digest(STRING), {"$Identity": {"node": "other"}})}, {}, {})) == [REST]
    assert found.nodes["vm"].properties["name"] == WORD


def test_the_value_of_an_input_that_outputs_take_is_told() -> None:
    found = sample()
    found.nodes["vm"].properties = {}
    found.outputs["o"].value = [WORD]
    assert come_back(found, ASKED) == [
        (("inputs", "word"), "the value of 'word'"),
        (("inputs", "word", "description"), "the value of 'word'"),
        REST,
    ]
    assert found.outputs["o"].value == ["front"]
    assert found.inputs == {}


SOFTWARE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [dependency: database]
      interfaces: {Standard: {operations: {create: app.sh}}}
    database:
      type: tosca.nodes.SoftwareComponent
      interfaces: {Standard: {operations: {create: database.sh}}}
"""


def test_software_that_nothing_runs_comes_back_in_its_order() -> None:
    programs = {"app.sh": "#!/bin/sh\n", "database.sh": "#!/bin/sh\necho\n"}
    there = convert(SOFTWARE.encode(), "tosca", "hot", beside=programs, carry=False)
    assert there.files == programs
    back = convert(there.text.encode(), "hot", "tosca", beside=there.files, carry=False)
    nodes = yaml.safe_load(back.text)["topology_template"]["node_templates"]
    assert nodes["app"]["requirements"] == [{"dependency": "database"}]
