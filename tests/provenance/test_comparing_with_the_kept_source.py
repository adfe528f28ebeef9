"""The kept source is translated again and compared: what is said where the conversion had what is not here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert

HOT = "heat_template_version: 2018-08-31\n"
TYPES = """\
kind: widget
heat: ["Acme::Widget"]
cloudify: {type: acme.nodes.Widget, plain: true, plugin: "plugin:acme"}
properties: {title: {to: title, type: string}}
"""


def template(names: str) -> str:
    """A template with a widget for each letter."""
    return f"{HOT}resources:\n" + "".join(f"  {name}: {{type: Acme::Widget}}\n" for name in names)


def uncompared(folder: Path, source: str, named: tuple[str, ...], kept: tuple[str, ...] = ()) -> list[str]:
    """What is said of the comparison when the blueprint goes back; it was made with the files ``named``, and only those
    of ``kept`` are given again."""
    (folder / "app.yaml").write_text(source)
    files = {"environments": "env.yaml", "types": "types.yaml"}
    chosen: dict[str, Any] = {name: (str(folder / files[name]),) for name in named}
    made = convert(folder / "app.yaml", **chosen)
    again = {name: chosen[name] for name in kept}
    back = convert(made.text.encode(), "cloudify", "hot", beside=made.files, **again)
    assert back.text == source
    return [one.message for one in back.diagnostics if one.code == "BPC663"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "env.yaml").write_text("resource_registry: {Acme::Widget: OS::Neutron::Net}\n")
    (tmp_path / "types.yaml").write_text(TYPES)
    return tmp_path


@pytest.mark.parametrize(
    ("names", "places"),
    [
        ("a", "node_templates.a, node_types.bpconvert.nodes.HeatResource"),
        ("ba", "node_templates.a, node_templates.b, node_types.bpconvert.nodes.HeatResource"),
        ("cba", "node_templates.a, node_templates.b, node_templates.c, ..."),
    ],
)
def test_the_first_places_that_are_not_compared_are_named(folder: Path, names: str, places: str) -> None:
    """A stand-in has a node type, an import and the access to the cloud."""
    assert uncompared(folder, template(names), ("environments",)) == [
        f"the kept source comes back without a comparison of dsl_definitions.client_config, imports, {places}: "
        "the conversion had environments, which is not here"
    ]


@pytest.mark.parametrize(
    ("named", "kept", "needed"),
    [
        (("environments",), (), "environments"),
        (("types", "environments"), (), "environments, types"),
        (("types", "environments"), ("types",), "environments"),
    ],
)
def test_all_that_the_conversion_had_is_named(
    folder: Path, named: tuple[str, ...], kept: tuple[str, ...], needed: str
) -> None:
    (found,) = uncompared(folder, template("a"), named, kept)
    assert found.endswith(f": the conversion had {needed}, which is not here")


def test_with_the_same_mappings_all_is_compared(folder: Path) -> None:
    assert uncompared(folder, template("a"), ("types",), ("types",)) == []
