"""URLs in documents that are read from a checkout (``--map URL=DIR``)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert import check, convert, graph, roundtrip, verify
from bpconvert.diagnostics import UsageError
from bpconvert.options import Options
from bpconvert.urls import Maps, is_url, place_of, sibling

SITE = "https://templates.example.com/common"
HOT = "heat_template_version: 2018-08-31\n"
OUTER = HOT + (
    "resources:\n"
    "  lan:\n"
    f"    type: {SITE}/net/lan.yaml  # the one of the site\n"
    "    properties: {name: blue}\n"
    "  web:\n"
    "    type: OS::Nova::Server\n"
    "    properties: {flavor: m1, image: i, networks: [{network: {get_attr: [lan, net]}}], user_data_format: RAW,\n"
    f"      user_data: {{get_file: {SITE}/run.sh}}}}\n"
)
LAN = HOT + (
    "parameters: {name: {type: string}}\n"
    "resources:\n"
    "  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}\n"
    "  probe: {type: probe.yaml}\n"
    "outputs: {net: {value: {get_resource: net}}}\n"
)
PROBE = HOT + (
    "resources:\n"
    "  box:\n    type: OS::Nova::Server\n"
    "    properties: {flavor: m1, image: i, networks: [], user_data_format: RAW, user_data: {get_file: ../probe.sh}}\n"
)
BLUEPRINT = (
    "tosca_definitions_version: cloudify_dsl_1_3\n"
    f"imports: [cloudify/types/types.yaml, {SITE}/types.yaml]\n"
    "node_templates:\n  web: {type: site.Web}\n"
)
TYPES = "imports: [more/volume.yaml]\nnode_types:\n  site.Web:\n    derived_from: site.Volume\n"
VOLUME = "node_types:\n  site.Volume:\n    derived_from: cloudify.nodes.Root\n    properties: {size: {default: 7}}\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of what the URLs name."""
    files = {
        "net/lan.yaml": LAN, "net/probe.yaml": PROBE, "probe.sh": "#!/bin/sh\nprobe\n", "run.sh": "#!/bin/sh\nrun\n",
        "types.yaml": TYPES, "more/volume.yaml": VOLUME,
    }  # fmt: skip
    for name, text in files.items():
        place = tmp_path / "checkout" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path / "checkout"


def written(folder: Path, text: str, name: str = "app.yaml") -> Path:
    place = folder / "templates" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(text)
    return place


def maps(checkout: Path) -> dict[str, Any]:
    return {"maps": ((SITE, str(checkout)),)}


def codes(found: Any) -> set[str]:
    return {one.code for one in found}


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_nested_templates_and_files_are_read(tmp_path: Path, checkout: Path, target: str) -> None:
    place = written(tmp_path, OUTER)
    made = convert(place, target=target, **maps(checkout))
    assert not codes(made.diagnostics) & {"BPC654", "BPC610", "BPC611", "BPC655"}
    inner = {"templates.example.com/common/net/lan.yaml", "templates.example.com/common/net/probe.yaml"}
    assert inner <= made.files.keys()
    assert "templates.example.com/common/net/lan.yaml" in made.text
    assert "run\n" in made.text
    assert "probe\n" in made.files["templates.example.com/common/net/probe.yaml"]
    assert checkout / "probe.sh" in made.read


@pytest.mark.parametrize("via", ["cloudify", "tosca"])
def test_the_reference_comes_back_as_a_url(tmp_path: Path, checkout: Path, via: str) -> None:
    place = written(tmp_path, OUTER)
    trip = roundtrip(place, via, **maps(checkout))
    assert trip.back.text == OUTER
    assert trip.nested["templates.example.com/common/net/lan.yaml"] == LAN
    assert trip.is_identical
    there = convert(place, target=via, **maps(checkout))
    back = convert(there.text.encode(), via, "hot", name="blueprint.yaml", beside=there.files)  # without the checkout
    assert back.text == OUTER
    assert codes(back.diagnostics) <= codes(trip.back.diagnostics)


