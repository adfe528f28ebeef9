"""What was generated goes back word for word; what was edited since is translated, and nothing else is."""

from __future__ import annotations

import difflib
import posixpath
import re
from pathlib import Path
from typing import Any

import pytest
from corpus_cases import CASES, Case
from edited_template import TEMPLATE as SOURCE

from bpconvert import Result, convert, roundtrip
from bpconvert.options import Options


def edited(*changes: tuple[str, str], source: str = SOURCE) -> Result:
    """The way back after each (old, new) was exchanged in the generated blueprint."""
    text, record = convert(source).text.split("\nmetadata:\n")
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return convert(f"{text}\nmetadata:\n{record}", "cloudify", "hot")


def codes(result: Result) -> list[tuple[str, Any]]:
    return [(found.code, found.path) for found in result.diagnostics if found.code.startswith("BPC62")]


#: names of files above the folder
NAMES_ABOVE = re.compile(r"(?<![\w/])\.\./[\w./-]+\.\w+")
CARRIED = [case for case in CASES if case.target.exists() and case.options.carry]


@pytest.mark.parametrize("case", CARRIED, ids=lambda case: case.id)
def test_every_case_comes_back_byte_for_byte(case: Case) -> None:
    assert case.outcome.text is not None
    result, files = case.outcome.text.encode(), case.outcome.files
    back = convert(result, case.target_dialect, case.dialect, name="back", beside=files)
    assert back.text == case.source.read_bytes().decode()
    asked = case.options.types or case.options.environments  # which the result does not keep
    elsewhere = {name for name in NAMES_ABOVE.findall(back.text) if posixpath.normpath(name).startswith("../")}
    reported = [found for found in back.diagnostics if found.code != "BPC269"]
    assert {found.code for found in reported} <= ({"BPC663"} if asked else set())
    assert {found.message.split("'")[1] for found in back.diagnostics if found not in reported} <= elsewhere


def test_an_edited_node_is_translated_and_nothing_else() -> None:
    result = edited(("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24"))
    assert result.document["resources"]["subnet"]["properties"]["cidr"] == "10.9.0.0/24"
    before = convert(convert(SOURCE).text, "cloudify", "hot").document
    for section, content in before.items():
        for name in content if isinstance(content, dict) else ():
            if name not in ("subnet", "plug"):
                assert result.document[section][name] == content[name]
    assert codes(result) == [("BPC620", ("node_templates", "subnet"))]


@pytest.mark.parametrize("text", ["Web: two servers", "@web", "- web", "a #b"])
def test_an_edited_description_that_needs_quotes(text: str) -> None:
    network = "resources: {a: {type: OS::Neutron::Net}}\n"
    made = convert(f"heat_template_version: 2018-08-31\ndescription: plain\n{network}").text
    back = convert(made.replace("description: plain\n", f'description: "{text}"\n', 1), "cloudify", "hot")
    assert back.document["description"] == text
    assert network in back.text


def test_what_was_not_edited_keeps_its_text() -> None:
    text = edited(("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24")).text
    for part in SOURCE.split("\n\n"):
        if "cidr" not in part and "plug:" not in part and not part.endswith(":"):
            assert part.strip("\n") in text


def test_a_resource_absorbed_by_an_edited_node_keeps_its_name() -> None:
    """Others refer to it: ``depends_on: plug``."""
    resources = edited(("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24")).document["resources"]
    assert resources["plug"]["type"] == "OS::Neutron::RouterInterface"
    ends = {"router": {"get_resource": "router"}, "subnet": {"get_resource": "subnet"}}
    assert resources["plug"]["properties"] == ends
    assert list(resources) == ["net", "subnet", "router", "plug", "web", "db"]


def test_an_edited_input() -> None:
    result = edited(("default: m1.small", "default: m1.large"))
    assert result.document["parameters"]["flavor"]["default"] == "m1.large"
    assert '  image:    {type: string, default: "0123"}   # kept as text' in result.text


def test_an_edited_conditional_node_keeps_its_condition() -> None:
    result = edited(("flavor: m1.tiny", "flavor: m1.huge"))
    db = result.document["resources"]["db"]
    assert db["properties"]["flavor"] == "m1.huge"
    conditions = result.document["conditions"]
    assert db["condition"] == "big"
    assert conditions[db["condition"]] == {"equals": [{"get_param": "flavor"}, "m1.large"]}


