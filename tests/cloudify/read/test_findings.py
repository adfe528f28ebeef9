"""What reading a blueprint tells: what the parser refuses, and what is left for the language that it goes to."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import CASES, CFY, Case

from bpconvert.api import convert
from bpconvert.diagnostics import Reporter, SourceError
from bpconvert.diagnostics.codes import CODES
from bpconvert.files import Files
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.read.blueprint import NAMES, Raw, to_topology
from bpconvert.yamlio.document import load

HEAD = "tosca_definitions_version: cloudify_dsl_1_4\nimports: [cloudify/types/types.yaml]\n"
#: told at once though the parser takes it: of imports, of kept values, and of what is not looked into
AT_ONCE = {
    "BPC141", "BPC142", "BPC145", "BPC155", "BPC323", "BPC376", "BPC670", "BPC682", "BPC697", "BPC707", "BPC708",
    "BPC709", "BPC753", "BPC757", "BPC758", "BPC952", "BPC965", "BPC978",
}  # fmt: skip


def topology(text: str, name: str = "main.yaml", folder: Path | None = None) -> tuple[Topology, Reporter]:
    """The topology of a blueprint, and what was reported at once."""
    document = load(text, name)
    reporter = Reporter(document)
    return to_topology(document, builtin(), reporter, Files(folder)), reporter


def readable(case: Case) -> bool:
    try:
        return isinstance(load(case.source.read_text(encoding="utf-8")).data, dict)
    except (SourceError, UnicodeDecodeError):
        return False


SOURCES = [case for case in CASES if case.language == CFY.folder and readable(case)]


def test_what_the_parser_takes_is_left_for_the_target() -> None:
    """A language that keeps it reports nothing, nor does a check."""
    at_once, later = set(), set()
    for case in SOURCES:
        made, reporter = topology(case.source.read_text(encoding="utf-8"), str(case.source), case.source.parent)
        at_once |= {one.code for one in reporter.diagnostics if str(one.severity) != "error"}
        later |= {one.code for one in made.features}
    assert at_once <= AT_ONCE
    assert len(later) > 60


def test_all_that_is_left_has_a_text() -> None:
    assert NAMES.keys() <= CODES.keys()


def test_what_a_language_may_keep() -> None:
    """The names are for the ``keeps`` of languages."""
    assert set(NAMES.values()) == {
        "imports", "type_definitions", "annotations", "workflows", "plugin_settings", "input_checks",
        "relationship_properties", "scaling_limits", "operations_of_types", "choices_by_index", "components",
        "connections", "plugin_properties", "plugin_attributes", "plugin_relationships", "existing_resources",
        "addresses of machines", "keys_of_the_manager",
    }  # fmt: skip


def messages(reporter: Reporter) -> list[tuple[str, str, str]]:
    return [(one.code, ".".join(map(str, one.path)), one.message) for one in reporter.diagnostics]


def test_what_is_kept_in_metadata_is_told_at_once() -> None:
    row = '{"interface": "I", "name": "create", "implementation": "a.sh", "native": "hot"}'
    kept = f'{{"nodes": {{"vm": {{"type": "cloudify.nodes.Root", "operations": [{row}]}}}}}}'
    made, reporter = topology(
        f"{HEAD}node_templates: {{vm: {{type: cloudify.nodes.Root}}}}\nmetadata: {{bpconvert_kept: '{kept}'}}\n"
    )
    assert [one.code for one in reporter.diagnostics] == ["BPC670", "BPC670"]
    assert [one.implementation for one in made.nodes["vm"].operations] == ["a.sh"]


# -- references ---------------------------------------------------------------------------------------------


def test_references_to_nothing() -> None:
    values = "{a: {value: {get_input: x}}, b: {value: {get_attribute: [n, id]}}, c: {value: {get_property: [SELF, x]}}}"
    known = "node_templates: {k: {type: cloudify.nodes.Root}}\ncapabilities: {k: {value: {get_attribute: [k, id]}}}\n"
    made, reporter = topology(f"{HEAD}inputs: {{i: {{default: {{get_input: x}}}}}}\noutputs: {values}\n{known}")
    assert messages(reporter) == [
        ("BPC121", "outputs.a.value", "there is no input 'x'"),
        ("BPC121", "outputs.b.value", "there is no node 'n'"),
    ]
    assert made.unread == set()


def test_references_of_an_imported_file_are_told_of_there(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("outputs: {o: {value: {concat: [a, {get_input: x}]}}}\n")
    _, reporter = topology(HEAD.replace("]", ", more.yaml]"), folder=tmp_path)
    (found,) = reporter.diagnostics
    assert (found.code, found.file, found.message) == ("BPC121", "more.yaml", "there is no input 'x'")


def test_what_was_read_is_handed_on() -> None:
    """Before it is put into neutral words."""
    seen: list[Raw] = []
    document = load(f"{HEAD}node_templates: {{a: {{type: cloudify.nodes.Root}}}}\n")
    made = to_topology(document, builtin(), Reporter(document), Files(None), seen.append)
    assert [one.topology for one in seen] == [made]
    assert [*seen[0].nodes] == ["a"]


UNREAD = HEAD.replace("]", ", gone/plugin.yaml]")


@pytest.mark.parametrize(
    ("text", "unread", "code"),
    [
        ("node_templates: {a: {type: cloudify.nodes.Root}}\n", set(), "BPC134"),
        ("node_templates: {a: {type: cloudify.nodes.Root}, b: {type: other.Type}}\n", {"b"}, "BPC142"),
        ("outputs: {a: {value: {get_input: x}}}\n", set(), "BPC142"),
        ("outputs: {a: {value: {get_attribute: [n, id]}}}\n", set(), "BPC142"),
    ],
)
def test_what_an_import_that_is_not_there_may_have(text: str, unread: set[str], code: str) -> None:
    """Nothing says that it has not. A plugin whose names nobody uses is not needed."""
    made, reporter = topology(UNREAD + text)
    assert made.unread == unread
    codes = [one.code for one in reporter.diagnostics] + [one.code for one in made.features]
    assert [one for one in codes if one in ("BPC121", "BPC134", "BPC142")] == [code]


def test_relationships_of_an_import_that_is_not_there() -> None:
    uses = "{type: cloudify.relationships.depends_on, target: a}, {type: other.uses, target: a}"
    nodes = f"{{a: {{type: cloudify.nodes.Root}}, b: {{type: cloudify.nodes.Root, relationships: [{uses}]}}}}"
    _, reporter = topology(f"{UNREAD}node_templates: {nodes}\n")
    assert "BPC142" in [one.code for one in reporter.diagnostics]


# -- inputs -------------------------------------------------------------------------------------------------


def test_defaults_in_a_circle() -> None:
    inputs = (
        "{a: {default: {get_input: b}}, b: {default: {get_input: a}}, c: {default: {concat: [{get_input: d}]}}, d: {}}"
    )
    made, reporter = topology(f"{HEAD}inputs: {inputs}\n")
    assert messages(reporter) == [
        ("BPC156", f"inputs.{name}.default", f"the default of '{name}' leads into a circle") for name in "ab"
    ]
    assert made.uncomputable == {("inputs", "a", "default"), ("inputs", "b", "default")}


def test_a_call_that_the_parser_refuses() -> None:
    """It is not computed either."""
    made, reporter = topology(f"{HEAD}outputs: {{o: {{value: [{{concat: x}}]}}}}\n")
    assert [(code, place) for code, place, _ in messages(reporter)] == [("BPC156", "outputs.o.value.0")]
    assert made.uncomputable == {("outputs", "o", "value", 0)}


def test_types_that_are_not_given(tmp_path: Path) -> None:
    """They are told of where one can write them: not in imports, which are of others."""
    (tmp_path / "more.yaml").write_text("inputs: {theirs: {default: 1}}\n")
    head = HEAD.replace("]", ", more.yaml]")
    made, _ = topology(
        f"{head}inputs: {{mine: {{default: 1}}, typed: {{type: integer, default: 1}}}}\n", folder=tmp_path
    )
    assert {name: one.guessed for name, one in made.inputs.items()} == {"mine": True, "typed": False, "theirs": False}


def test_a_blueprint_without_a_version() -> None:
    assert topology("inputs: {a: {}}\n")[0].version == ""


# -- what comes back ----------------------------------------------------------------------------------------


def back(text: str, folder: Path, **programs: str) -> Topology:
    """A Heat template as a blueprint, read again."""
    result = convert(f"heat_template_version: 2021-04-16\n{text}", "hot", "cloudify", carry=False)
    for name, content in {**result.files, **programs}.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
    return topology(result.text, folder=folder)[0]


DIGEST = "parameters: {p: {type: string}}\noutputs: {o: {value: {digest: [md5, {get_param: p}]}}}\n"
MANY = (
    "resources:\n  many: {type: OS::Heat::ResourceGroup, properties: {count: 1000, "
    "resource_def: {type: OS::Neutron::Net, properties: {name: 'n-%index%'}}}}\n"
)
UPLOADED = "resources: {one: {type: one.yaml}}\n"


@pytest.mark.parametrize(("text", "name"), [(DIGEST, "o"), (MANY, "member_numbers")])
def test_our_own_programs_compute_what_stood_there(text: str, name: str, tmp_path: Path) -> None:
    """Where they are as we write them: an edited one does something else."""
    made = back(text, tmp_path / "as_made")
    assert name not in made.nodes
    program = next((tmp_path / "as_made" / "scripts").iterdir())
    edited = program.read_text(encoding="utf-8") + "print()\n"
    assert name in back(text, tmp_path / "edited", **{f"scripts/{program.name}": edited}).nodes


def test_a_component_uploads_nothing_elsewhere(tmp_path: Path) -> None:
    """The step is ours; an edited script is an operation of the user."""
    (tmp_path / "one.yaml").write_text("heat_template_version: 2021-04-16\nresources: {}\n")
    (tmp_path / "main.yaml").write_text(f"heat_template_version: 2021-04-16\n{UPLOADED}")
    result = convert(tmp_path / "main.yaml", "hot", "cloudify", carry=False)
    script = next(name for name in result.files if name.startswith("scripts/"))
    for program, operations in ((result.files[script], 0), ("print()\n", 1)):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        (tmp_path / script).write_text(program, encoding="utf-8")
        made, _ = topology(result.text, folder=tmp_path)
        assert len(made.nodes["one"].operations) == operations


def test_a_scaling_group_is_one_node(tmp_path: Path) -> None:
    """Its members are the instances of one."""
    made = back(MANY, tmp_path)
    assert [*made.nodes] == ["many"]
    assert made.nodes["many"].instances == 1000
    assert made.group_nodes == {"many_group": "many"}


def test_a_scaling_group_of_several_nodes_is_one_more() -> None:
    nodes = "node_templates: {a: {type: cloudify.nodes.Root}, b: {type: cloudify.nodes.Root}}\n"
    policy = "{type: cloudify.policies.scaling, targets: [g], properties: {default_instances: 3}}"
    made, _ = topology(f"{HEAD}{nodes}groups: {{g: {{members: [a, b]}}}}\npolicies: {{s: {policy}}}\n")
    assert {name: (one.is_group, one.group) for name, one in made.nodes.items()} == {
        "g": (True, None), "a": (False, "g"), "b": (False, "g"),
    }  # fmt: skip
    assert made.group_nodes == {"g": "g"}