def test_a_copy_of_the_file_lies_in_a_folder_called_as_the_host(tmp_path: Path, checkout: Path) -> None:
    made = convert(written(tmp_path, OUTER), files="copy", **maps(checkout))
    assert made.files["templates.example.com/common/run.sh"] == "#!/bin/sh\nrun\n"
    assert made.files["templates.example.com/common/probe.sh"] == "#!/bin/sh\nprobe\n"
    back = convert(made.text.encode(), target="hot", name="b.yaml", beside=made.files)
    assert back.text == OUTER


def test_an_edit_of_a_nested_result_is_reported_to_be_behind_a_url(tmp_path: Path, checkout: Path) -> None:
    made = convert(written(tmp_path, OUTER), **maps(checkout))
    name = "templates.example.com/common/net/lan.yaml"
    text = made.files[name].replace("net:\n    type", "net2:\n    type").replace("[net,", "[net2,")
    edited = {**made.files, name: text}
    back = convert(made.text.encode(), target="hot", name="b.yaml", beside=edited)
    found = [one for one in back.diagnostics if one.code == "BPC656"]
    assert [(one.path, f"'{name}'" in one.message) for one in found] == [(("metadata",), True)]
    assert f"type: {SITE}/net/lan.yaml" in back.text
    assert "net2" in back.files[name]


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_imports_are_read(tmp_path: Path, checkout: Path, target: str) -> None:
    place = written(tmp_path, BLUEPRINT)
    without = convert(place, target=target)
    assert "BPC141" in codes(without.diagnostics)
    made = convert(place, target=target, **maps(checkout))
    assert "BPC141" not in codes(made.diagnostics)
    assert "size" in made.text
    assert convert(made.text.encode(), target="cloudify").text == BLUEPRINT


def test_imports_of_service_templates_are_read(tmp_path: Path, checkout: Path) -> None:
    text = (
        "tosca_definitions_version: tosca_simple_yaml_1_3\n"
        f"imports: [{{file: defs.yaml, repository: site}}]\nrepositories: {{site: {{url: '{SITE}/tosca'}}}}\n"
        "topology_template:\n  node_templates:\n    a: {type: my.Server}\n"
    )
    (checkout / "tosca").mkdir()
    (checkout / "tosca/defs.yaml").write_text(
        "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [{file: base.yaml}]\n"
        "node_types:\n  my.Server: {derived_from: my.Base}\n"
    )
    (checkout / "tosca/base.yaml").write_text(
        "tosca_definitions_version: tosca_simple_yaml_1_3\n"
        "node_types:\n  my.Base: {derived_from: tosca.nodes.Compute}\n"
    )
    place = written(tmp_path, text)
    assert "BPC852" in codes(convert(place, target="hot").diagnostics)
    made = convert(place, target="hot", **maps(checkout))
    assert "BPC852" not in codes(made.diagnostics)
    assert "OS::Nova::Server" in made.text
    assert convert(made.text.encode(), target="tosca").text == text


def test_a_type_of_an_environment_can_be_a_url(tmp_path: Path, checkout: Path) -> None:
    place = written(tmp_path, HOT + "resources:\n  lan: {type: My::Lan, properties: {name: a}}\n")
    environment = written(tmp_path, f"resource_registry: {{'My::Lan': '{SITE}/net/lan.yaml'}}\n", "env.yaml")
    without = convert(place, environments=(str(environment),))
    assert "BPC654" in codes(without.diagnostics)
    made = convert(place, environments=(str(environment),), **maps(checkout))
    assert "templates.example.com/common/net/lan.yaml" in made.files


def test_what_an_environment_maps_to_a_local_file_is_that_file_in_a_mapped_template(
    tmp_path: Path, checkout: Path
) -> None:
    (checkout / "net/lan.yaml").write_text(LAN.replace("type: probe.yaml", "type: My::Probe"))
    written(tmp_path, HOT + "resources: {own: {type: OS::Neutron::Net}}\n", "own.yaml")
    environment = written(tmp_path, "resource_registry: {'My::Probe': own.yaml}\n", "env.yaml")
    made = convert(written(tmp_path, OUTER), environments=(str(environment),), **maps(checkout))
    assert made.nested["own.yaml"] == "own.yaml"