def test_a_deleted_node_does_not_come_back() -> None:
    text = convert(SOURCE).text
    begin = text.index("  db:\n")
    end = text.index("\noutputs:")
    result = convert(text[:begin] + text[end:], "cloudify", "hot")
    assert list(result.document["resources"]) == ["net", "subnet", "router", "plug", "web"]
    assert codes(result) == [("BPC621", ("node_templates",))]


def test_an_added_node_is_added() -> None:
    node = "  spare:\n    type: cloudify.nodes.openstack.Network\n    properties: {resource_config: {name: spare}}\n\n"
    result = edited(("  web:\n", node + "  web:\n"))
    assert result.document["resources"]["spare"] == {"type": "OS::Neutron::Net", "properties": {"name": "spare"}}
    assert codes(result) == [("BPC623", ("node_templates", "spare"))]


def test_an_added_output() -> None:
    result = edited(("outputs:\n", "outputs:\n  name: {value: {get_attribute: [web, name]}}\n"))
    assert result.document["outputs"]["name"] == {"value": {"get_attr": ["web", "name"]}}
    assert "  id: {value: {get_resource: web}}   # of the web server" in result.text


def test_an_edit_without_a_counterpart_is_told() -> None:
    result = edited(("  - cloudify/types/types.yaml\n", "  - cloudify/types/types.yaml\n  - plugin:other\n"))
    assert result.text == SOURCE
    assert codes(result) == [("BPC622", ("imports",))]


def test_layout_and_order_are_no_edits() -> None:
    text = convert(SOURCE).text.replace("  type: cloudify.nodes.openstack.R", "  'type': cloudify.nodes.openstack.R")
    assert "'type'" in text
    assert convert(text, "cloudify", "hot").text == SOURCE


def test_a_damaged_record_is_told_and_the_blueprint_translated() -> None:
    text = convert(SOURCE).text.replace("digests: |\n      tosca", "digests: |\n      - tosca")
    result = convert(text, "cloudify", "hot")
    assert "BPC624" in {found.code for found in result.diagnostics}
    assert result.document["resources"]["net"]["type"] == "OS::Neutron::Net"


def test_without_carry_nothing_is_kept_and_nothing_restored() -> None:
    assert "metadata" not in convert(SOURCE, carry=False).document
    back = convert(convert(SOURCE).text, "cloudify", "hot", carry=False)
    assert back.text != SOURCE
    assert back.document["resources"]["net"]["properties"]["name"] == "yes"


def test_roundtrip_of_the_library() -> None:
    trip = roundtrip(SOURCE)
    assert trip.is_identical
    assert trip.differences == {}
    plain = roundtrip(SOURCE, options=Options(carry=False))
    assert not plain.is_identical
    assert plain.differences


BLUEPRINT = """\
# A network of a web shop.
tosca_definitions_version: cloudify_dsl_1_3

imports:
  - cloudify/types/types.yaml
  - plugin:cloudify-openstack-plugin

inputs:
  name: {default: 'shop'}   # of the net

node_templates:

  net:   # the network
    type: cloudify.nodes.openstack.Network
    properties: {resource_config: {name: {get_input: name}}}

  subnet:
    type: cloudify.nodes.openstack.Subnet
    properties:
      resource_config: {cidr: 10.0.0.0/24, ip_version: 4}
    relationships:
    - {type: cloudify.relationships.contained_in, target: net}

  vpc: {type: cloudify.nodes.Root}

labels:
  owner: {values: [shop]}
"""


def test_an_edited_resource_goes_back_into_the_blueprint() -> None:
    text = convert(BLUEPRINT, "cloudify", "hot").text
    assert text.count("cidr: 10.0.0.0/24") == 2
    result = convert(text.replace("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24", 1))
    subnet = result.document["node_templates"]["subnet"]
    assert subnet["properties"]["resource_config"]["cidr"] == "10.9.0.0/24"
    assert subnet["relationships"] == [{"type": "cloudify.relationships.contained_in", "target": "net"}]
    assert "  net:   # the network\n" in result.text
    assert result.document["labels"] == {"owner": {"values": ["shop"]}}
    assert codes(result) == [("BPC620", ("resources", "subnet"))]


