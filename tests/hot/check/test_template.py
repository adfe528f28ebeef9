"""``bpconvert.check`` of HOT templates: what Heat refuses is found at its place, what it takes is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import Diagnostic, check, convert

VERSION = "heat_template_version: 2018-08-31\n"


def findings(text: str) -> list[Diagnostic]:
    return check(VERSION + text)


def codes(text: str) -> list[tuple[str, str]]:
    """Code and severity of everything that is found."""
    return [(found.code, str(found.severity)) for found in findings(text)]


def resource(type: str, properties: str) -> str:
    return f"resources:\n  one:\n    type: {type}\n    properties: {properties}\n"


def one(type: str, properties: str) -> Diagnostic:
    """The only finding about a resource."""
    found = findings(resource(type, properties))
    assert len(found) == 1, found
    return found[0]


# -- properties -----------------------------------------------------------------------------------------------


def test_a_property_that_heat_has_not_implemented() -> None:
    found = codes(resource("AWS::EC2::VPC", "{CidrBlock: 10.0.0.0/8, InstanceTenancy: x}"))
    assert ("BPC183", "error") in found


def test_an_unknown_property_and_what_may_be_meant() -> None:
    found = one("OS::Neutron::Net", "{admin_state: true}")
    assert (found.code, found.span.line, found.span.column) == ("BPC170", 5, 18)
    assert found.path == ("resources", "one", "properties", "admin_state")
    assert found.message == "OS::Neutron::Net has no property 'admin_state'; did you mean 'admin_state_up'?"


def test_an_unknown_key_inside_of_a_property() -> None:
    found = one("OS::Neutron::Port", "{network: a, fixed_ips: [{subnt: b}]}")
    assert found.path == ("resources", "one", "properties", "fixed_ips", 0, "subnt")


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ("{size: many}", "a whole number, not the text 'many'"),
        ("{size: [1]}", "a whole number, not a list"),
        ("{size: 1, name: [a]}", "text, not a list"),
        ("{size: 1, name: 1.5}", "text, not the number 1.5"),
        ("{size: 1, read_only: 1}", "true or false, not the number 1"),
        ("{size: 1, read_only: sure}", "true or false, not the text 'sure'"),
        ("{size: 1, metadata: text}", "a map, not the text 'text'"),
    ],
)
def test_values_that_cannot_be_coerced(properties: str, wanted: str) -> None:
    found = one("OS::Cinder::Volume", properties)
    assert found.code == "BPC171"
    assert found.message.endswith(f"must be {wanted}")


@pytest.mark.parametrize(
    "properties",
    ["{size: '10'}", "{size: 1.9}", "{size: 1, name: 12}", "{size: 1, name: true}", "{size: 1, read_only: 'TRUE'}"],
)
def test_values_that_heat_coerces(properties: str) -> None:
    assert codes(resource("OS::Cinder::Volume", properties)) == []


@pytest.mark.parametrize(
    ("type", "properties", "problem"),
    [
        ("OS::Nova::KeyPair", "{name: ''}", "must have 1 to 255 characters, not 0"),
        ("OS::Nova::KeyPair", "{name:}", "must have 1 to 255 characters, not 0"),
        ("OS::Nova::KeyPair", "{name: a, type: rsa}", "must be one of ssh, x509, not 'rsa'"),
        ("OS::Cinder::Volume", "{size: 0}", "must be at least 1, not 0"),
        ("OS::Neutron::Subnet", "{network: a, cidr: 10.0.0.0}", "must be a network in CIDR notation, not '10.0.0.0'"),
        ("OS::Neutron::Port", "{network: a, mac_address: here}", "must be a MAC address, not 'here'"),
    ],
)
def test_values_that_break_a_restriction(type: str, properties: str, problem: str) -> None:
    found = one(type, properties)
    assert found.code == "BPC172"
    assert found.message.endswith(problem)


def test_a_required_property() -> None:
    found = one("OS::Neutron::Port", "{name: a}")
    assert (found.code, found.path) == ("BPC173", ("resources", "one", "properties"))
    assert found.message == "OS::Neutron::Port needs the property 'network'"


def test_an_older_name_says_a_required_property() -> None:
    assert codes(resource("OS::Neutron::Port", "{network_id: a}")) == [("BPC177", "info")]


@pytest.mark.parametrize(
    ("type", "properties", "problem"),
    [
        ("OS::Neutron::Subnet", "{network: a}", "one of 'cidr', 'subnetpool' is needed"),
        ("OS::Neutron::Subnet", "{network: a, network_id: a, cidr: 10.0.0.0/8}", "is an older name of 'network'"),
        ("OS::Neutron::Port", "{network: a, no_fixed_ips: true, fixed_ips: [{subnet: a}]}", "exclude each other"),
        ("OS::Nova::Server", "{flavor: a}", "is needed to boot from"),
        ("OS::Nova::Server", "{flavor: a, image: b, networks: [{fixed_ip: 10.0.0.1}]}", "needs one of 'network'"),
        ("OS::Nova::Server", "{flavor: a, image: b, block_device_mapping_v2: [{volume_id: c}]}", "only one of 'image'"),
        ("OS::Neutron::SecurityGroup", "{name: default}", "cannot be called 'default'"),
    ],
)
def test_combinations(type: str, properties: str, problem: str) -> None:
    found = [item for item in findings(resource(type, properties)) if item.code == "BPC182"]
    assert len(found) == 1
    assert problem in found[0].message


def test_properties_of_what_exists_and_of_none_are_free() -> None:
    assert codes("resources: {a: {type: OS::Nova::KeyPair, external_id: x, properties: {nam: 1}}}") == []
    assert codes("resources: {a: {type: OS::Heat::None, properties: {anything: 1}}}") == []


def test_an_attribute_for_a_map_that_needs_a_key_is_null_when_heat_looks() -> None:
    text = resource("OS::Mistral::CronTrigger", "{pattern: a, workflow: {get_attr: [flow, data]}}")
    found = findings(text + "  flow: {type: OS::Mistral::Workflow, properties: {type: direct, tasks: []}}\n")
    assert [item.code for item in found if item.path[:2] == ("resources", "one")] == ["BPC173"]


# -- only sometimes -------------------------------------------------------------------------------------------


def test_a_default_may_be_refused() -> None:
    text = "parameters: {p: {type: string, default: rsa}}\n"
    found = findings(text + resource("OS::Nova::KeyPair", "{name: a, type: {get_param: p}}"))
    assert [(item.code, str(item.severity)) for item in found] == [("BPC176", "warning")]
    assert found[0].path == ("resources", "one", "properties", "type")


def test_a_computed_value_may_be_refused() -> None:
    text = "parameters: {p: {type: string, default: a}}\n"
    joined = "{name: {list_join: ['', {get_param: p}]}}"
    assert codes(text + resource("OS::Nova::KeyPair", joined)) == [("BPC176", "warning")]


def test_a_branch_may_be_refused_and_one_that_is_never_taken_is_not() -> None:
    given = "parameters: {p: {type: string}}\nconditions: {c: {equals: [{get_param: p}, a]}, never: false}\n"
    for condition, expected in (("c", [("BPC176", "warning")]), ("never", [])):
        text = resource("OS::Nova::KeyPair", f"{{name: {{if: [{condition}, [1], a]}}}}")
        assert (
            codes(given + (text if condition == "c" else text + "outputs: {o: {value: {get_param: p}}}\n")) == expected
        )


def test_a_resource_that_is_never_there() -> None:
    assert codes("conditions: {c: false}\nresources: {a: {type: OS::Nova::Nope, condition: c}}") == [
        ("BPC176", "warning")
    ]


def test_references_of_a_resource_that_is_never_there() -> None:
    one = "{type: OS::Heat::RandomString, condition: c, depends_on: nobody, properties: {salt: {get_param: gone}}}"
    assert codes(f"conditions: {{c: false}}\nresources: {{a: {one}}}") == [("BPC176", "warning")] * 2


def test_members_of_a_group_are_refused_when_they_are_made() -> None:
    member = "{count: 1, resource_def: {type: OS::Nova::KeyPair, properties: {name: [1], nam: a}}}"
    assert codes(resource("OS::Heat::ResourceGroup", member)) == [("BPC176", "warning")] * 2


# -- references -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ("{name: {get_param: nobody}}", "there is no parameter 'nobody'"),
        ("{name: {get_resource: nobody}}", "there is no resource 'nobody'"),
        ("{name: {get_attr: [nobody, x]}}", "there is no resource 'nobody'"),
        ("{name: {if: [nobody, a, b]}}", "there is no condition 'nobody'"),
    ],
)
def test_references_that_lead_nowhere(properties: str, message: str) -> None:
    found = one("OS::Heat::RandomString", properties.replace("name", "salt"))
    assert (found.code, found.message) == ("BPC178", message)


def test_depends_on_and_conditions_of_resources() -> None:
    text = "resources: {a: {type: OS::Heat::RandomString, depends_on: [b], condition: c}}"
    assert codes(text) == [("BPC178", "error")] * 2


def test_heat_does_not_look_at_references_in_outputs_and_unused_conditions() -> None:
    assert codes("outputs: {o: {value: {get_param: nobody}}}") == [("BPC176", "warning")]
    assert codes("conditions: {c: {not: nobody}}") == [("BPC176", "warning")]


def test_attributes() -> None:
    text = (
        "resources: {a: {type: OS::Nova::KeyPair, properties: {name: a}}}\noutputs: {o: {value: {get_attr: [a, %s]}}}"
    )
    assert codes(text % "public_key") == codes(text % "show") == []
    found = findings(text % "publickey")
    assert [item.message for item in found] == [
        "OS::Nova::KeyPair has no attribute 'publickey'; did you mean 'public_key'?"
    ]


def test_attributes_that_a_class_makes_up() -> None:
    group = resource("OS::Heat::ResourceGroup", "{resource_def: {type: OS::Heat::RandomString}}")
    assert codes(group + "outputs: {o: {value: {get_attr: [one, resource.0.value]}}}") == []


def test_files(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("x")
    place = tmp_path / "a.yaml"
    place.write_text(VERSION + resource("OS::Heat::Value", "{value: [{get_file: there.txt}, {get_file: gone.txt}]}"))
    assert [(found.code, found.message) for found in check(place)] == [("BPC179", "there is no file 'gone.txt'")]


# -- types and the whole --------------------------------------------------------------------------------------


def test_unknown_types_and_aliases() -> None:
    found = findings("resources: {a: {type: OS::Nova::Sever}}")
    assert [item.message for item in found] == [
        "there is no resource type 'OS::Nova::Sever'; did you mean 'OS::Nova::Server'?"
    ]
    assert codes("resources: {a: {type: OS::Quantum::Port, properties: {network: b}}}") == []
    assert codes("resources: {a: {type: AWS::RDS::DBInstance}}") == []


def test_an_environment_says_what_types_stand_for(tmp_path: Path) -> None:
    environment = tmp_path / "env.yaml"
    environment.write_text("resource_registry: {Acme::Key: OS::Nova::KeyPair}\nparameters: {p: [1]}\n")
    text = VERSION + "parameters: {p: {type: json}}\n" + resource("Acme::Key", "{name: {get_param: p}}")
    assert [found.code for found in check(text)] == ["BPC175"]
    assert [found.code for found in check(text, environments=[str(environment)])] == ["BPC176"]


def test_types_of_a_mapping_are_known(tmp_path: Path) -> None:
    mapping = tmp_path / "types.yaml"
    mapping.write_text("kind: acme_key\nheat: [Acme::Key]\ncloudify: {type: acme.nodes.Key, plugin: 'plugin:acme'}\n")
    assert check(VERSION + "resources: {a: {type: Acme::Key}}\n", types=[str(mapping)]) == []


def test_what_is_out_of_date_is_told() -> None:
    found = findings("resources: {a: {type: OS::Nova::FloatingIP}}")
    assert [(item.code, item.message) for item in found] == [
        ("BPC177", "OS::Nova::FloatingIP is hidden since Heat 11.0.0")
    ]


def test_circles() -> None:
    text = "resources:\n  a: {type: OS::Heat::RandomString, depends_on: b}\n  b: {type: OS::Heat::RandomString, "
    found = findings(text + "metadata: {x: {get_resource: a}}}\n")
    assert [(item.code, item.message) for item in found] == [("BPC180", "each waits for the next one: a -> b -> a")]


def test_unused_parameters() -> None:
    assert codes("parameters: {p: {type: string}}") == [("BPC181", "info")]
    computed = "parameters: {p: {type: string}, q: {type: string}}\noutputs: {o: {value: {get_param: {get_param: q}}}}"
    assert ("BPC181", "info") not in codes(computed)


def test_policies() -> None:
    text = "resources: {a: {type: OS::Heat::RandomString, deletion_policy: Snapshot, update_policy: {b: 1}}}"
    assert sorted(codes(text)) == [("BPC170", "error"), ("BPC184", "error")]


def test_what_reading_refuses_is_among_the_findings() -> None:
    assert ("BPC120", "error") in codes("parameters: {p: {type: text}}")
    assert ("BPC102", "warning") in codes("parameters: {a: {type: string}}\nparameters: {}")
    assert ("BPC252", "info") in codes("parameters: {}\nparameters: {}")


def test_an_environment_that_leads_in_a_circle(tmp_path: Path) -> None:
    environment = tmp_path / "env.yaml"
    environment.write_text("resource_registry: {Acme::A: Acme::B, Acme::B: Acme::A}\n")
    (found,) = check(VERSION + resource("Acme::A", "{}"), environments=[str(environment)])
    assert found.message == "there is no resource type 'Acme::A'; did you mean 'Acme::B'?"


@pytest.mark.parametrize("call", ["{list_join: ['-', [[1], 2]]}", "{str_split: ['-', 5]}", "{digest: [none, x]}"])
def test_a_call_that_heat_refuses_to_compute(call: str) -> None:
    text = VERSION + f"outputs: {{o: {{value: {call}}}}}\nresources: {{n: {{type: OS::Neutron::Net}}}}\n"
    converted = [found.span for found in convert(text).diagnostics if found.code == "BPC204"]
    assert [found.span for found in check(text) if found.code == "BPC204"] == converted
    assert len(converted) == 1