def test_a_file_that_is_not_in_the_checkout_is_reported_with_its_place(tmp_path: Path, checkout: Path) -> None:
    (checkout / "run.sh").unlink()
    (checkout / "net/lan.yaml").unlink()
    made = convert(written(tmp_path, OUTER), **maps(checkout))
    found = [one for one in made.diagnostics if one.code == "BPC655"]
    assert any(f"{SITE}/run.sh" in one.message and str(checkout / "run.sh") in one.message for one in found)
    assert any(str(checkout / "net/lan.yaml") in one.message for one in found)


def test_a_url_that_nothing_maps_is_reported_with_the_option(tmp_path: Path) -> None:
    made = convert(written(tmp_path, OUTER))
    found = [one for one in made.diagnostics if one.code == "BPC654"]
    assert found
    assert all("--map URL=DIR" in one.hint for one in found)


@pytest.mark.parametrize("name", ["../outside.sh", "%2e%2e/outside.sh", "link.sh", "a/../../outside.sh"])
def test_nothing_outside_of_the_checkout_is_read(tmp_path: Path, checkout: Path, name: str) -> None:
    (tmp_path / "outside.sh").write_text("secret-text")
    (checkout / "link.sh").symlink_to(tmp_path / "outside.sh")
    made = convert(written(tmp_path, OUTER.replace("/run.sh", f"/{name}")), **maps(checkout))
    assert "secret-text" not in made.text
    assert codes(made.diagnostics) & {"BPC611", "BPC654"}


def test_a_mapped_template_does_not_read_beside_the_outer_one(tmp_path: Path, checkout: Path) -> None:
    written(tmp_path, "secret-text", "own.sh")
    (checkout / "net/probe.yaml").write_text(PROBE.replace("../probe.sh", "../../../own.sh"))
    made = convert(written(tmp_path, OUTER), **maps(checkout))
    assert not any("secret-text" in text for text in [made.text, *made.files.values()])
    assert "BPC654" in codes(made.diagnostics)


def test_the_longest_url_counts_and_only_whole_names(tmp_path: Path, checkout: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "run.sh").write_text("#!/bin/sh\nother\n")
    urls = {"a": f"{SITE}/net/run.sh", "b": f"{SITE}2/run.sh", "c": f"{SITE.replace('.com', '.COM')}/run.sh?raw=1"}
    outputs = "".join(f"  {name}: {{value: {{get_file: '{url}'}}}}\n" for name, url in urls.items())
    text = f"{HOT}outputs:\n{outputs}"
    made = convert(written(tmp_path, text), maps=((SITE, str(checkout)), (f"{SITE}/net/", str(other))))
    values = {name: one["value"] for name, one in made.document["outputs"].items()}
    assert values["a"] == "#!/bin/sh\nother\n"
    assert values["c"] == "#!/bin/sh\nrun\n"
    assert "BPC654" in codes(made.diagnostics)


def test_two_files_that_would_have_one_place_are_an_error(tmp_path: Path, checkout: Path) -> None:
    own = tmp_path / "templates/templates.example.com/common/net"
    own.mkdir(parents=True)
    (own / "lan.yaml").write_text(LAN.replace("OS::Neutron::Net", "OS::Neutron::QoSPolicy"))
    text = OUTER + "  own: {type: templates.example.com/common/net/lan.yaml, properties: {name: a}}\n"
    made = convert(written(tmp_path, text), **maps(checkout))
    assert [one.path[1] for one in made.diagnostics if one.code == "BPC657"] == ["own"]


def test_each_of_two_programs_with_one_place_is_kept(tmp_path: Path, checkout: Path) -> None:
    programs = {"create": "#!/bin/sh\nfirst\n", "start": "#!/bin/sh\nsecond\n"}
    for name, program in zip(("a_b.sh", "a;b.sh"), programs.values(), strict=True):
        (checkout / name).write_text(program)
    text = (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
        "node_templates:\n  vm: {type: cloudify.nodes.Compute}\n  app:\n    type: cloudify.nodes.SoftwareComponent\n"
        "    relationships: [{type: cloudify.relationships.contained_in, target: vm}]\n"
        "    interfaces:\n      cloudify.interfaces.lifecycle:\n"
        f"        create: {SITE}/a_b.sh\n        start: {SITE}/a%3bb.sh\n"
    )
    made = convert(written(tmp_path, text), target="tosca", **maps(checkout))
    node = yaml.safe_load(made.text)["topology_template"]["node_templates"]["app"]
    operations = node["interfaces"]["Standard"]["operations"]
    assert {step: made.files[one["implementation"]] for step, one in operations.items()} == programs


