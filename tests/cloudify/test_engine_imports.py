"""What the Cloudify engine gets for the imports of a blueprint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.files import Files
from bpconvert.translators.cloudify.comparing.engine import engine_imports, library_of

CORE = "cloudify/types/types.yaml"
PLUGIN = "plugin:cloudify-openstack-plugin"


def imports(text: str, folder: Path | None = None) -> dict[str, Any]:
    """The definitions by import."""
    found = engine_imports(yaml.safe_load(text), Files(folder))
    return {name: json.loads(definitions) for name, definitions in found.items()}


@pytest.mark.parametrize(
    ("name", "library"),
    [
        (CORE, "core"),
        ("http://www.getcloudify.org/spec/cloudify/4.5.5/types.yaml", "core"),
        (PLUGIN, "openstack"),
        (f"{PLUGIN}?version= >=3.2.2", "openstack"),
        ("http://www.getcloudify.org/spec/openstack-plugin/2.14.8/plugin.yaml", "openstack_2"),
        (f"{PLUGIN}?version=2.14.8", "openstack_2"),
        ("https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/3.2.7/compat.yaml", "compat"),
        ("plugin:cloudify-utilities-plugin?version= >=1.25", "utilities"),
        ("http://www.getcloudify.org/spec/utilities-plugin/1.18.0/plugin.yaml", "utilities"),
        ("plugin:cloudify-aws-plugin", ""),
        ("types.yaml", ""),
    ],
)
def test_libraries(name: str, library: str) -> None:
    assert library_of(name) == library


def test_only_known_imports_are_in_it() -> None:
    found = imports(f"imports: [{CORE}, 'ns--{PLUGIN}', 'plugin:cloudify-aws-plugin', other.yaml]")
    assert list(found) == [CORE, PLUGIN]


def test_what_a_type_needs_comes_with_it() -> None:
    found = imports(f"imports: [{CORE}, {PLUGIN}]\nnode_templates: {{a: {{type: cloudify.nodes.openstack.Server}}}}")
    plugin = found[PLUGIN]
    server = plugin["node_types"]["cloudify.nodes.openstack.Server"]
    assert server["derived_from"] in found[CORE]["node_types"]
    assert server["properties"]["client_config"]["type"] in plugin["data_types"]
    assert "cloudify.nodes.openstack.Port" not in plugin["node_types"]
    assert plugin["plugins"]["openstack"]["executor"] == "central_deployment_agent"
    assert found[CORE]["plugins"]["script"]["executor"] == "host_agent"


def test_ancestors_in_another_library() -> None:
    found = imports(
        f"imports: [{CORE}, {PLUGIN}]\nnode_templates: {{a: {{type: cloudify.openstack.nodes.FloatingIP}}}}"
    )
    assert "cloudify.openstack.nodes.FloatingIP" in found[PLUGIN]["node_types"]  # the manager may have plugin 2
    assert "cloudify.nodes.VirtualIP" in found[CORE]["node_types"]


def test_files_that_are_imported(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "app.yaml").write_text("imports: [more.yaml]\n")
    (tmp_path / "inc" / "more.yaml").write_text(
        f"imports: [{PLUGIN}]\nnode_types: {{my.Net: {{derived_from: cloudify.nodes.openstack.Network}}}}\n"
    )
    found = imports("imports: [x--inc/app.yaml]", tmp_path)
    assert "cloudify.nodes.openstack.Network" in found[PLUGIN]["node_types"]


def test_files_that_import_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("imports: [b.yaml]\n")
    (tmp_path / "b.yaml").write_text(f"imports: [a.yaml, {CORE}]\n")
    assert list(imports("imports: [a.yaml]", tmp_path)) == [CORE]


def test_types_of_values_that_the_version_lacks() -> None:
    name = "cloudify.datatypes.ComponentDeployment"
    text = f"imports: [{CORE}]\nnode_templates: {{a: {{type: cloudify.nodes.Component}}}}\ntosca_definitions_version: "
    old, new = (imports(f"{text}cloudify_dsl_{version}")[CORE] for version in ("1_3", "1_4"))
    assert old["data_types"][name]["properties"]["id"]["type"] == "string"
    assert new["data_types"][name]["properties"]["id"]["type"] == "deployment_id"


def test_types_of_policies() -> None:
    name = "cloudify.policies.types.threshold"
    found = imports(f"imports: [{CORE}]\ngroups: {{g: {{members: [a], policies: {{p: {{type: {name}}}}}}}}}")
    assert found[CORE]["policy_types"][name]["properties"]["threshold"] == {}


@pytest.mark.parametrize("text", ["", "[]", "5", "imports: 5", "imports: [5, {}, [a]]", "imports: [{a: b}]"])
def test_odd_documents(text: str) -> None:
    assert imports(text) == {}


def test_files_that_are_no_blueprints(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("{")
    (tmp_path / "b.yaml").write_text("[]")
    assert imports("imports: [a.yaml, b.yaml, ../../x.yaml]", tmp_path) == {}
