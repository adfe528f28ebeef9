"""The runner of Heat's own engine: what it answers, and that no request breaks it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bpconvert.engines import client
from bpconvert.engines.client import Engine

pytestmark = pytest.mark.engines

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def heat(engines: Mapping[str, Engine]) -> Engine:
    return engines["hot"]


@pytest.fixture
def ask(heat: Engine, tmp_path: Path) -> Ask:
    """Ask about a template that is given without its version."""

    def asked(text: str, version: str = "2018-08-31", **request: Any) -> dict[str, Any]:
        path = tmp_path / "main.yaml"
        path.write_text(f"heat_template_version: {version}\n{text}", encoding="utf-8")
        return heat.ask({"document": str(path), **request})

    return asked


NETWORKS = """
parameters:
  shared: {type: boolean, default: "yes"}
  zones: {type: comma_delimited_list, default: "a,b"}
resources:
  net:
    type: OS::Neutron::Net
    properties: {shared: {get_param: shared}, admin_state_up: "false", availability_zone_hints: {get_param: zones}}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 10.0.0.0/24, ip_version: "6"}
  server:
    type: OS::Nova::Server
    metadata: {zones: {list_join: ["+", {get_param: zones}]}}
    properties: {flavor: f, image: i, networks: [{network: {get_resource: net}}]}
"""


def test_values_are_resolved_and_converted(ask: Ask) -> None:
    found = ask(NETWORKS)
    assert found["errors"] == []
    assert found["parameters"] == {"shared": True, "zones": ["a", "b"]}
    net = found["resources"]["net"]
    assert net["type"] == "OS::Neutron::Net"
    assert net["properties"] == {"shared": True, "admin_state_up": "false", "availability_zone_hints": ["a", "b"]}
    assert net["effective"]["admin_state_up"] is False
    assert net["effective"]["tags"] is None
    assert found["resources"]["subnet"]["effective"]["ip_version"] == 6
    assert found["resources"]["subnet"]["effective"]["enable_dhcp"] is True
    assert found["resources"]["server"]["metadata"] == {"zones": "a+b"}
    assert list(found["resources"]) == ["net", "subnet", "server"]


def test_dependencies_are_also_those_of_resource_classes(ask: Ask) -> None:
    found = ask(NETWORKS)["resources"]
    assert {name: item["depends_on"] for name, item in found.items()} == {
        "net": [],
        "subnet": ["net"],
        "server": ["net", "subnet"],
    }


def test_properties_that_replace_others(ask: Ask) -> None:
    found = ask("resources: {s: {type: OS::Neutron::Subnet, properties: {network_id: n, cidr: 10.0.0.0/24}}}")
    subnet = found["resources"]["s"]
    assert subnet["properties"]["network_id"] == "n"
    assert (subnet["effective"]["network"], subnet["effective"]["network_id"]) == ("n", None)


RUNTIME = """
resources:
  server: {type: OS::Nova::Server, properties: {flavor: f, image: i}}
  fixed: {type: OS::Heat::Value, properties: {value: {get_attr: [server, first_address]}}}
outputs:
  id: {value: {get_resource: server}}
  address: {value: {get_attr: [server, addresses, private, 1, addr]}}
  absent: {value: {get_attr: [server, addresses, public, 0, addr]}}
  name: {value: {get_attr: [server, name]}}
  all: {value: {get_attr: [server]}}
  fixed: {value: {get_attr: [fixed, value]}}
  stack: {value: {get_param: "OS::stack_name"}}
  stack_id: {value: {get_param: "OS::stack_id"}}
  project: {value: {get_param: "OS::project_id"}}
"""


def test_runtime_values(ask: Ask) -> None:
    attributes = {"addresses": {"private": [{"addr": "10.0.0.3"}, {"addr": "10.0.0.4"}]}, "first_address": "10.0.0.3"}
    outputs = ask(
        RUNTIME,
        resources={"server": {"id": "s-1", "attributes": attributes}, "fixed": {"id": "f-1"}, "other": {}},
        system={"stack_name": "web", "stack_id": "11111111-2222-3333-4444-555555555555", "project_id": "p"},
    )["outputs"]
    everything = outputs.pop("all")
    assert outputs == {
        "id": "s-1",
        "address": "10.0.0.4",
        "absent": None,
        "name": None,
        "fixed": "10.0.0.3",
        "stack": "web",
        "stack_id": "11111111-2222-3333-4444-555555555555",
        "project": "p",
    }
    assert everything["first_address"] == "10.0.0.3"
    assert everything["name"] is None
    assert "show" not in everything


def test_before_creation(ask: Ask) -> None:
    outputs = ask(RUNTIME)["outputs"]
    assert outputs["id"] == "server"
    assert {outputs[name] for name in ("address", "absent", "name", "all", "fixed")} == {None}


def test_attribute_named_by_its_path(ask: Ask) -> None:
    given = {"server": {"attributes": {"addresses.private.1.addr": "10.0.0.9"}}}
    assert ask(RUNTIME, resources=given)["outputs"]["address"] == "10.0.0.9"


def test_attributes_of_groups(ask: Ask) -> None:
    found = ask(
        """
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: "OS::Nova::Server", properties: {flavor: f, image: i}}}
outputs:
  all: {value: {get_attr: [group, networks, lan, 0]}}
  one: {value: {get_attr: [group, resource.1.networks, lan, 0]}}
  ref: {value: {get_attr: [group, refs, 1]}}
  names: {value: {get_attr: [group, attributes, name]}}
