"""Comparing what documents nest: pairs of nested documents under the values that their components hand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import Verification, verify

PARENT = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 2}
resources:
  disk:
    type: lib/disk.yaml
    properties: {size: {get_param: size}, label: [a, b], count: '4'}
  user:
    type: OS::Nova::Server
    properties: {image: cirros, flavor: small, metadata: {disk: {get_attr: [disk, title]}}}
outputs:
  title: {value: {get_attr: [disk, title]}}
"""
DISK = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number}
  label: {type: comma_delimited_list}
  count: {type: number, default: 3}
  kind: {type: string, default: fast}
resources:
  volume:
    type: OS::Cinder::Volume
    properties: {size: {get_param: size}, name: {list_join: ['-', {get_param: label}]}, description: {get_param: kind}}
outputs:
  title: {value: {str_replace: {template: disk-N, params: {N: {get_param: count}}}}}
  id: {value: {get_resource: volume}}
"""


def written(folder: Path, files: dict[str, str]) -> Path:
    """The first of ``files``, all of them written."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / next(iter(files))


def both(tmp_path: Path, files: dict[str, str], target: str = "cloudify") -> tuple[Path, Path, Path]:
    """A document, what it is converted to, and the folder of that."""
    source = written(tmp_path / "source", files)
    made = convert(source, {"cloudify": "hot", "hot": "cloudify"}[target], target, carry=False)
    folder = tmp_path / "made"
    return source, written(folder, {f"{target}.yaml": made.text, **made.files}), folder


def compared(source: Path, target: Path, to: str = "cloudify") -> Verification:
    """The documents, with what the conversion says."""
    told = convert(source, {"cloudify": "hot", "hot": "cloudify"}[to], to, carry=False).diagnostics
    return verify(source, target, reported=told)


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text, text
    file.write_text(text.replace(old, new))


def names(found: Verification) -> list[str]:
    return [one.what for one in found.differences]


HOT = {"app.yaml": PARENT, "lib/disk.yaml": DISK}


def test_a_converted_document_nests_the_same(tmp_path: Path) -> None:
    source, target, _ = both(tmp_path, HOT)
    found = compared(source, target)
    assert found.is_same
    assert not found.notes
    assert found.compared > verify(source, target, draws=0).compared


def test_values_handed_on_are_those_that_the_nested_parameter_yields(tmp_path: Path) -> None:
    source, target, _ = both(tmp_path, HOT)
    changed(source, "count: '4'", "count: 4")
    assert compared(source, target).is_same
    changed(source, "count: 4", "count: 5")
    assert set(names(compared(source, target))) >= {"disk.count"}


def test_a_value_that_differs_in_a_nested_file_is_found_with_its_place(tmp_path: Path) -> None:
    source, target, folder = both(tmp_path, HOT)
    changed(folder / "lib/disk.yaml", "default: fast", "default: slow")
    (one,) = compared(source, target).differences
    assert (one.what, one.first, one.second, one.codes) == ("disk/volume.description", "fast", "slow", ())
    assert one.first_place.file == str(source.parent / "lib/disk.yaml")
    assert one.second_place.file == str(folder / "lib/disk.yaml")
    assert DISK.splitlines()[one.first_place.line - 1].lstrip().startswith("properties: {size")


def test_a_default_is_the_same_as_that_value_handed_on(tmp_path: Path) -> None:
    source, target, _ = both(tmp_path, HOT)
    changed(source, "count: '4'", "count: '4', kind: fast")
    assert compared(source, target).is_same
    changed(source, "kind: fast", "kind: slow")
    assert set(names(compared(source, target))) == {"disk.kind", "disk/volume.description"}


def test_what_both_nested_documents_publish_is_the_attribute(tmp_path: Path) -> None:
    source, target, folder = both(tmp_path, HOT)
    changed(target, "get_attribute: [disk, capabilities, title]", "concat: [disk-, '4']")
    assert compared(source, target).is_same
    changed(folder / "lib/disk.yaml", "disk-", "other-")
    assert "disk/outputs.title" in names(compared(source, target))


