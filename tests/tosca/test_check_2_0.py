"""``check`` of TOSCA 2.0 files: what the specification refuses, at its place. ``#! CODE`` in a text says that this
code, and no other error, is expected on this line; section numbers are those of the specification."""

from __future__ import annotations

import re

import pytest

from bpconvert.checking import check
from bpconvert.diagnostics import Severity

HEAD = "tosca_definitions_version: tosca_2_0\n"
TYPES = """\
data_types:
  Port: {derived_from: integer, validation: {$less_or_equal: [$value, 65535]}}
  Size: {derived_from: scalar, data_type: integer, units: {B: 1}, prefixes: {'': 1, k: 1000, M: 1000000}}
  Pair: {properties: {left: {type: string}, right: {type: string, required: false}}}
capability_types:
  Host: {properties: {cpus: {type: integer, default: 1}}}
  BigHost: {derived_from: Host}
  Other: {}
relationship_types: {On: {properties: {device: {type: string, required: false}}}, Near: {}}
interface_types:
  Life: {inputs: {user: {type: string}}, operations: {create: {inputs: {n: {type: integer}}}, delete: {}}}
artifact_types: {Script: {}}
node_types:
  Server:
    properties: {name: {type: string}, port: {type: Port, required: false}, fixed: {type: string, value: x}}
    attributes: {address: {type: string}}
    capabilities: {host: Host}
    interfaces: {life: {type: Life}}
  App:
    properties: {sizes: {type: list, entry_schema: Size, required: false}}
    requirements: [{host: {capability: Host, relationship: On, node: Server, count_range: [1, 2]}}]
group_types: {Servers: {members: [Server]}}
policy_types: {Place: {targets: [Servers, Server]}}
"""
SERVER = "    s: {type: Server, properties: {name: n}}\n"


def wrong(text: str) -> list[tuple[int, str]]:
    """The errors of a file, with their lines."""
    return sorted({(one.line, one.code) for one in check(text.encode()) if one.severity == Severity.ERROR})


def wanted(text: str) -> list[tuple[int, str]]:
    rows = enumerate(text.splitlines(), 1)
    return sorted({(number, code) for number, row in rows for code in re.findall(r"#! (BPC\d+)", row)})


def template(*rows: str, more: str = "") -> str:
    return f"{TYPES}service_template:\n  node_templates:\n" + "".join(f"    {row}\n" for row in rows) + more


