"""Types without a counterpart: the table of what is lost, and the words that users read."""

from __future__ import annotations

import pytest

from bpconvert.api import convert
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.stand_ins import Loss, counted, loss, losses
from bpconvert.translators.catalogue.types import builtin

#: types that become scaling groups, not nodes
GROUPS = dict.fromkeys(("OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup"))


def rows() -> list[tuple[str, str, Loss]]:
    return [(section, name, row) for section, table in losses().items() for name, row in table.items()]


@pytest.mark.parametrize(("section", "name", "row"), rows(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_row_is_a_clause_and_a_sentence(section: str, name: str, row: Loss) -> None:
    assert section in ("hot", "cloudify", "tosca")
    assert row.lost[0].islower() or row.lost.startswith(("Heat", "Terraform", "Docker", "Kubernetes", "CloudFormation",
                                                         "TripleO"))  # fmt: skip
    assert not row.lost.endswith(".")
    assert row.todo[0].isupper()
    assert row.todo.endswith(".")
    assert "{" not in row.lost + row.todo


def test_other_targets_than_heat_read_no_words_of_heat() -> None:
    words = ("OS::", "stack", "parameter", "software deployment")
    for name, row in losses()["cloudify"].items():
        text = f"{row.lost} {row.elsewhere or row.todo}"
        assert [word for word in words if word in text] == [], name
        assert not row.elsewhere or (row.elsewhere[0].isupper() and row.elsewhere.endswith(".")), name


def test_no_row_names_a_type_that_is_converted() -> None:
    mapped = {language: builtin().types(language) for language in losses()}
    mapped["hot"] |= builtin().written_only("hot")
    for section, name, _ in rows():
        assert mapped[section].get(name) is None, name


def test_the_longest_row_counts() -> None:
    balancer, other = loss("hot", ["OS::Neutron::Pool"]), loss("hot", ["OS::Neutron::AddressScope"])
    assert balancer is not None
    assert "balances" in balancer.lost
    assert other is not None
    assert "node type" in other.lost
    assert loss("hot", ["OS::Heat::WaitConditionX"]) is None
    assert loss("hot", ["My::Type"]) is None
    assert loss("hot", ["OS::Nova::OurServer"]) is None  # a namespace of Heat, but none of its types
    assert loss("hot", ["OS::TripleO::OurServer"]) is not None


def test_a_parent_speaks_for_an_unknown_type() -> None:
    found = loss("cloudify", ["my.Vpc", "cloudify.nodes.aws.ec2.Vpc", "cloudify.nodes.Root"])
    assert found == loss("cloudify", ["cloudify.nodes.aws.ec2.Vpc"])
    assert loss("cloudify", ["my.Type", "cloudify.nodes.Root"]) is None


def test_what_is_derived_from_what_does_nothing_may_do_something() -> None:
    root = loss("tosca", ["tosca.nodes.Root"])
    assert root is not None
    assert root.bare
    assert loss("tosca", ["my.Type", "tosca.nodes.Root"]) is None


def test_every_type_of_heat_is_mapped_or_has_words() -> None:
    """Of those that Heat itself has: nobody is told no more than that there is no counterpart."""
    mapped = builtin().types("hot") | builtin().written_only("hot")
    unknown = [name for name in schemas.heat_types() if name not in mapped | GROUPS]
    assert [name for name in unknown if loss("hot", [name]) is None] == []


HOT = """heat_template_version: 2018-08-31
resources:
  ready: {type: "OS::Heat::UpdateWaitConditionHandle"}
  nothing: {type: "OS::Heat::None", properties: {a: 1}}
  other: {type: "My::Type"}
"""


def test_users_of_heat_read_what_is_lost() -> None:
    found = {d.path[1]: (d.code, d.hint) for d in convert(HOT).diagnostics if len(d.path) == 2}
    assert {name: code for name, (code, _) in found.items()} == {
        "ready": "BPC790", "nothing": "BPC796", "other": "BPC300",
    }  # fmt: skip
    assert "user data" in found["ready"][1]


BLUEPRINT = """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml]
node_types:
  my.Key: {derived_from: cloudify.nodes.secrets.Writer}
  my.App: {derived_from: cloudify.nodes.Root, interfaces: {i: {o: {implementation: plugin.tasks.create}}}}
node_templates:
  key: {type: my.Key}
  app: {type: my.App}
"""


def test_users_of_cloudify_read_what_is_lost() -> None:
    result = convert(BLUEPRINT, "cloudify", "hot")
    found = {d.path[1]: (d.code, d.hint) for d in result.diagnostics if d.code in ("BPC380", "BPC791")}
    assert {name: code for name, (code, _) in found.items()} == {"key": "BPC791", "app": "BPC380"}
    assert "OS::Barbican::Secret" in found["key"][1]


def test_stand_ins_are_counted_by_platform() -> None:
    aws, azure = ["cloudify.nodes.aws.ec2.Vpc", "cloudify.nodes.Root"], ["cloudify.azure.nodes.network.VirtualNetwork"]
    assert counted([aws, ["my.Net", *aws], azure]) == "2 of AWS, 1 of Azure"
    assert counted([aws, ["cloudify.nodes.Root"]]) == "1 of AWS, 1 others"
    assert counted([["OS::Zaqar::Queue"], ["tosca.nodes.Abstract.Compute"]]) == "2"


def test_users_of_tosca_read_what_is_lost() -> None:
    result = convert(BLUEPRINT, "cloudify", "tosca")
    hints = {d.path[1]: d.hint for d in result.diagnostics if d.code == "BPC802"}
    assert hints == {"key": "Give the secret as an input."}