def test_the_record_of_a_template_is_no_resource_of_its_own() -> None:
    text = convert(BLUEPRINT, "cloudify", "hot").text
    plain = convert(text, carry=False)
    assert "bpconvert_sidecar" not in plain.document["node_templates"]


def test_files_come_back_too(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho é\n")
    (tmp_path / "app.yaml").write_text(
        "heat_template_version: 2013-05-23\nresources:\n  web:\n    type: OS::Nova::Server\n"
        "    properties: {image: i, flavor: f, user_data: {get_file: run.sh}}\n"
    )
    back = convert(convert(tmp_path / "app.yaml").text, "cloudify", "hot")
    assert back.text == (tmp_path / "app.yaml").read_text()
    assert back.files == {"run.sh": "#!/bin/sh\necho é\n"}


def changed_lines(before: str, after: str) -> list[str]:
    """What a line-by-line comparison shows."""
    found = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in found if not line.startswith(("---", "+++", "@@"))]


def test_an_edit_changes_its_line_and_no_other() -> None:
    text = edited(("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24")).text
    assert changed_lines(SOURCE, text) == ["-      cidr: 10.0.0.0/24", "+      cidr: 10.9.0.0/24"]


def test_an_added_setting_is_one_more_line() -> None:
    text = edited(("cidr: 10.0.0.0/24", "cidr: 10.0.0.0/24\n        enable_dhcp: false")).text
    assert changed_lines(SOURCE, text) == ["+      enable_dhcp: false"]


def test_an_entry_in_brackets_is_exchanged_as_a_whole() -> None:
    text = edited(("default: '0123'", "default: other")).text
    changed = changed_lines(SOURCE, text)
    assert changed[0] == '-  image:    {type: string, default: "0123"}   # kept as text'
    assert all(line.startswith("+") for line in changed[1:])
    assert "# kept as text" in text


def test_windows_line_ends_stay() -> None:
    source = SOURCE.replace("\n", "\r\n")
    text = edited(("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24"), source=source).text
    assert text == source.replace("10.0.0.0/24", "10.9.0.0/24")


def test_a_deleted_entry_leaves_no_gap() -> None:
    text, record = convert(SOURCE).text.split("\nmetadata:\n")
    begin, end = text.index("  db:\n"), text.index("\noutputs:")
    result = convert(f"{text[:begin]}{text[end:]}\nmetadata:\n{record}", "cloudify", "hot")
    assert "\n\n\n" not in result.text
    assert all(line.startswith("-") for line in changed_lines(SOURCE, result.text))


def test_anchors_of_others_stay() -> None:
    source = BLUEPRINT.replace("inputs:\n", "dsl_definitions:\n  config: &config {auth_url: a}\n\ninputs:\n").replace(
        "properties: {resource_config: {name: {get_input: name}}}",
        "properties:\n      client_config: *config\n      resource_config: {name: {get_input: name}}",
    )
    text = convert(source, "cloudify", "hot").text
    result = convert(text.replace("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24", 1))
    assert "client_config: *config" in result.text
    assert result.document["node_templates"]["subnet"]["properties"]["resource_config"]["cidr"] == "10.9.0.0/24"


def test_a_generated_document_comes_back_too() -> None:
    """It goes to its source, which becomes the same document again."""
    assert roundtrip(convert(SOURCE).text).is_identical
    assert roundtrip(convert(BLUEPRINT, "cloudify", "hot").text).is_identical


def test_what_is_new_is_of_the_generation_of_the_plugin_that_the_blueprint_has() -> None:
    source = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, http://www.getcloudify.org/spec/openstack-plugin/2.14.8/plugin.yaml]
node_templates:
  net: {type: cloudify.openstack.nodes.Network, properties: {network: {name: a}}}
  web: {type: cloudify.openstack.nodes.Server, properties: {server: {image: i, flavor: f}}}
