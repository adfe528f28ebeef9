"""What a language can express, where it says nothing of its own: the words of a language without special ones."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bpconvert.models.expressions import Foreign, Input
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.passes.capabilities import (
    Capabilities,
    Groups,
    GroupType,
    Operations,
    Published,
    Runner,
    Software,
    Vocabulary,
)

PLAIN = Vocabulary()
OWN = Vocabulary(
    sections={"nodes": "parts", "inputs": "parameters"},
    keys={"label": "title"},
    imports="uses",
    connecting="links",
)


def node(*origins: tuple[str | int, ...]) -> Node:
    """A node of OWN, with a property from each of these places."""
    made = Node("a", "some.Type")
    made.path = ("parts", "a")
    made.origins = {("properties", str(number)): origin for number, origin in enumerate(origins)}
    return made


def test_sections_and_keys_have_the_names_of_the_language_or_the_neutral_ones() -> None:
    assert [OWN.section(name) for name in ("nodes", "outputs")] == ["parts", "outputs"]
    assert [OWN.key(name) for name in ("label", "operations")] == ["title", "operations"]
    assert (PLAIN.section("nodes"), PLAIN.key("label"), PLAIN.legal("any name")) == ("nodes", "label", "any name")


@pytest.mark.parametrize(
    ("path", "imported", "entry"),
    [
        (("parts", "a", "properties"), False, ("parts", "a")),
        (("parts", "a"), False, ("parts", "a")),
        (("uses", 0, "properties"), True, ("uses",)),
        (("uses",), True, ("uses",)),
        ((), False, ()),
    ],
)
def test_what_another_file_has_belongs_to_the_imports(
    path: tuple[str | int, ...], imported: bool, entry: tuple[str | int, ...]
) -> None:
    assert OWN.is_imported(path) is imported
    assert OWN.entry(path) == entry
    assert OWN.inside(path, "x", 1) == (path if imported else (*path, "x", 1))


def test_a_language_without_imports_has_nothing_imported() -> None:
    assert PLAIN.is_imported(("", "a")) is False
    assert PLAIN.is_imported(()) is False
    assert PLAIN.entry(("uses", 0, "x")) == ("uses", 0)


def test_a_section_without_entries_that_has_a_part_of_a_node_is_found_once() -> None:
    made = node(("policies",), ("policies",), ("groups",), ("parts", "a", "x"), ("parts", "b"), ("uses", 1, "x"))
    assert OWN.wholes(made) == [("policies",), ("groups",)]


def test_a_node_whose_own_entry_is_a_section_has_no_other_one() -> None:
    made = node(("policies",), ("groups",))
    made.path = ("policies",)
    assert OWN.wholes(made) == [("groups",)]


def test_entries_of_other_nodes_are_those_of_the_nodes_and_of_what_connects_them() -> None:
    made = node(
        ("parts", "a", "x"),
        ("parts", "b", "requirements", 0),
        ("parts", "b", "y"),
        ("links", "l", "z"),
        ("parameters", "p"),
        ("uses", 0),
        (),
    )
    assert OWN.others(made) == [("parts", "b"), ("links", "l")]
    assert PLAIN.others(node(("nodes", "b"), ("links", "l"))) == [("nodes", "b")]
    assert PLAIN.others(node(("", "b"))) == []


@pytest.mark.parametrize(
    ("data", "name"),
    [({"f": 1}, "f"), ({1: 2}, "1"), ({"f": 1, "g": 2}, None), ({}, None), (["f"], None), ("f", None)],
)
def test_any_map_of_one_key_is_taken_for_a_call(data: object, name: str | None) -> None:
    assert PLAIN.called(data) == name


def test_a_language_of_no_functions_writes_none_and_explains_none() -> None:
    call = Foreign("toy", "f", 1)
    assert PLAIN.name(Input("p")) == "input"
    assert PLAIN.annotated(call) is None
    assert PLAIN.obstacle(call) == ""
    assert list(PLAIN.inputs_in({"f": 1})) == []
    with pytest.raises(ValueError, match="no way to write Foreign"):
        PLAIN.written(call)


def test_the_definition_of_a_member_is_that_of_its_type_of_group() -> None:
    groups = Groups(types={"G": GroupType("resource_def")})
    assert (groups.definition("G"), groups.definition("H"), Groups().definition("G")) == ("resource_def", None, None)
    assert GroupType("x").scales is False


def test_steps_are_found_by_interface_and_name() -> None:
    software = Software(steps={("lifecycle", "create"): "create"})
    known, unknown = Operation("lifecycle", "create", "run.sh"), Operation("lifecycle", "stop", "run.sh")
    assert (software.step(known), software.step(unknown)) == ("create", "")
    assert (software.script(known), software.why_not(known), software.variables(known)) == (None, "", None)
    assert (software.tool("any.sh", "any text"), software.label(known)) == ("", "create")
    assert software.agent(node()) == ("parts", "a")
    assert Operations().inputs({"a": "b"}, True) == {"a": "b"}


def test_a_language_is_called_by_its_name_or_its_engines() -> None:
    toy = Capabilities("Toy Engine", language="toy")
    assert [toy.is_called(word) for word in ("toy", "toy engine", "Toy Engine", "heat", "")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert list(toy.waits(None)) == list(toy.may_wait(None)) == []  # type: ignore[arg-type]


def said(made: Any) -> dict[str, str | bool]:
    """The texts and flags of a language that are not empty."""
    return {name: value for name, value in made._asdict().items() if type(value) in (str, bool) and value}


def test_a_language_that_says_nothing_can_do_nothing_special() -> None:
    assert said(Capabilities("Toy Engine")) == {"title": "Toy Engine", "references": "values"}
    assert said(Vocabulary()) == said(Groups()) == said(Software().runner) == {}
    runner = {"path": "p", "file": "f", "text": "t", "outputs": "o", "errors": "e"}
    assert said(Runner(**runner, always=())) == runner
    assert said(Published("echo")) == {"text": "echo"}
    assert {"properties", "value", "default"} == PLAIN.empty


def test_a_language_without_software_runs_any_file_and_adds_no_variables() -> None:
    plain = Software()
    assert said(plain) == {"derived": plain.derived}
    assert not any(re.match(plain.derived, name) for name in ("", "deploy_server_id", "x"))
    assert plain.published("run.sh", "ctx instance", "echo", {}.get) is None
    assert [bool(re.fullmatch(Operations().files, name)) for name in ("run.sh", "a/b", "")] == [True, True, False]


def test_a_language_without_neutral_names_leaves_the_properties_of_members() -> None:
    made = node()
    made.properties = {"own_name": 1}
    nothing: Any = None
    Groups().neutral(made, nothing, nothing)
    assert made.properties == {"own_name": 1}