""",
        resources={
            "group": {
                "attributes": {
                    "networks": [{"lan": ["10.0.0.1"]}, {"lan": ["10.0.0.2"]}],
                    "resource.1.networks": {"lan": ["10.0.0.2"]},
                    "refs": ["s0", "s1"],
                    "attributes": {"0": {"name": "a"}, "1": {"name": "b"}},
                }
            }
        },
    )
    assert found["errors"] == []
    expected = {"all": ["10.0.0.1", "10.0.0.2"], "one": "10.0.0.2", "ref": "s1", "names": {"0": "a", "1": "b"}}
    assert found["outputs"] == expected


CONDITIONS = """
parameters: {big: {type: boolean, default: false}}
conditions: {big: {get_param: big}}
resources:
  always: {type: OS::Heat::Value, properties: {value: {if: [big, 2, 1]}, type: {if: [big, number]}}}
  extra: {type: OS::Heat::Value, condition: big, depends_on: always, properties: {value: x}}
outputs:
  extra: {condition: big, value: {get_resource: extra}}
"""


@pytest.mark.parametrize("big", [False, True])
def test_conditions(ask: Ask, big: bool) -> None:
    found = ask(CONDITIONS, version="2021-04-16", parameters={"big": big})
    assert set(found["resources"]) == ({"always", "extra"} if big else {"always"})
    assert found["outputs"] == {"extra": "extra" if big else None}
    own = found["resources"]["always"]["properties"]
    assert own == ({"value": 2, "type": "number"} if big else {"value": 1})


def test_files_beside_the_template(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("echo\r\n", encoding="utf-8", newline="")
    (tmp_path / "packed").write_bytes(b"\xff\x00")
    (tmp_path.parent / "outside").write_text("secret", encoding="utf-8")
    found = ask(
        "outputs:\n"
        "  text: {value: {get_file: ./run.sh}}\n"
        "  packed: {value: {get_file: packed}}\n"
        "  absent: {value: {get_file: absent.sh}}\n"
        "  outside: {value: {get_file: ../outside}}\n"
        "  fetched: {value: {get_file: 'http://127.0.0.1:1/x'}}\n"
    )
    assert found["outputs"] == {"text": "echo\r\n", "packed": "/wA=\n"}
    assert [error["where"][1] for error in found["errors"]] == ["absent", "outside", "fetched"]


def test_nested_templates_and_unknown_types(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(
        "heat_template_version: 2018-08-31\n"
        "parameters: {size: {type: number}, name: {type: string, default: web}}\n"
        "outputs: {ip: {value: 1}}\n",
        encoding="utf-8",
    )
    text = """
resources:
  inner: {type: inner.yaml, properties: {size: "4"}}
  absent: {type: absent.yaml, properties: {size: {get_attr: [inner, ip]}}}
  own: {type: My::Own::Type, depends_on: absent, properties: {any: {get_attr: [absent, anything]}}}
outputs:
  ip: {value: {get_attr: [inner, ip]}}
  wrong: {value: {get_attr: [inner, nothing]}}
"""
    given = {"inner": {"attributes": {"ip": "10.0.0.1"}}, "absent": {"attributes": {"anything": [1]}}}
    found = ask(text, resources=given)
    resources = found["resources"]
    assert resources["inner"]["effective"] == {"size": 4, "name": None}
    assert resources["absent"]["properties"] == resources["absent"]["effective"] == {"size": "10.0.0.1"}
    assert resources["own"]["properties"] == {"any": [1]}
    assert resources["own"]["depends_on"] == ["absent"]
    assert found["outputs"] == {"ip": "10.0.0.1"}
    assert {tuple(error["where"]) for error in found["errors"]} == {("outputs", "wrong", "value")}
    assert "error" in ask(text, strict=True)


def test_single_values_that_are_refused(ask: Ask) -> None:
    found = ask(
        """