"""
    generated = convert(source, "cloudify", "hot").text
    edited = generated.replace("flavor: f\n", "flavor: big\n      key_name: mine\n")
    assert edited != generated
    back = convert(edited, "hot", "cloudify").document["node_templates"]
    assert back["web"]["type"] == "cloudify.openstack.nodes.Server"
    assert back["web"]["properties"] == {"server": {"image": "i", "flavor": "big", "key_name": "mine"}}
    assert back["net"] == {"type": "cloudify.openstack.nodes.Network", "properties": {"network": {"name": "a"}}}


SOFTWARE = """\
heat_template_version: 2018-08-31
resources:
  web:
    type: OS::Nova::Server
    properties: {flavor: m1, image: i, networks: [], user_data_format: SOFTWARE_CONFIG}
  file:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: {get_file: run.sh}}
  first:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: file}, server: {get_resource: web}}
  text:
    type: OS::Heat::SoftwareConfig
    properties:
      group: script
      config: |
        #!/bin/sh
        echo two
  second:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: text}, server: {get_resource: web}}
"""


def test_edited_files_of_the_bundle_go_back_edited(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(SOFTWARE)
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho one\n")
    there = convert(tmp_path / "t.yaml")
    (generated,) = (name for name in there.files if name != "run.sh")
    files = {"run.sh": "#!/bin/sh\necho 1\n", generated: "#!/bin/sh\necho 2\n"}
    back = convert(there.text.encode(), "cloudify", "hot", beside=files)
    assert back.text == SOFTWARE.replace("echo two", "echo 2")
    assert back.files["run.sh"] == files["run.sh"]
    assert not back.kept_files
    assert [found.code for found in back.diagnostics if found.code[:5] == "BPC62"] == ["BPC626", "BPC626"]


def test_files_that_were_not_edited_or_are_not_there_go_back_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(SOFTWARE)
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho one\n")
    there = convert(tmp_path / "t.yaml")
    for files in (there.files, {}):
        back = convert(there.text.encode(), "cloudify", "hot", beside=files)
        assert (back.text, back.files, back.diagnostics) == (SOFTWARE, {"run.sh": "#!/bin/sh\necho one\n"}, [])


def test_an_edit_of_given_values_is_reported(tmp_path: Path) -> None:
    there = convert("heat_template_version: 2018-08-31\noutputs: {o: {value: x}}\nresources:\n"
                    "  net: {type: OS::Neutron::Net, properties: {name: ü}}\n", asked="data")  # fmt: skip
    ((name, text),) = there.files.items()
    back = convert(there.text.encode(), "cloudify", "hot", beside={name: text.replace("ü", "ö")})
    assert [found.code for found in back.diagnostics] == ["BPC627"]
    assert "name: ü" in back.text


def test_what_names_a_deleted_node_is_reported() -> None:
    source = (
        "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n"
        "  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
    )
    text = convert(source).text
    start, end = text.index("  net:\n"), text.index("  sub:\n")
    back = convert(text[:start] + text[end:], "cloudify", "hot")
    assert [found.code for found in back.diagnostics] == ["BPC625", "BPC621"]
    assert back.diagnostics[0].message == "resources.sub.properties.network names 'net', which the edit took away"


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
@pytest.mark.parametrize("is_read", [True, False])
def test_files_above_the_folder_that_the_source_names_are_reported(target: str, is_read: bool, tmp_path: Path) -> None:
    """A result has files below its own folder alone, so that these are not beside what comes back."""
    source = tmp_path / "app" / "source" / "hot.yaml"
    source.parent.mkdir(parents=True)
    (tmp_path / "app" / "run.sh").write_text("#!/bin/sh\necho run\n")
    source.write_text(
        "heat_template_version: 2018-08-31\nresources:\n  s:\n    type: OS::Nova::Server\n    properties:\n"
        "      {image: i, flavor: f, networks: [{network: n}], user_data: {get_file: ../run.sh}}\n"
    )
    made = convert(source, "hot", target, allow_outside=is_read)
    (tmp_path / "made").mkdir()
    made.write(tmp_path / "made" / "result.yaml")
    for text in (made.text, made.text.replace("flavor: f", "flavor: g")):
        (tmp_path / "made" / "result.yaml").write_text(text)
        back = convert(tmp_path / "made" / "result.yaml", target, "hot")
        assert "get_file: ../run.sh" in back.text
        assert [row.message for row in back.diagnostics if row.code == "BPC269"] == [
            "'../run.sh', which what comes back names, is outside of its folder and is not written"
        ]
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho run\n")
    back = convert(tmp_path / "made" / "result.yaml", target, "hot", allow_outside=True)
    assert "BPC269" not in {row.code for row in back.diagnostics}
