"""How blueprints are laid out, by the built-in template and by the user's own."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert import convert
from bpconvert import render as render_module
from bpconvert.diagnostics import BpconvertError
from bpconvert.render import LayoutError, spaced
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import Alias, Anchor

#: writes the calls of these functions on one line
render = partial(render_module.render, calls={"get_attribute", "get_input", "get_secret"})

BLUEPRINT: dict[str, Any] = {
    "tosca_definitions_version": "cloudify_dsl_1_4",
    "description": "Web server with a floating IP",
    "imports": ["cloudify/types/types.yaml", "plugin:cloudify-openstack-plugin"],
    "dsl_definitions": {"client_config": Anchor("client_config", {"auth_url": {"get_secret": "auth_url"}})},
    "inputs": {
        "image": {"type": "string", "description": "Name of the image", "default": "cirros"},
        "flavor": {"type": "string", "default": "m1.small"},
    },
    "metadata": {"bpconvert": {"source": "hot"}},
    "node_templates": {
        "server": {
            "type": "cloudify.nodes.openstack.Server",
            "properties": {"client_config": Alias("client_config"), "image": {"get_input": "image"}},
            "relationships": [
                {"type": "cloudify.relationships.openstack.server_connected_to_port", "target": "port"},
            ],
        },
        "port": {
            "type": "cloudify.nodes.openstack.Port",
            "properties": {"client_config": Alias("client_config")},
        },
    },
    "outputs": {"ip": {"description": "Address", "value": {"get_attribute": ["server", "ip"]}}},
}

TEXT = """\
tosca_definitions_version: cloudify_dsl_1_4

description: Web server with a floating IP

imports:
  - cloudify/types/types.yaml
  - plugin:cloudify-openstack-plugin

dsl_definitions:
  client_config: &client_config
    auth_url: {get_secret: auth_url}

inputs:
  image:
    type: string
    description: Name of the image
    default: cirros

  flavor:
    type: string
    default: m1.small

node_templates:

  server:
    type: cloudify.nodes.openstack.Server
    properties:
      client_config: *client_config
      image: {get_input: image}
    relationships:
      - type: cloudify.relationships.openstack.server_connected_to_port
        target: port

  port:
    type: cloudify.nodes.openstack.Port
    properties:
      client_config: *client_config

outputs:
  ip:
    description: Address
    value: {get_attribute: [server, ip]}

metadata:
  bpconvert:
    source: hot