def test_the_other_functions_read_them_too(tmp_path: Path, checkout: Path) -> None:
    place = written(tmp_path, OUTER)
    (checkout / "run.sh").unlink()
    assert "BPC179" in codes(check(place, **maps(checkout)))
    assert "BPC179" not in codes(check(place))
    assert "probe" in graph(place, **maps(checkout)).text("mermaid")
    (checkout / "run.sh").write_text("#!/bin/sh\nrun\n")
    made = convert(place, **maps(checkout))
    target = tmp_path / "made/app.yaml"
    made.write(target)
    same = verify(place, target, options=Options(**maps(checkout)))
    assert same.is_same
    (target.parent / "templates.example.com/common/net/probe.yaml").write_text(
        made.files["templates.example.com/common/net/probe.yaml"].replace("probe\n", "other\n", 1)
    )
    assert not verify(place, target, options=Options(**maps(checkout))).is_same


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("templates", "'templates' is no URL"),
        ("file:///x", "'file:///x' is no URL"),
        ("://x", "'://x' is no URL"),
        ("https://[x", "is no URL"),
        (f"{SITE}?h=master", f"{SITE}?h=master: a URL without '?' and '#' is expected"),
        (f"{SITE}#top", f"{SITE}#top: a URL without '?'"),
    ],
)
def test_what_is_no_url_of_a_folder_is_refused(tmp_path: Path, url: str, problem: str) -> None:
    with pytest.raises(UsageError, match="maps: .*" + re.escape(problem)):
        convert(OUTER, maps=((url, str(tmp_path)),))


def test_a_checkout_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="maps: no directory"):
        convert(OUTER, maps=((SITE, str(tmp_path / "none")),))


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (f"{SITE}/a/../run.sh?raw=1#x", "templates.example.com/common/run.sh"),
        ("https://user:pw@Host:8443/a%20b/.git/x.yaml", "host_8443/a b/_.git/x.yaml"),
        ("https://../../x", "_../x"),
        ("https:///etc/x", "_/etc/x"),
        ("https://h/%2e%2e/%2e%2e/x%5c..%5cy", "h/x_.._y"),
    ],
)
def test_the_place_of_a_file_stays_below_the_result(url: str, place: str) -> None:
    assert place_of(url) == place


@pytest.mark.parametrize("name", ["https://[x", "https://[x/run.sh", "https://h]/run.sh"])
def test_what_is_nearly_a_url_is_nothing_that_is_read(tmp_path: Path, checkout: Path, name: str) -> None:
    assert not is_url(name)
    assert Maps([(SITE, checkout)]).find(name) is None
    made = convert(written(tmp_path, OUTER.replace(f"{SITE}/run.sh", f"'{name}'")), **maps(checkout))
    assert codes(made.diagnostics) & {"BPC610", "BPC611", "BPC654"}


def test_names_and_urls_beside_a_document() -> None:
    assert sibling(f"{SITE}/net/lan.yaml", "../run.sh") == f"{SITE}/run.sh"
    assert sibling("a/b.yaml", f"{SITE}/run.sh") == f"{SITE}/run.sh"
    assert sibling("a/b.yaml", "../c/./d.yaml") == "c/d.yaml"
    assert is_url("HTTPS://h/x")
    assert not is_url("FILE:///x")


def test_two_files_that_have_one_place_and_one_text_are_one(tmp_path: Path, checkout: Path) -> None:
    own = tmp_path / "templates/templates.example.com/common/net"
    own.mkdir(parents=True)
    (own / "lan.yaml").write_text(LAN)
    text = OUTER + "  own: {type: templates.example.com/common/net/lan.yaml, properties: {name: a}}\n"
    made = convert(written(tmp_path, text), **maps(checkout))
    assert "BPC657" not in codes(made.diagnostics)
    assert [name for name in made.files if name.endswith("lan.yaml")] == ["templates.example.com/common/net/lan.yaml"]