REFUSED = {
    "5.2 null is no section": "node_types: #! BPC902\n",
    "5.2 unknown keyname": "node_types:\n  A:\n    propertis: {} #! BPC900\n",
    "5.3.2 description": "description: [a] #! BPC902\n",
    "6.1 draft's word": "topology_template: {} #! BPC900\n",
    "6.3 anchors": "dsl_definitions: [a] #! BPC902\n",
    "6.4 names are texts": "node_types:\n  1.0: {} #! BPC904\n",
    "6.4.1 version": "node_types:\n  A:\n    version: 1.0 #! BPC902\n",
    "6.4.2 circle": "node_types:\n  A:\n    derived_from: B #! BPC911\n  B:\n    derived_from: A #! BPC911\n",
    "6.4.2 unknown parent": "node_types:\n  A:\n    derived_from: B #! BPC910\n",
    "6.5 repository": "repositories:\n  r:\n    url: http://x/\n    credential: {} #! BPC900\n",
    "6.8.1 neither file nor profile": "imports:\n- namespace: n #! BPC907\n",
    "6.8.1 both": "imports:\n- {url: a.yaml, profile: p} #! BPC907\n",
    "6.8.1 unknown repository": "imports:\n- {url: a.yaml, repository: r} #! BPC933\n",
    "6.8.4 the same name twice": "node_types:\n  A: {}\n  A: {} #! BPC906\n",
    "6.9.1 no node templates": "service_template: #! BPC901\n  inputs: {}\n",
    "8.2 type of a capability": "node_types:\n  A:\n    capabilities:\n      c: {description: d} #! BPC901\n",
    "10.4 no signature": "functions:\n  f: {description: none} #! BPC901\n",
    "9.1 reserved": "data_types:\n  string: {derived_from: integer} #! BPC912\n",
    "9.1.1.4 boolean": (
        "node_types:\n  A:\n    properties:\n      b:\n        type: boolean\n        default: True #! BPC171\n"
    ),
    "9.1.2.2 abstract": "node_types:\n  A:\n    properties:\n      b:\n        type: scalar #! BPC914\n",
    "9.1.2.2 no units": "data_types:\n  A: {derived_from: scalar} #! BPC901\n",
    "9.1.2.2 no unit of one": "data_types:\n  A:\n    derived_from: scalar\n    units: {k: 1000} #! BPC907\n",
    "9.2 nothing of its own": "data_types:\n  A: {description: d} #! BPC907\n",
    "9.2 properties of a text": (
        "data_types:\n  A:\n    derived_from: string\n    properties: {a: {type: string}} #! BPC907\n"
    ),
    "9.3 no schema of entries": "data_types:\n  A: {derived_from: list} #! BPC901\n",
    "9.3 schema of a text": "data_types:\n  A:\n    derived_from: string\n    entry_schema: string #! BPC907\n",
    "9.3 keys are texts": (
        "data_types:\n  A:\n    derived_from: map\n    key_schema: integer #! BPC907\n    entry_schema: string\n"
    ),
    "9.4 no type": "node_types:\n  A:\n    properties:\n      b: {required: true} #! BPC901\n",
    "9.4 required is not undone": (
        "node_types:\n  A: {properties: {p: {type: string}}}\n  B:\n    derived_from: A\n"
        "    properties:\n      p:\n        required: false #! BPC913\n"
    ),
    "9.4 another type": (
        "node_types:\n  A: {properties: {p: {type: string}}}\n  B:\n    derived_from: A\n"
        "    properties:\n      p:\n        type: integer #! BPC913\n"
    ),
    "9.4 fixed": (
        "node_types:\n  A: {properties: {p: {type: string, value: a}}}\n  B:\n    derived_from: A\n"
        "    properties:\n      p: {value: b} #! BPC913\n"
    ),
    "9.10 of another type": (
        "data_types:\n  A:\n    derived_from: integer\n    validation: {$less_than: [$value, ten]} #! BPC171\n"
    ),
    "9.10 no condition": (
        "data_types:\n  A:\n    derived_from: string\n    validation: {$concat: [$value, a]} #! BPC931\n"
    ),
    "10.1 malformed": template(
        "s:", "  type: Server", "  properties:", "    name: {$concat: [a], b: c} #! BPC930 #! BPC171"
    ),
    "10.2 arguments": template("s:", "  type: Server", "  properties:", "    name: {$token: [a]} #! BPC931"),
    "10.2 earlier function": (
        "data_types:\n  A:\n    derived_from: integer\n    validation: {$in_range: [$value, [1, 2]]} #! BPC932\n"
    ),
    "10.2.1.1 unknown input": template("s:", "  type: Server", "  properties:", "    name: {$get_input: x} #! BPC933"),
    "11.1 implementation": (
        "interface_types:\n  A:\n    operations:\n      o:\n        implementation: a.sh #! BPC907\n"
    ),
    "11.1 input without type": "interface_types:\n  A:\n    inputs:\n      description: text #! BPC901\n",
    "12.2 checksum": TYPES
    + "service_template:\n  node_templates:\n    s:\n      type: Server\n      properties: {name: n}\n"
    "      artifacts:\n        a: {type: Script, file: f, checksum: c} #! BPC901\n",
}
TEMPLATES = {
    "7.2 unknown type": template("s:", "  type: Serve #! BPC910"),
    "7.2 directive": template("s:", "  type: Server", "  properties: {name: n}", "  directives: [make] #! BPC907"),
    "8.3 capability": template(
        "s:", "  type: Server", "  properties: {name: n}", "  capabilities:", "    hst: {} #! BPC933"
    ),
    "8.5 requirement": template(SERVER.strip(), "a:", "  type: App", "  requirements:", "  - hots: s #! BPC933"),
    "8.5 target of another type": template(
        "b: {type: App}", "a:", "  type: App", "  requirements:", "  - host: b #! BPC942"
    ),
    "8.5.4 too many": template(
        SERVER.strip(), "a:", "  type: App", "  requirements: [{host: s}, {host: s}, {host: s}] #! BPC941"
    ),
    "8.5.4 all optional": template(
        SERVER.strip(), "a:", "  type: App", "  requirements: [{host: {node: s, optional: true}}] #! BPC941"
    ),
    "9.1.2.2 unit": template("a:", "  type: App", "  properties:", "    sizes: [1 kB, 2 GB] #! BPC925"),
    "9.1.2.2 no space": template("a:", "  type: App", "  properties:", "    sizes: [1kB] #! BPC171"),
    "9.5 value of another type": template("s:", "  type: Server", "  properties:", "    name: 1 #! BPC171"),
    "9.5 required": template("s:", "  type: Server #! BPC173").replace(
        "  s:\n      type: Server #! BPC173", "  s: #! BPC173\n      type: Server"
    ),
    "9.5 unknown": template("s:", "  type: Server", "  properties:", "    name: n", "    nme: n #! BPC170"),
    "9.5 fixed": template("s:", "  type: Server", "  properties:", "    name: n", "    fixed: n #! BPC923"),
    "9.10 condition": template("s:", "  type: Server", "  properties:", "    name: n", "    port: 70000 #! BPC924"),
    "10.3 unknown property": template(
        SERVER.strip(), more="  outputs:\n    o:\n      value: {$get_property: [s, nme]} #! BPC933\n"
    ),
    "11.3 operation": template(
        "s:",
        "  type: Server",
        "  properties: {name: n}",
        "  interfaces:",
        "    life:",
        "      operations:",
        "        crate: {} #! BPC933",
    ),
    "13.2 target": template(
        more="  workflows:\n    w:\n      steps:\n        one:\n"
        "          target: x #! BPC933\n          activities: []\n"
    ).replace("node_templates:\n", "node_templates: {}\n"),
    "13.2.3.3 input": template(
        SERVER.strip(),
        more="  workflows:\n    w:\n      steps:\n        one:\n          target: s\n          activities:\n"
        "          - call_operation: life.create #! BPC173\n",
    ),
    "15.1 node type": template(SERVER.strip(), more="  substitution_mappings: {properties: {}} #! BPC901\n"),
    "15.2 unmapped input": template(
        SERVER.strip(),
        more="  inputs: {i: {type: string}}\n  substitution_mappings: #! BPC943\n    node_type: Server\n",
    ),
    "15.4 capability": template(
        SERVER.strip(),
        more="  substitution_mappings:\n    node_type: Server\n    capabilities:\n      host: [s, hst] #! BPC933\n",
    ),
    "16.2 member": template(
        SERVER.strip(),
        "a: {type: App}",
        more="  groups:\n    g:\n      type: Servers\n      members: [s, a] #! BPC942\n",
    ),
    "16.4 target": template(
        SERVER.strip(), more="  policies:\n  - p:\n      type: Place\n      targets: [x] #! BPC933\n"
    ),
}