"""


def test_layout() -> None:
    assert render("cloudify.yaml.j2", BLUEPRINT) == TEXT


def test_anchors_read_back_as_plain_data() -> None:
    config = {"auth_url": {"get_secret": "auth_url"}}
    read = load(render("cloudify.yaml.j2", BLUEPRINT), "blueprint.yaml").data
    assert read["dsl_definitions"] == {"client_config": config}
    assert read["node_templates"]["port"]["properties"] == {"client_config": config}
    assert read == yaml.safe_load(TEXT)


def test_small_and_empty_documents() -> None:
    assert render("cloudify.yaml.j2", {"tosca_definitions_version": "cloudify_dsl_1_3"}) == (
        "tosca_definitions_version: cloudify_dsl_1_3\n"
    )
    sections: dict[str, Any] = {"inputs": {}, "imports": [], "outputs": None, "data_types": {}, "metadata": {}}
    text = "inputs: {}\n\nimports: []\n\noutputs: null\n\ndata_types: {}\n\nmetadata: {}\n"
    assert render("cloudify.yaml.j2", sections) == text


def test_one_line_entries_stand_together() -> None:
    sections = {"resource_tags": {"a": "b", "c": {"get_input": "d"}}, "workflows": {"x": "p.x", "y z": "p.y"}}
    assert render("cloudify.yaml.j2", sections) == (
        "resource_tags:\n  a: b\n  c: {get_input: d}\n\nworkflows:\n  x: p.x\n  y z: p.y\n"
    )


def test_texts_that_end_in_blank_lines_are_not_changed() -> None:
    script = "#!/bin/sh\necho\n\n\n"
    nodes = {"node_templates": {name: {"properties": {"script": script}} for name in "abc"}}
    data = {"description": script, "imports": [script, script], "dsl_definitions": {"x": script}, **nodes}
    comments = {
        (): Comment((), None, ("# end of file",)),
        ("dsl_definitions",): Comment((), None, ("# end of section",)),
        ("node_templates", "b"): Comment(("", "# node", "", "# b"), None, ()),
        ("node_templates", "c"): Comment((), None, ("# after c",)),
    }
    for given in ({}, comments):
        text = render("cloudify.yaml.j2", data, comments=given)
        assert yaml.safe_load(text) == data
        assert load(text, "t").data == data
    assert [line for line in text.splitlines() if "#" in line and "#!" not in line] == [
        "  # end of section",
        "  # node",
        "  # b",
        "  # after c",
        "# end of file",
    ]


def test_spaced() -> None:
    assert spaced([]) == ""
    assert spaced(["", "a", "", "b\n", "c"]) == "a\n\nb\n\nc"


def test_comments() -> None:
    comments = {
        (): Comment(("# Licensed", "", "# to all"), None, ("# the end",)),
        ("tosca_definitions_version",): Comment((), "# version", ()),
        ("imports", 1): Comment(("# the cloud",), None, ()),
        ("inputs",): Comment(("# what to give",), "# all of it", ("# no more",)),
        ("inputs", "flavor"): Comment(("# the size",), "# small", ()),
        ("node_templates", "server", "relationships", 0, "target"): Comment((), "# the port", ()),
        ("outputs", "ip", "value", "get_attribute", 0): Comment((), "# who", ()),
    }
    text = render("cloudify.yaml.j2", BLUEPRINT, comments=comments)
    assert yaml.safe_load(text) == yaml.safe_load(TEXT)
    assert text.startswith(
        "# Licensed\n\n# to all\n\n"
        "tosca_definitions_version: cloudify_dsl_1_4  # version\n"
    )
    assert "  - cloudify/types/types.yaml\n  # the cloud\n  - plugin:" in text
    assert "\n\n# what to give\ninputs:  # all of it\n  image:\n" in text
    assert "    default: cirros\n\n  # the size\n  flavor:  # small\n" in text
    assert "    default: m1.small\n  # no more\n\nnode_templates:\n\n  server:" in text
    assert "        target: port  # the port\n" in text
    assert "    value:\n      get_attribute:\n        - server  # who\n        - ip\n" in text
    assert text.endswith("    source: hot\n\n# the end\n")


def test_layout_is_stable() -> None:
    comments = {
        ("inputs", "flavor"): Comment(("# the size",), "# small", ()),
        ("outputs",): Comment(("# out",), None, ()),
    }
    once = render("cloudify.yaml.j2", BLUEPRINT, comments=comments)
    document = load(once, "t")
    again = render("cloudify.yaml.j2", document.data, comments=document.comments)
    document = load(again, "t")
    assert render("cloudify.yaml.j2", document.data, comments=document.comments) == again
    assert document.comments == load(once, "t").comments


# -- the user's own templates ------------------------------------------------------------------------------


def _with(folder: Path, **templates: str) -> str:
    for name, text in templates.items():
        (folder / {"cloudify": "cloudify.yaml.j2"}.get(name, f"{name}.j2")).write_text(text, encoding="utf-8")
    return str(folder)


def test_own_template(tmp_path: Path) -> None:
    template = (
        "# {{ data['description'] | upper }}\n"
        "{{ entry('tosca_definitions_version', data['tosca_definitions_version']) }}\n"
        "{{ opening('outputs') }}\n"
        "{{ entries('outputs') | spaced }}\n"
        "x-flavor: {{ data['inputs']['flavor']['default'] | yaml }}\n"
        "x-list:\n"
        "{{ ['a', {'b': 1}] | yaml(indent=2) }}\n"
        "x:\n"
        "{{ entry('image', data['inputs']['image'], ['inputs', 'image'], indent=2) }}\n"
    )
    comments = {("inputs", "image", "type"): Comment((), "# note", ())}
    folder = _with(tmp_path, cloudify=template)
    assert render("cloudify.yaml.j2", BLUEPRINT, comments=comments, templates_dir=folder) == (
        "# WEB SERVER WITH A FLOATING IP\n"
        "tosca_definitions_version: cloudify_dsl_1_4\n"
        "outputs:\n"
        "  ip:\n"
        "    description: Address\n"
        "    value: {get_attribute: [server, ip]}\n"
        "x-flavor: m1.small\n"
        "x-list:\n"
        "  - a\n"
        "  - b: 1\n"
        "x:\n"
        "  image:\n"
        "    type: string  # note\n"
        "    description: Name of the image\n"
        "    default: cirros\n"
    )


def test_template_from_elsewhere(tmp_path: Path) -> None:
    """A language that is registered from outside brings its own, as a text or a file."""
    text = "{% import 'macros.j2' as macros %}{{ entry('a', data['a']) }}\n"
    assert render(text, {"a": 1}) == "a: 1\n"
    place = tmp_path / "own.j2"
    place.write_text(text, encoding="utf-8")
    assert render(place, {"a": 1}) == "a: 1\n"
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "own.j2").write_text("# {{ data['a'] }}\n", encoding="utf-8")
    assert render(place, {"a": 1}, templates_dir=str(folder)) == "# 1\n"


def test_own_macros(tmp_path: Path) -> None:
    macros = "{% macro section(name, airy) %}{{ opening(name) }}\n{{ entries(name) | join('\\n') }}{% endmacro %}"
    text = render("cloudify.yaml.j2", BLUEPRINT, templates_dir=_with(tmp_path, macros=macros))
    assert "node_templates:\n  server:\n" in text
    assert yaml.safe_load(text) == yaml.safe_load(TEXT)


def test_parts(tmp_path: Path) -> None:
    own = "{% include 'part.j2' %}{{ data | length }}"
    folder = _with(tmp_path, cloudify=own, part="# part\n")
    assert render("cloudify.yaml.j2", BLUEPRINT, templates_dir=folder) == "# part\n8"


FAILING = {
    "syntax": ("# one\n{% if %}", 2, "Expected an expression"),
    "undefined": ("# one\n\n{{ nothing.at.all }}", 3, "'nothing' is undefined"),
    "missing key": ("{{ data['nowhere'] }}", 1, "no attribute 'nowhere'"),
    "python": ("# one\n{{ 1 / 0 }}", 2, "division by zero"),
    "filter": ("\n{{ 1 | nothing }}", 2, "No filter named 'nothing'"),
    "include": ("\n\n{% include 'other.j2' %}", 3, "there is no template 'other.j2'"),
    "outside": ("{% include '../secret.j2' %}", 1, "there is no template '../secret.j2'"),
    "not data": ("{{ entry('a', range) }}", 1, "not plain data"),
    "internals": ("{{ ''.__class__.__mro__ }}", 1, "is unsafe"),
    "globals": ("{{ entry.__func__.__globals__ }}", 1, "is unsafe"),
    "changes": ("# one\n{{ data.update(x=1) }}", 2, "is unsafe"),
    "changes below": ("{{ data['imports'].append('x') }}", 1, "is unsafe"),
    "own error": ("{{ entries('nowhere') }}", 1, "nowhere"),
}


@pytest.mark.parametrize(("template", "line", "problem"), list(FAILING.values()), ids=FAILING)
def test_errors_name_the_line(tmp_path: Path, template: str, line: int, problem: str) -> None:
    (tmp_path / "secret.j2").write_text("secret", encoding="utf-8")
    folder = tmp_path / "own"
    folder.mkdir()
    with pytest.raises(LayoutError) as caught:
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=_with(folder, cloudify=template))
    found = caught.value.diagnostic
    assert (found.code, found.span.file, found.span.line) == ("BPC190", str(folder / "cloudify.yaml.j2"), line)
    assert problem in found.message
    assert isinstance(caught.value, BpconvertError)


ENDLESS = {
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "filtered loops": "{% for a in range(99999) %}{% for b in range(99999) if false %}{% endfor %}{% endfor %}",
    "macros": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
    "a text": "{{ ('x' * 10 ** 10) | length }}",
    "a width": "{{ '%0999999999999d' % 1 }}",
    "a number": "{{ 9 ** (9 ** 9) }}",
    "lists in lists": (
        "{% set ns = namespace(x=[1, 1]) %}{% for a in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}"
        "{{ (ns.x | string) | length }}"
    ),
    "output": "# {{ 'x' * 10 ** 7 }}",
}


@pytest.mark.skipif(sys.platform != "linux", reason="the system bounds no process")
@pytest.mark.parametrize("template", list(ENDLESS.values()), ids=ENDLESS)
def test_what_never_ends_is_given_up(tmp_path: Path, template: str) -> None:
    folder = _with(tmp_path, cloudify=template)
    with pytest.raises(LayoutError) as caught:
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=folder)
    assert caught.value.diagnostic.code == "BPC190"
    assert re.search(r"does not end within|needs more than|yields more than", caught.value.diagnostic.message)
    _with(tmp_path, cloudify="# done\n")
    assert render("cloudify.yaml.j2", BLUEPRINT, templates_dir=folder) == "# done\n"


def test_a_range_has_a_limit(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="Range too big"):
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=_with(tmp_path, cloudify="{{ range(10 ** 6) }}"))


@pytest.mark.parametrize("name", ["cloudify.yaml.j2", "part.j2"])
def test_a_link_that_leads_out_of_the_folder_is_no_template(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("# secret\n", encoding="utf-8")
    folder = tmp_path / "own"
    folder.mkdir()
    _with(folder, cloudify="{% include 'part.j2' %}", part="# part\n")
    assert render("cloudify.yaml.j2", BLUEPRINT, templates_dir=str(folder)) == "# part\n"
    (folder / name).unlink()
    (folder / name).symlink_to(tmp_path / "secret")
    with pytest.raises(LayoutError, match=f"'{name}' is a link that leads out of the folder"):
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=str(folder))
    (folder / "inner").write_text("# inner\n", encoding="utf-8")
    (folder / name).unlink()
    (folder / name).symlink_to(folder / "inner")
    assert render("cloudify.yaml.j2", BLUEPRINT, templates_dir=str(folder)) == "# inner\n"


def test_a_document_that_is_too_deep_for_a_layout(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LayoutError, match="cannot be handed to the layout: RecursionError"):
        render("cloudify.yaml.j2", {"inputs": deep}, templates_dir=_with(tmp_path, cloudify="# x"))


def test_errors_in_a_part_name_the_part(tmp_path: Path) -> None:
    folder = _with(tmp_path, cloudify="{% include 'part.j2' %}", part="\n{{ nothing }}")
    with pytest.raises(LayoutError, match=r"part\.j2:2:1: error BPC190 'nothing' is undefined"):
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=folder)


def test_folders_that_change_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="no such folder"):
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=str(tmp_path / "nowhere"))
    (tmp_path / "cloudify.j2").write_text("", encoding="utf-8")
    with pytest.raises(LayoutError, match=r"holds none of .*cloudify\.yaml\.j2"):
        render("cloudify.yaml.j2", BLUEPRINT, templates_dir=str(tmp_path))


def test_data_that_cannot_be_written_is_our_own_error() -> None:
    with pytest.raises(TypeError, match="not plain data"):
        render("cloudify.yaml.j2", {"inputs": object()})


def test_templates_by_name(tmp_path: Path) -> None:
    folder = _with(tmp_path, cloudify="", other="{{ entries('a') | spaced }}")
    assert render("other.j2", {"a": {"b": 1}}, templates_dir=folder) == "  b: 1"


def test_compiled_templates_are_kept_where_that_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in Path(render_module.templates.__file__).parent.glob("*.j2"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    (tmp_path / "__pycache__").mkdir()
    monkeypatch.setattr(render_module, "_BUILT_IN", tmp_path)
    monkeypatch.setattr(render_module, "LAYOUTS", {})
    expected = render("cloudify.yaml.j2", {"inputs": {"a": {}}})
    for kept in (True, False):
        monkeypatch.setattr(render_module.sys, "dont_write_bytecode", not kept)
        for place in (tmp_path / "__pycache__").iterdir():
            place.unlink()
        render_module._environment.cache_clear()
        assert render("cloudify.yaml.j2", {"inputs": {"a": {}}}) == expected
        assert any((tmp_path / "__pycache__").iterdir()) is kept
    render_module._environment.cache_clear()


LOSSY = """\
{% for name, value in data.items() if name != "outputs" %}
{{ entry(name, value) }}
{% endfor %}
"""


@pytest.mark.parametrize(
    ("layout", "problem"),
    [(LOSSY, "would not be what was converted: outputs differ"), ("a: [\n", "the result is no YAML")],
)
def test_a_layout_that_loses_something_is_refused(tmp_path: Path, layout: str, problem: str) -> None:
    (tmp_path / "cloudify.yaml.j2").write_text(layout)
    document = "heat_template_version: 2018-08-31\noutputs:\n  o: {value: 1}\n"
    with pytest.raises(BpconvertError, match=problem) as caught:
        convert(document, templates=str(tmp_path))
    assert caught.value.diagnostics[0].code == "BPC190"
    (tmp_path / "cloudify.yaml.j2").write_text(LOSSY.replace(' if name != "outputs"', ""))
    assert "  o:\n" in convert(document, templates=str(tmp_path)).text


def test_a_folder_of_layouts_is_looked_for_where_the_caller_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lays documents out may have been started while the caller was in another folder."""
    for name in ("one", "two"):
        (tmp_path / name / "looks").mkdir(parents=True)
        (tmp_path / name / "looks" / "cloudify.yaml.j2").write_text(f"# {name}\n")
        monkeypatch.chdir(tmp_path / name)
        assert render("cloudify.yaml.j2", {"a": 1}, templates_dir="looks") == f"# {name}\n"