def test_a_nested_document_that_only_one_has_is_a_difference(tmp_path: Path) -> None:
    source, target, folder = both(tmp_path, HOT)
    (folder / "lib/disk.yaml").unlink()
    found = compared(source, target)
    assert "disk.nested document" in names(found)
    assert "what 'disk' nests is not compared: 'lib/disk.yaml' is not beside it" in found.notes[0]


def test_a_nested_document_that_neither_has_is_a_note(tmp_path: Path) -> None:
    source = written(tmp_path, {"app.yaml": PARENT})
    found = verify(source, source)
    assert found.is_same
    assert "is not beside it" in found.notes[0]


def test_documents_of_one_language(tmp_path: Path) -> None:
    first = written(tmp_path / "first", HOT)
    second = written(tmp_path / "second", HOT)
    assert verify(first, second).is_same
    changed(second.parent / "lib/disk.yaml", "disk-N", "volume-N")
    assert names(verify(first, second)) == ["disk/outputs.title"]


def test_deeper_documents_have_the_names_of_all_components(tmp_path: Path) -> None:
    middle = DISK.replace("OS::Cinder::Volume", "inner.yaml").replace(
        "{size: {get_param: size}, name: {list_join: ['-', {get_param: label}]}, description: {get_param: kind}}",
        "{size: {get_param: size}}",
    )
    inner = "heat_template_version: 2018-08-31\nparameters: {size: {type: number}}\nresources:\n" + (
        "  volume: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, name: deep}}\n"
    )
    source, target, folder = both(tmp_path, {**HOT, "lib/disk.yaml": middle, "lib/inner.yaml": inner})
    assert compared(source, target).is_same
    changed(folder / "lib/inner.yaml", "deep", "flat")
    assert names(compared(source, target)) == ["disk/volume/volume.name"]


def test_a_document_that_nests_itself_ends(tmp_path: Path) -> None:
    own = "heat_template_version: 2018-08-31\nresources: {again: {type: app.yaml}}\n"
    source = written(tmp_path, {"app.yaml": own})
    found = verify(source, source, draws=0)
    assert found.is_same
    assert any("nested too deeply" in note for note in found.notes)


def test_each_pair_is_compared_once_for_the_same_values(tmp_path: Path) -> None:
    once = written(tmp_path, HOT)
    count = verify(once, once, draws=0).compared
    again = "  disk2: {type: lib/disk.yaml, properties: {size: 2, label: [a, b], count: 4}}\n  user:"
    more = PARENT.replace("  user:", again)
    twice = written(tmp_path / "more", {"app.yaml": more, "lib/disk.yaml": DISK})
    assert verify(twice, twice, draws=0).compared == count + 5  # the component and its values


def test_a_parameter_that_only_the_environment_can_give(tmp_path: Path) -> None:
    parent = PARENT.replace("label: [a, b], ", "")
    source, target, folder = both(tmp_path, {**HOT, "app.yaml": parent})
    assert "get_input: label" in target.read_text()
    assert compared(source, target).is_same
    changed(folder / "lib/disk.yaml", "default: fast", "default: slow")
    assert names(compared(source, target)) == ["disk/volume.description"]


def test_stacks_hand_on_their_parameters(tmp_path: Path) -> None:
    parent = PARENT.replace("type: lib/disk.yaml", "type: OS::Heat::Stack").replace(
        "{size: {get_param: size}, label: [a, b], count: '4'}",
        "{template: {get_file: lib/disk.yaml}, timeout: 5,"
        " parameters: {size: {get_param: size}, label: 'a,b', count: 4}}",
    )
    parent = parent.replace("get_attr: [disk, title]", "get_attr: [disk, outputs, title]")
    source, target, folder = both(tmp_path, {**HOT, "app.yaml": parent})
    assert compared(source, target).is_same
    changed(target, "300", "600")
    assert names(compared(source, target)) == ["disk.time limit"]
    changed(folder / "lib/disk.yaml", "default: fast", "default: slow")
    assert names(compared(source, target)) == ["disk.time limit", "disk/volume.description"]