resources:
  net: {type: OS::Neutron::Net, properties: {name: {str_split: [",", 1]}, colour: red, shared: maybe}}
outputs:
  good: {value: 1}
  bad: {value: {list_join: ["-", 5]}}
"""
    )
    assert found["outputs"] == {"good": 1}
    assert found["resources"]["net"]["properties"] == {"colour": "red", "shared": "maybe"}
    said = {tuple(error["where"]): error["message"] for error in found["errors"]}
    assert ("resources", "net", "properties", "name") in said
    assert ("resources", "net", "properties", "shared") in said
    assert ("outputs", "bad", "value") in said
    assert said[("resources", "net", "properties")] == "Unknown Property colour"


def test_keys_are_texts(ask: Ask) -> None:
    """A template reaches the engine as JSON."""
    found = ask("outputs: {a: {value: {1: {true: x}}}, b: {value: {map_replace: [{k: 1}, {values: {1: one}}]}}}")
    assert found["outputs"] == {"a": {"1": {"true": "x"}}, "b": {"k": 1}}


def test_files_below_another_folder(heat: Engine, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "run.sh").write_text("echo", encoding="utf-8")
    path = tmp_path / "inner" / "main.yaml"
    path.write_text("heat_template_version: 2018-08-31\noutputs: {a: {value: {get_file: ../run.sh}}}", encoding="utf-8")
    assert heat.ask({"document": str(path)})["outputs"] == {}
    assert heat.ask({"document": str(path), "root": str(tmp_path)})["outputs"] == {"a": "echo"}


REFUSED = {
    "parameters: {n: {type: number, default: 9, constraints: [{range: {max: 5}}]}}": "out of range",
    "parameters: {n: {type: string}}": "was not provided",
    "resources: {a: {type: OS::Heat::Value, depends_on: b}}": '"b"',
    "resources: {a: {type: 'T', depends_on: b}, b: {type: 'T', depends_on: a}}": "ircular",
    "conditions: {a: b}": "condition",
    "nonsense: 1": "nonsense",
    "outputs: [": "parsing",
}


@pytest.mark.parametrize("text", REFUSED)
def test_templates_that_are_refused(ask: Ask, text: str) -> None:
    found = ask(text)
    assert list(found) == ["error"]
    assert REFUSED[text] in found["error"]


def test_parameters_that_nobody_declares(ask: Ask) -> None:
    assert "unknown" in ask("", parameters={"unknown": 1})["error"]


STRICT = "resources: {net: {type: OS::Neutron::Subnet, properties: {network: n, cidr: 10.0.0.0/24%s}}}"


@pytest.mark.parametrize("more", [", ip_version: 5", ", colour: red", ", ipv6_ra_mode: slaac", ", gateway_ip: here"])
def test_strict(ask: Ask, more: str) -> None:
    """Also what only the resource class checks: ipv6_ra_mode with version 4."""
    assert "error" not in ask(STRICT % "", strict=True)
    assert "error" not in ask(STRICT % more)
    assert "error" in ask(STRICT % more, strict=True)


def test_checks_that_need_a_cloud_pass(ask: Ask) -> None:
    found = ask(
        """
parameters: {flavor: {type: string, default: m1, constraints: [{custom_constraint: nova.flavor}]}}
resources:
  volume: {type: OS::Cinder::Volume, properties: {size: 1, image: i, availability_zone: z}}
  server:
    type: OS::Nova::Server
    properties: {flavor: {get_param: flavor}, image: i, key_name: k, availability_zone: z, networks: [{network: n}]}
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: "OS::Nova::KeyPair", properties: {name: "k%index%"}}}
""",
        strict=True,
    )
    assert "error" not in found
    assert found["errors"] == []


def test_broken_requests(heat: Engine, tmp_path: Path) -> None:
    assert "error" in heat.ask({})
    assert "error" in heat.ask({"document": str(tmp_path / "absent.yaml")})
    (tmp_path / "main.yaml").write_bytes(b"\xff")
    assert "error" in heat.ask({"document": str(tmp_path / "main.yaml")})


def test_only_answers_are_written(engines_python: str, tmp_path: Path) -> None:
    (tmp_path / "heat.yaml").write_text("heat_template_version: 2018-08-31\n", encoding="utf-8")
    lines = ["no json", "[]", "", json.dumps({"document": str(tmp_path / "heat.yaml")})]
    runner = Path(client.__file__).with_name("heat.py")
    done = subprocess.run(
        [engines_python, str(runner)], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(answer) for answer in answers[:2]] == [["error"], ["error"]]
    assert answers[2:] == [{"parameters": {}, "resources": {}, "outputs": {}, "errors": []}]
