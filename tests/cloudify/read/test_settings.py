"""Settings of nodes that stand elsewhere: in inputs, in other nodes, and in inputs of the plugin's operations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neutral_form import V2, V3, Lifted, lifted

from bpconvert.api import convert
from bpconvert.models.expressions import MISSING, Input, Property, Query

INPUTS = """inputs:
  conf: {default: {name: a, admin_state_up: false, kwargs: {mtu: 1, qos: {a: b}}, deep: {x: y}}}
  s: {default: {name: s, nics: []}}
  empty: {default: {}}
  x: {}
  flag: {type: boolean}
"""
CREATE = "interfaces: {cloudify.interfaces.lifecycle: {%s: {inputs: {%s: {get_input: %s}}}}}"
PLACE = "node_templates.n.properties.resource_config"
OPERATION = "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create.inputs"


def net(config: str, more: str = "", rest: str = INPUTS) -> Lifted:
    """A network ``n`` with the settings, among other nodes."""
    return lifted(f"n: {{type: {V3}Network, properties: {{resource_config: {config}}}}}\n{more}", rest)


def part(name: str, *keys: str) -> Input:
    return Input(name, keys, strict=True)


def messages(done: Lifted, *codes: str) -> list[tuple[str, str, str]]:
    return [(one.code, ".".join(map(str, one.path)), one.message) for one in done.diagnostics if one.code in codes]


# -- inputs -------------------------------------------------------------------------------------------------

OPENED = {
    "name": part("conf", "name"),
    "admin_state_up": part("conf", "admin_state_up"),
    "value_specs": {
        "mtu": part("conf", "kwargs", "mtu"),
        "qos": part("conf", "kwargs", "qos"),
        "deep": part("conf", "deep"),
    },
}
TAKEN_APART = "'resource_config' is taken apart: the resource has the parts of 'conf' that its default has"
TAKEN_APART += ", and its description names them"


def test_an_input_is_taken_apart_as_its_default_is() -> None:
    """So are the further arguments in it; other maps are values."""
    done = net("{get_input: conf}")
    assert done.properties("n") == OPENED
    assert messages(done, "BPC389") == [("BPC389", PLACE, TAKEN_APART)]


@pytest.mark.parametrize("config", ["{get_input: x}", "{get_input: empty}", "{get_input: [conf, kwargs]}"])
def test_an_input_whose_parts_are_not_known(config: str) -> None:
    done = net(config)
    assert done.properties("n") == {}
    assert messages(done, "BPC389") == []
    assert [place for _, place, _ in messages(done, "BPC353")] == [PLACE]


def test_inputs_of_the_operation_that_creates_are_settings() -> None:
    done = lifted(f"n: {{type: {V3}Network, {CREATE % ('create', 'resource_config', 'conf')}}}", INPUTS)
    assert done.properties("n") == OPENED
    assert messages(done, "BPC389") == [("BPC389", f"{OPERATION}.resource_config", TAKEN_APART)]
    done = lifted(f"n: {{type: {V3}Network, {CREATE % ('delete', 'resource_config', 'conf')}}}", INPUTS)
    assert (done.properties("n"), messages(done, "BPC389")) == ({}, [])


def test_operations_of_others_have_inputs_of_their_own() -> None:
    create = "create: {implementation: mine.tasks.create, inputs: {resource_config: {get_input: conf}}}"
    own = f"interfaces: {{cloudify.interfaces.lifecycle: {{{create}}}}}"
    plugin = "plugins: {mine: {executor: central_deployment_agent, install: false}}\n"
    done = lifted(f"n: {{type: {V3}Network, {own}}}", INPUTS + plugin)
    assert messages(done, "BPC389") == []


def test_the_older_plugin_has_other_names_for_them() -> None:
    expected = {"name": part("s", "name"), "networks": part("s", "nics")}
    done = lifted(f"n: {{type: {V2}Server, properties: {{server: {{get_input: s}}}}}}", INPUTS)
    assert done.properties("n") == expected
    assert [place for _, place, _ in messages(done, "BPC389")] == ["node_templates.n.properties.server"]
    done = lifted(f"n: {{type: {V2}Server, {CREATE % ('create', 'args', 's')}}}", INPUTS)
    assert done.properties("n") == expected
    assert [place for _, place, _ in messages(done, "BPC389")] == [f"{OPERATION}.args"]
    done = lifted(f"n: {{type: {V3}Server, {CREATE % ('create', 'args', 's')}}}", INPUTS)
    assert messages(done, "BPC389") == []


def test_a_setting_that_is_the_whole_is_not_taken_apart() -> None:
    done = lifted(
        "n: {type: cloudify.nodes.CloudInit.CloudConfig, properties: {resource_config: {get_input: conf}}}", INPUTS
    )
    assert done.properties("n") == {"cloud_config": part("conf")}
    assert messages(done, "BPC389") == []


# -- other nodes --------------------------------------------------------------------------------------------


def chain(length: int) -> str:
    """Nodes each of which has the settings of the next, the last of which has them."""
    nodes = [
        f"o{step}: {{type: t, properties: {{a: {{get_property: [o{step + 1}, a]}}}}}}\n" for step in range(length - 1)
    ]
    return "".join(nodes) + f"o{length - 1}: {{type: t, properties: {{a: {{name: z}}}}}}\n"


TYPE = "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {a: {default: {name: d}}}}}\n"


@pytest.mark.parametrize(
    ("config", "others", "expected"),
    [
        ("{get_property: [o0, a]}", "o0: {type: t, properties: {a: {name: b}}}", {"name": "b"}),
        ("{get_property: [o0, a]}", "o0: {type: t}", {"name": "d"}),
        ("{get_property: [o0, a]}", chain(2), {"name": "z"}),
        ("{get_property: [o0, a]}", chain(8), {"name": "z"}),
        ("{get_property: [o0, a]}", chain(9), {}),
        ("{get_property: [o0, a, name]}", "o0: {type: t}", {}),
        ("{get_property: [gone, a]}", "", {}),
    ],
)
def test_settings_of_another_node_are_known(config: str, others: str, expected: Any) -> None:
    assert net(config, others, TYPE).properties("n") == expected


def test_values_of_another_node_stay_references() -> None:
    done = net("{name: {get_property: [o0, a]}}", "o0: {type: t, properties: {a: b}}", TYPE)
    assert done.properties("n") == {"name": Property("o0", "a")}


def test_credentials_of_another_node_are_no_properties_of_what_is_no_resource() -> None:
    """Of nodes of the plugin, also of one whose type is not known."""
    other = f"m: {{type: {V3}Network, properties: {{client_config: {{region_name: x}}}}}}\n"
    done = lifted(
        f"n: {{type: {V3}Foo, properties: {{client_config: {{get_property: [m, client_config]}}, a: 1}}}}\n{other}"
    )
    assert done.properties("n") == {"a": 1}
    assert [place for _, place, _ in messages(done, "BPC350")] == ["node_templates.n.properties.client_config"]
    inputs = "{client_config: {region_name: x}, a: 1}"
    run = f"interfaces: {{i: {{o: {{implementation: a.sh, inputs: {inputs}}}}}}}"
    done = lifted(f"n: {{type: {V3}Foo, {run}}}\n")
    assert [one.inputs for one in done.node("n").operations] == [{"a": 1}]
    assert [place for _, place, _ in messages(done, "BPC350")] == [
        "node_templates.n.interfaces.i.o.inputs.client_config"
    ]
    done = lifted(
        "n: {type: t, properties: {client_config: {a: b}}}", TYPE.replace("{a: ", "{client_config: {}, a: ", 1)
    )
    assert done.properties("n") == {"client_config": {"a": "b"}}


# -- what a setting decides ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kwargs", "kind"),
    [
        ("{'provider:network_type': flat}", "provider_net"),
        ("{'provider:network_type': flat, 'provider:physical_network': p, 'router:external': true}", "provider_net"),
        ("{'provider:physical_network': p}", "net"),
        ("{'provider:network_type': flat, mtu: 1}", "net"),
    ],
)
def test_a_network_of_a_provider_has_a_type_of_its_own(kwargs: str, kind: str) -> None:
    """Where that has all of its settings."""
    assert net(f"{{name: b, kwargs: {kwargs}}}").node("n").kind == kind
    assert net(f"{{name: b, qos_policy_id: q, kwargs: {kwargs}}}").node("n").kind == "net"


def test_an_existing_network_of_a_provider_is_a_network() -> None:
    config = "{name: b, kwargs: {'provider:network_type': flat}}"
    done = lifted(f"n: {{type: {V3}Network, properties: {{use_external_resource: true, resource_config: {config}}}}}")
    assert done.node("n").kind == "net"


def test_a_value_decides_whether_a_resource_exists() -> None:
    """Its id is that of the one that exists."""
    done = lifted(
        f"n: {{type: {V3}Network, properties: "
        "{use_external_resource: {get_input: flag}, resource_config: {id: x, name: b}}}",
        INPUTS,
    )
    assert [*done.topology.nodes] == ["n", "n_existing"]
    assert (done.properties("n"), done.node("n").external_id) == ({"name": "b"}, MISSING)
    assert [one.code for one in done.diagnostics if "resource_config" in one.path] == []


def test_the_plugin_keeps_private_keys() -> None:
    """Of the keys that OpenStack makes."""
    pair = f"{{type: {V3}KeyPair, properties: {{resource_config: {{name: b%s}}}}}}"
    done = lifted(f"first: {{type: t}}\nm: {pair % ', public_key: x'}\nn: {pair % ''}\no: {pair % ''}\n", TYPE)
    assert {name: one.properties.get("save_private_key") for name, one in done.topology.nodes.items()} == {
        "first": None, "m": None, "n": True, "o": True,
    }  # fmt: skip
    assert [(code, place) for code, place, _ in messages(done, "BPC364")] == [
        ("BPC364", "node_templates.n"),
        ("BPC364", "node_templates.o"),
    ]


def test_a_key_of_the_manager_is_a_key_pair() -> None:
    done = lifted("n: {type: cloudify.keys.nodes.RSAKey, properties: {resource_config: {key_name: k}}}")
    assert (done.node("n").kind, done.properties("n")) == ("keypair", {"name": "k", "save_private_key": True})
    assert [place for _, place, _ in messages(done, "BPC324")] == ["node_templates.n"]


@pytest.mark.parametrize("defined", [True, False])
def test_a_stand_in_shows_what_it_stands_for(defined: bool) -> None:
    """Also where its type is not defined. What was guarded is plain data again."""
    shown = "{heat_type: A::B, heat_properties: {a: '{\"get_input\": 1}'}}"
    parts = "{heat_type: {}, heat_properties: {}}"
    types = f"node_types: {{bpconvert.nodes.HeatResource: {{derived_from: cloudify.nodes.Root, properties: {parts}}}}}"
    done = lifted(f"n: {{type: bpconvert.nodes.HeatResource, properties: {shown}}}", types * defined)
    assert done.properties("n") == {"heat_type": "A::B", "heat_properties": {"a": {"get_input": 1}}}
    assert done.node("n").shows == ("heat", "heat_type", "heat_properties", "")


@pytest.mark.parametrize(
    ("declared", "texts"),
    [
        ("{type: list, item_type: string}", True),
        ("{default: [a, b]}", True),
        ("{default: [a, 1]}", False),
        ("{default: []}", False),
        ("{type: list}", False),
    ],
)
def test_names_of_groups_that_an_input_gives(declared: str, texts: bool) -> None:
    """The plugin takes maps with names too; of a list that may have some the names are taken."""
    server = f"{{type: {V3}Server, properties: {{resource_config: {{security_groups: {{get_input: g}}}}}}}}"
    value = lifted(f"n: {server}", f"inputs: {{g: {declared}}}").properties("n")["security_groups"]
    assert isinstance(value, Input if texts else Query)


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        ("{type: t}", ("BPC351", "'private_key_path' is not converted: no key file is written, the stack has the key")),
        (
            "{type: t, properties: {a: {get_property: [n, private_key_path]}}}",
            (
                "BPC352",
                f"'private_key_path' of {V3}KeyPair has no counterpart: no key file is written, the stack has the key",
            ),
        ),
    ],
)
def test_a_setting_without_counterpart_matters_where_somebody_reads_it(reader: str, expected: Any) -> None:
    key = f"{{type: {V3}KeyPair, properties: {{private_key_path: /k, resource_config: {{name: k}}}}}}"
    done = lifted(f"n: {key}\nuser: {reader}", TYPE)
    code, message = expected
    assert messages(done, "BPC351", "BPC352") == [(code, "node_templates.n.properties.private_key_path", message)]


def test_components_of_files_beside_are_nested(tmp_path: Path) -> None:
    inner = "capabilities: {c: {value: {get_input: i}}}\ninputs: {i: {}}\n"
    head = "tosca_definitions_version: cloudify_dsl_1_4\nimports: [cloudify/types/types.yaml]\n"
    (tmp_path / "inner.yaml").write_text(head + inner)
    blueprint = "blueprint: {main_file_name: inner.yaml}, deployment: {inputs: {i: 1}}"
    component = f"{{type: cloudify.nodes.Component, properties: {{resource_config: {{{blueprint}}}}}}}"
    outputs = "outputs: {o: {value: {get_attribute: [n, capabilities, c]}}}\n"
    (tmp_path / "main.yaml").write_text(f"{head}node_templates: {{n: {component}}}\n{outputs}")
    data = convert(tmp_path / "main.yaml", "cloudify", "hot", carry=False).document
    assert data["resources"]["n"] == {"type": "inner.yaml", "properties": {"i": 1}}
    assert data["outputs"]["o"]["value"] == {"get_attr": ["n", "c"]}