def test_types_of_an_environment(tmp_path: Path) -> None:
    from bpconvert.options import Options

    source = written(tmp_path, {**HOT, "app.yaml": PARENT.replace("type: lib/disk.yaml", "type: My::Disk")})
    written(tmp_path, {"env.yaml": "resource_registry: {My::Disk: lib/disk.yaml}\n"})
    other = written(tmp_path / "other", {**HOT, "lib/disk.yaml": DISK.replace("default: fast", "default: slow")})
    options = Options(environments=(str(tmp_path / "env.yaml"),))
    assert names(verify(source, other, options=options)) == ["disk/volume.description"]


BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs:
  size: {type: integer, default: 2}
node_templates:
  disk:
    type: cloudify.nodes.Component
    properties:
      resource_config:
        blueprint: {main_file_name: lib/disk.yaml}
        deployment: {inputs: {size: {get_input: size}}}
outputs:
  title: {value: {get_attribute: [disk, capabilities, title]}}
"""
INNER = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs:
  size: {type: integer}
  kind: {type: string, default: fast}
node_templates:
  volume:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: {get_input: size}, name: inner, description: {get_input: kind}}}
capabilities:
  title: {value: {concat: [disk-, {get_input: kind}]}}
"""


@pytest.mark.parametrize(("old", "what"), [("default: fast", "disk/volume.description"), ("inner", "disk/volume.name")])
def test_components_become_nested_templates(tmp_path: Path, old: str, what: str) -> None:
    source, target, folder = both(tmp_path, {"blueprint.yaml": BLUEPRINT, "lib/disk.yaml": INNER}, "hot")
    assert compared(source, target, "hot").is_same
    changed(folder / "lib/disk.yaml", old, old.replace("fast", "slow").replace("inner", "outer"))
    assert what in names(compared(source, target, "hot"))


SCALED = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs:
  flavor: {type: string, default: small}
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
  worker:
    type: cloudify.nodes.openstack.Server
    properties: {image: cirros, flavor: {get_input: flavor}, resource_config: {metadata: {kind: inner}}}
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_port, target: port}]
groups: {workers: {members: [port, worker]}}
policies:
  scale: {type: cloudify.policies.scaling, targets: [workers], properties: {default_instances: 2}}
"""


def test_groups_of_nodes_become_repeated_templates(tmp_path: Path) -> None:
    source, target, folder = both(tmp_path, {"blueprint.yaml": SCALED}, "hot")
    assert (folder / "blueprint.workers.yaml").exists()
    assert compared(source, target, "hot").is_same
    changed(folder / "blueprint.workers.yaml", "kind: inner", "kind: outer")
    found = {one.what: one for one in compared(source, target, "hot").differences}
    assert set(found) == {"worker.0.metadata.kind", "worker.1.metadata.kind"}
    one = found["worker.1.metadata.kind"]
    assert (one.first, one.second, one.second_place.file) == ("inner", "outer", str(folder / "blueprint.workers.yaml"))


def test_the_number_of_instances_and_what_is_handed_on_to_them(tmp_path: Path) -> None:
    source, target, _ = both(tmp_path, {"blueprint.yaml": SCALED}, "hot")
    changed(target, "flavor: {get_param: flavor}", "flavor: large")
    assert set(names(compared(source, target, "hot"))) == {"worker.0.flavor", "worker.1.flavor"}
    changed(target, "count: 2", "count: 3")
    assert set(names(compared(source, target, "hot"))) >= {"worker.2", "port.2"}


REPEATED = """\
heat_template_version: 2018-08-31
resources:
  disks:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: lib/disk.yaml, properties: {size: 1, label: [a]}}
outputs:
  titles: {value: {get_attr: [disks, title]}}
"""


def test_what_all_members_of_a_group_publish(tmp_path: Path) -> None:
    source, target, folder = both(tmp_path, {"a.yaml": REPEATED, "lib/disk.yaml": DISK})
    assert "get_attributes_list: [disks, capabilities, title]" in target.read_text()
    assert compared(source, target).is_same
    changed(folder / "lib" / "disk.yaml", "disk-", "risk-")
    assert names(compared(source, target)) == ["disks.0/outputs.title"]