@pytest.mark.parametrize("case", [*REFUSED, *TEMPLATES])
def test_what_the_specification_refuses(case: str) -> None:
    text = HEAD + {**REFUSED, **TEMPLATES}[case]
    assert wrong(text) == wanted(text) != []


def test_the_version_comes_first() -> None:
    assert wrong("description: d\n" + HEAD) == [(2, "BPC905")]


def test_an_unknown_version_is_refused_and_one_that_is_like_a_known_one_is_not() -> None:
    assert wrong("tosca_definitions_version: tosca_2_9\n") == [(1, "BPC903")]
    assert wrong("tosca_definitions_version: alien_dsl_2_0_0\n") == []


ACCEPTED = {
    "everything": template(
        SERVER.strip(), "a:", "  type: App", "  properties: {sizes: [1 kB, 0x10 B]}", "  requirements: [{host: s}]",
        more="  outputs: {o: {value: {$concat: [$get_attribute: [s, address], '!']}}}\n",
    ),
    "YAML 1.2": template("s: {type: Server, properties: {name: no, port: 0o17}}"),
    "a whole number is a float": "node_types: {A: {properties: {f: {type: float, default: 1}}}}\n",
    "what is selected needs no values": template("s: {type: Server, directives: [select]}"),
    "a requirement without assignment is fulfilled by the processor": template("a: {type: App}"),
    "custom functions": template("s: {type: Server, properties: {name: {$ours: [1]}}}"),
    "types of a profile that is not here": (
        "imports: [{profile: p, namespace: q}]\nnode_types: {A: {derived_from: 'q:B'}}\n"
        ""
    ),
    "a key that is a list": template(
        SERVER.strip(), "a: {type: App}",
        more="  substitution_mappings: {node_type: App, requirements: [{[host, UNBOUNDED]: [a, host]}]}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_it_accepts(case: str) -> None:
    assert wrong(HEAD + ACCEPTED[case]) == []


def test_what_others_accept_against_the_text_is_a_warning() -> None:
    text = HEAD + "profile: p\nservice_template: {node_templates: {}}\n"
    assert [(one.code, one.severity) for one in check(text.encode())] == [("BPC940", Severity.WARNING)]


def test_a_section_whose_name_is_a_number() -> None:
    assert [one.code for one in check((HEAD + "3: x\nservice_template: {node_templates: {}}\n").encode())] == ["BPC900"]
