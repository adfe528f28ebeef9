"""The schemas in the package are those of the installed Heat, and ``check`` agrees with it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from corpus_runs import heat_command
from engine_processes import ask

from bpconvert import check
from bpconvert.translators.catalogue import schemas

pytestmark = pytest.mark.engines
VERSION = "heat_template_version: 2018-08-31\n"

#: what Heat refuses by a type's schema
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("OS::Nova::KeyPair", {}),
    ("OS::Nova::KeyPair", {"name": None}),
    ("OS::Nova::KeyPair", {"name": "a", "type": "rsa"}),
    ("OS::Nova::KeyPair", {"name": 1.5}),
    ("OS::Nova::KeyPair", {"nam": "a"}),
    ("OS::Cinder::Volume", {"size": "many"}),
    ("OS::Cinder::Volume", {"size": 0}),
    ("OS::Cinder::Volume", {"size": 1, "read_only": 1}),
    ("OS::Cinder::Volume", {"size": 1, "metadata": "text"}),
    ("OS::Neutron::Subnet", {"network": "a", "network_id": "b", "cidr": "10.0.0.0/8"}),
    ("OS::Neutron::Subnet", {"network": "a", "cidr": "10.0.0.0"}),
    ("OS::Neutron::Subnet", {"network": "a", "cidr": "10.0.0.0/33"}),
    ("OS::Neutron::Port", {"network": "a", "mac_address": "here"}),
    ("OS::Neutron::Port", {"network": "a", "fixed_ips": [{"ip_address": "10.0.0.300"}]}),
    ("OS::Neutron::Port", {"network": "a", "fixed_ips": [{"subnt": "b"}]}),
]
#: what the ``validate`` method of its class refuses
WRONG_TOGETHER: list[tuple[str, dict[str, Any]]] = [
    ("OS::Neutron::Subnet", {"network": "a"}),
    ("OS::Neutron::Subnet", {"network": "a", "cidr": "10.0.0.0/8", "subnetpool": "b"}),
    ("OS::Neutron::Subnet", {"network": "a", "cidr": "10.0.0.0/8", "ipv6_ra_mode": "slaac"}),
    ("OS::Neutron::RouterInterface", {"router": "a"}),
    ("OS::Neutron::RouterInterface", {"router": "a", "subnet": "b", "port": "c"}),
    ("OS::Neutron::Port", {"network": "a", "no_fixed_ips": True, "fixed_ips": [{"subnet": "a"}]}),
    ("OS::Neutron::FloatingIP", {"floating_network": "a", "fixed_ip_address": "10.0.0.1"}),
    ("OS::Neutron::SecurityGroup", {"name": "default"}),
    ("OS::Neutron::SecurityGroupRule", {"security_group": "a", "port_range_min": 9, "port_range_max": 2}),
    ("OS::Neutron::SecurityGroupRule", {"security_group": "a", "remote_group": "b", "remote_ip_prefix": "10.0.0.0/8"}),
    ("OS::Neutron::Router", {"ha": True, "distributed": True}),
    ("OS::Octavia::Pool", {"lb_algorithm": "ROUND_ROBIN", "protocol": "HTTP"}),
    ("OS::Cinder::Volume", {"name": "a"}),
    ("OS::Mistral::CronTrigger", {"workflow": {"name": "a"}}),
    ("OS::Nova::Server", {"flavor": "a"}),
]
#: prints for every template of standard input whether each of its resources is valid
VALIDATE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import heat_engine
heat_engine.setup()
from heat.common import context, template_format
from heat.engine import stack, template
for line in sys.stdin:
    read = template.Template(template_format.parse(line))
    try:
        whole = stack.Stack(context.RequestContext(), "s", read)
        whole["a"].validate()
        print("valid")
    except Exception as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0])
"""
TAKEN: list[tuple[str, dict[str, Any]]] = [
    ("OS::Nova::KeyPair", {"name": 12}),
    ("OS::Nova::KeyPair", {"name": True}),
    ("OS::Cinder::Volume", {"size": "10", "read_only": "TRUE"}),
    ("OS::Cinder::Volume", {"size": 1.9}),
    ("OS::Neutron::Subnet", {"network": "a", "cidr": "10.0.0.1/8"}),
    ("OS::Neutron::Subnet", {"network": "a", "cidr": "fd00::/64", "ip_version": 6}),
    ("OS::Neutron::Port", {"network_id": "a", "mac_address": "00-11-22-33-44-55"}),
    ("OS::Nova::Server", {"flavor": "a", "image": None}),
]


def test_heats_schemas_are_those_of_the_engine(engines_python: str, tmp_path: Path) -> None:
    done = subprocess.run([engines_python, str(ROOT / "tools" / "heat_schemas.py"), str(tmp_path)], check=False)
    assert done.returncode == 0
    kept = ROOT / "translators" / "catalogue" / "schemas" / "heat"
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in kept.iterdir()}
    for path in tmp_path.iterdir():
        assert json.loads(path.read_bytes()) == json.loads((kept / path.name).read_bytes()), path.name


def test_cloudifys_types_are_those_of_its_files(engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    tool = ROOT / "tools" / "cloudify_types.py"
    imports = heat_engine.parent / "imports"
    done = subprocess.run([engines_python, str(tool), str(imports), str(tmp_path)], check=False)
    assert done.returncode == 0
    for path in tmp_path.iterdir():
        assert json.loads(path.read_bytes()) == schemas.library(path.stem), path.name


def test_check_agrees_with_heat(engines_python: str, heat_engine: Path) -> None:
    cases = [*REFUSED, *TAKEN]
    texts = [
        VERSION + json.dumps({"resources": {"a": {"type": kind, "properties": said}}})[1:-1] for kind, said in cases
    ]
    asked = [{"text": text, "strict_types": True, "fake_params": True, "fake_attrs": True} for text in texts]
    answers = ask(heat_command(engines_python, heat_engine.parent), asked)
    for case, text, answer in zip(cases, texts, answers, strict=True):
        wrong = [found for found in check(text) if str(found.severity) == "error"]
        assert bool(answer.get("ok")) is not bool(wrong), (case, answer.get("error"), wrong)


def test_check_agrees_with_the_methods_of_heats_classes(engines_python: str, heat_engine: Path) -> None:
    asking = ("OS::Nova::KeyPair", "OS::Nova::Server")  # they ask services when they are right
    cases = [*WRONG_TOGETHER, *(case for case in TAKEN if case[0] not in asking)]
    texts = [
        json.dumps({"heat_template_version": "2018-08-31", "resources": {"a": {"type": kind, "properties": said}}})
        for kind, said in cases
    ]
    command = [engines_python, "-c", VALIDATE, str(heat_engine.parent)]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, check=True)
    for case, text, answer in zip(cases, texts, done.stdout.splitlines(), strict=True):
        wrong = [found for found in check(text.encode()) if str(found.severity) == "error"]
        assert (answer == "valid") is not bool(wrong), (case, answer, wrong)
