"""Edits of generated documents, drawn from the corpus: what was not edited stays, what was is in the result or told.

The last tests are the smallest examples of what such edits have broken."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
import yaml
from corpus_cases import CASES, DIRECTIONS, TOSCA, Case, cases_of, cases_of_tosca
from source_texts import source

from bpconvert import Result, convert
from bpconvert.models.cloudify_checks import check_blueprint
from bpconvert.models.hot_checks import check_names, check_version
from bpconvert.models.plain import cloudify, hot, tosca, validate
from bpconvert.translators.dialects import DIALECTS, load
from bpconvert.translators.provenance.carry import Origin, entries
from bpconvert.translators.support.places import exists, value_at

ROUNDS = 110
ROUNDS_OF_TOSCA = 90
WORD = "zq17word"
#: the same as user data that the plugin does not encode
ENCODED = base64.b64encode(WORD.encode()).decode()
#: say only that there was an edit
SAID = {"BPC620", "BPC623"}
#: sections -> an entry that can be added to them
NEW: dict[str, Any] = {
    "inputs": {"type": "string", "default": WORD},
    "parameters": {"type": "string", "default": WORD},
    "outputs": {"value": WORD},
    "node_templates": {
        "type": "cloudify.nodes.openstack.Network",
        "properties": {"resource_config": {"name": WORD}},
    },
    "resources": {"type": "OS::Neutron::Net", "properties": {"name": WORD}},
}
#: the same where the document is a service template
NEW_TOSCA = {**NEW, "node_templates": {"type": "tosca.nodes.network.Network", "properties": {"network_name": WORD}}}
#: the sections that other sections of a service template are inside of: until 1.3, and since 2.0
BODIES = ("topology_template", "service_template")
Path = tuple[Any, ...]


class Generated:
    """What a case of the corpus becomes, and what it says of its origin."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.text = case.outcome.text or ""
        made, keeper = load(self.text), DIALECTS[case.target_dialect].keeper()
        #: the sections that are inside of another one as they are written
        self.inner = set(made.inside)
        #: the one that these are inside of
        self.body = next((name for name in BODIES if f"\n{name}:" in self.text), "")
        self.own = keeper.find(made.data, case.dialect)
        counterparts = DIALECTS[case.dialect].counterparts(DIALECTS[case.target_dialect])
        self.origin = Origin(keeper.read(made.data, self.own), self.own, made, counterparts, load)
        self.source = load(case.source.read_bytes())

    @cached_property
    def data(self) -> Any:
        """Plain data of which no part is there twice."""
        return self.fresh()

    def fresh(self) -> Any:
        """Another copy of the data, to be edited."""
        found = unshared(yaml.load(self.text, Loader=yaml.CSafeLoader))
        return {**found, **found.pop(self.body)} if self.inner else found

    def places(self) -> list[Path]:
        """The entries that can be edited."""
        return [path for path in entries(self.data) if path != self.own and path[0] in NEW and len(path) == 2]

    def untouched(self, place: Path) -> Iterator[Path]:
        """The entries of the origin that have nothing to do with ``place``."""
        near, size = {place}, 0
        while size != len(near):
            size = len(near)
            for places in self.origin.made.values():
                if near.intersection(places):
                    near.update(places)
        yield from (entry for entry, places in self.origin.made.items() if not near.intersection(places))

    def back(self, document: Any) -> Result:
        """The way back of the document as another tool writes it."""
        if self.inner:
            body = {section: document.pop(section) for section in self.inner & document.keys()}
            document = {**document, self.body: body}
        text = yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False)
        case = self.case
        beside = case.outcome.files
        options = case.options._replace(params=None, orchestrator=None)  # what was decided is not decided again
        return convert(text.encode(), case.target_dialect, case.dialect, beside=beside, options=options)


def unshared(value: Any) -> Any:
    """A copy without parts that are there twice."""
    if isinstance(value, dict):
        return {key: unshared(item) for key, item in value.items()}
    return [unshared(item) for item in value] if isinstance(value, list) else value


def scalars(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of the texts in ``value`` that are free to say anything."""
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        if isinstance(value[step], str) and step != "type":
            yield (*path, step)
        yield from scalars(value[step], (*path, step))


def words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from words(item)
    elif isinstance(value, list):
        for item in value:
            yield from words(item)
    else:
        yield str(value)


def problems(data: Any, dialect: str) -> set[str]:
    if dialect == "tosca":
        _, found = validate(tosca.ServiceTemplate, data)
    elif dialect == "hot":
        template, found = validate(hot.Template, data)
        found = [*found, *check_version(template), *check_names(template)]
    else:
        blueprint, found = validate(cloudify.Blueprint, data)
        found = [*found, *check_blueprint(blueprint)]
    return {f"{problem.path} {problem.text}" for problem in found}


def drawn(usable: list[Case], rounds: int) -> list[tuple[Case, int]]:
    """Cases of the corpus with the seed of an edit."""
    draw = random.Random(17)
    usable = [case for case in usable if case.options.carry and not case.is_mistake]
    return [(case, draw.randrange(2**32)) for case in draw.sample(usable, min(rounds, len(usable)))]


DRAWN = [
    *drawn([case for language in DIRECTIONS for case in cases_of(language)], ROUNDS),
    *drawn(cases_of_tosca(), ROUNDS_OF_TOSCA),
]


def lines(text: str) -> str:
    """``text`` whatever its margin."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@pytest.fixture(scope="module", params=DRAWN, ids=lambda drawn: drawn[0].id)
def generated(request: pytest.FixtureRequest) -> tuple[Generated, random.Random]:
    case, seed = request.param
    if case.outcome.text is None:
        pytest.skip("the source is refused")
    return Generated(case), random.Random(seed)


def test_any_edit(generated: tuple[Generated, random.Random]) -> None:
    """One text is changed, one entry added, one deleted; each on its own."""
    made, draw = generated
    for place in draw.sample(made.places(), min(1, len(made.places()))):
        document = made.fresh()
        inside = list(scalars(value_at(document, place)))
        if inside:
            *steps, last = draw.choice(inside)
            value_at(document, (*place, *steps))[last] = WORD
            check_kept(made, place, made.back(document), told=True)
        document = made.fresh()
        del document[place[0]][place[1]]
        result = made.back(document)
        check_kept(made, place, result, told=False)
        assert {"BPC621", "BPC622"} & {found.code for found in result.diagnostics}
    section = draw.choice([section for section in NEW if section in made.origin.sections.values()])
    document = made.fresh()
    if document.get(section):
        document[section]["zq17new"] = (NEW_TOSCA if made.case.result is TOSCA else NEW)[section]
        check_kept(made, (section, "zq17new"), made.back(document), told=True)


#: sources that only the scanner of their own engine takes
FOR_ITS_ENGINE = ("flow-style",)


def check_kept(made: Generated, place: Path, result: Result, told: bool) -> None:
    """What has to hold of a result, whatever was edited at ``place``. ``told``: the edit put in ``WORD``."""
    data, text = load(result.text).data, lines(result.text)
    if made.case.name not in FOR_ITS_ENGINE:
        yaml.load(result.text, Loader=yaml.CSafeLoader)
    written_out = {found.path[:2] for found in result.diagnostics if found.code == "BPC669"}
    follow = [found.message.split("'")[1] for found in result.diagnostics if found.code == "BPC689"]
    written_out |= {tuple(name.split(".", 1)) for name in follow}
    for entry in made.untouched(place):
        assert exists(data, entry), f"{entry} is lost"
        if entry in ((DIALECTS[made.case.dialect].marker,), ("parameter_groups",)):
            continue  # the version may have to be raised, a group loses a deleted parameter
        if told and WORD in str(value_at(data, entry)):
            continue  # the edit went where its value comes from: an anchor, a choice that became an input of its own
        if entry in written_out:
            continue  # what it referred to was edited, and it has the value that it had; or that is gone
        expected = value_at(made.source.data, entry)
        if entry[0] == "groups":
            expected = without_lost(expected, made.source.data, data)
        elif entry == ("policies",):
            expected = [
                {name: without_lost(one, made.source.data, data, "targets") for name, one in row.items()}
                for row in expected
            ]
        assert value_at(data, entry) == expected, f"{entry} is changed"
        own = source(made.source, entry) if expected == value_at(made.source.data, entry) else None
        if own is not None and not {"&", "*"} & set(made.source.text):
            assert lines(own) in text, f"{entry} does not keep its text"
    if told and not any(form in word for word in words(data) for form in (WORD, ENCODED)):
        found = [found for found in result.diagnostics if found.path[: len(place)] == place]
        assert {diagnostic.code for diagnostic in found} - SAID, f"the edit of {place} is lost silently"
    if told:
        assert problems(data, made.case.dialect) <= problems(made.source.data, made.case.dialect)


def without_lost(group: Any, source: Any, data: Any, key: str = "members") -> Any:
    """A group of the source without the nodes that are not there any more; ``key``: where it names them."""
    members = group.get(key) if isinstance(group, dict) else None
    if not isinstance(members, list):
        return group
    gone = source["node_templates"].keys() - data.get("node_templates", {}).keys()
    return {**group, key: [member for member in members if member not in gone]}


# -- what such edits have broken ----------------------------------------------------------------------------

HEADS = {
    "hot": "heat_template_version: 2013-05-23\n",
    "cloudify": "tosca_definitions_version: cloudify_dsl_1_3\n"
    "imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']\n",
}
OTHER = {"hot": "cloudify", "cloudify": "hot"}


def edited(dialect: str, source: str, *steps: Any, value: Any = None) -> Result:
    """The way back after ``value`` (None: nothing) was put at ``steps`` of the generated document."""
    document = yaml.safe_load(convert(HEADS[dialect] + source, dialect, OTHER[dialect]).text)
    holder = document
    for step in steps[:-1]:
        holder = holder.setdefault(step, {}) if isinstance(holder, dict) else holder[step]
    if value is None:
        del holder[steps[-1]]
    else:
        holder[steps[-1]] = value
    return convert(yaml.safe_dump(document, sort_keys=False), OTHER[dialect], dialect)


def codes(result: Result) -> set[str]:
    return {found.code for found in result.diagnostics}


EXISTING = "8e4f7d8a-0000-4000-8000-000000000001"
NET = "resources:\n  a: {type: OS::Neutron::Net}\n"
SERVER = """\
node_templates:
  web:
    type: cloudify.nodes.openstack.Server
    properties: {agent_config: {install_method: none}, resource_config: {image: {get_secret: img}, flavor: small}}
"""


@pytest.mark.parametrize("empty", ["parameters:\n", "parameters: {}\n"])
def test_an_entry_added_to_an_empty_section(empty: str) -> None:
    result = edited("hot", empty + NET, "inputs", "p", value={"type": "string", "default": WORD})
    assert result.document["parameters"]["p"]["default"] == WORD


def test_a_secret_stays_a_secret_or_its_input_is_declared() -> None:
    result = edited("cloudify", SERVER, "resources", "web", "properties", "flavor", value="big")
    text = result.text
    assert "get_secret: img" in text or "img" in result.document.get("inputs", {})


def test_a_node_of_another_plugin_keeps_its_type() -> None:
    source = "node_templates:\n  r:\n    type: cloudify.nodes.aws.iam.Role\n    properties: {path: /a}\n"
    result = edited("cloudify", source, "resources", "r", "properties", "properties", "path", value="/b")
    assert result.document["node_templates"]["r"] == {
        "type": "cloudify.nodes.aws.iam.Role",
        "properties": {"path": "/b"},
    }


def test_the_version_is_raised_for_keys_too() -> None:
    node = {
        "type": "cloudify.nodes.openstack.Network",
        "properties": {"use_external_resource": True, "resource_config": {"id": EXISTING}},
    }
    result = edited("hot", NET, "node_templates", "b", value=node)
    assert result.document["resources"]["b"].get("external_id")
    assert problems(result.document, "hot") == set()


def test_a_deleted_input_leaves_its_group() -> None:
    source = f"parameters: {{a: {{type: string}}}}\nparameter_groups: [{{label: g, parameters: [a]}}]\n{NET}"
    assert problems(edited("hot", source, "inputs", "a").document, "hot") == set()


def test_what_still_refers_to_a_deleted_entry_is_told() -> None:
    source = f"parameters: {{a: {{type: string}}}}\n{NET}outputs: {{o: {{value: {{get_param: a}}}}}}\n"
    result = edited("hot", source, "inputs", "a")
    assert any(found.severity.name == "ERROR" for found in result.diagnostics)


def test_other_credentials_are_told() -> None:
    connection = {"auth_url": WORD, "username": "u", "password": "p", "project_name": "x"}
    source = f"{NET}  b: {{type: OS::Neutron::Net}}\n"
    result = edited("hot", source, "node_templates", "b", "properties", "client_config", value=connection)
    assert codes(result) - SAID


def test_an_edit_that_changes_nothing_leaves_the_text() -> None:
    """All nodes share the connection: there is nothing in the template that it would be."""
    text = convert(HEADS["hot"] + NET).text
    result = convert(text.replace("openstack_region_name", "another"), "cloudify", "hot")
    assert result.text == HEADS["hot"] + NET
    assert codes(result) - SAID


def test_an_unknown_property_of_a_stand_in_is_told() -> None:
    source = "resources:\n  r: {type: X::Y, properties: {a: 1}}\n"
    result = edited("hot", source, "node_templates", "r", "properties", "mine", value=WORD)
    assert WORD in result.text or codes(result) - SAID


def test_a_section_written_twice_is_told() -> None:
    text = convert(HEADS["hot"] + NET).text
    begin = text.index("node_templates:")
    twice = f"{text[:begin]}node_templates:\n  b: {{type: cloudify.nodes.Root}}\n\n{text[begin:]}"
    assert "BPC102" in codes(convert(twice, "cloudify", "hot"))


def test_anchors_of_other_entries_do_not_cost_an_entry_its_text() -> None:
    source = (
        "dsl_definitions:\n  c: &c {region: { get_input: r }}\ninputs:\n  r: { default: 1 }\nnode_templates:\n"
        "  a: { type: cloudify.nodes.Root }\n  b: {type: x.B, properties: {c: *c}}\noutputs:\n  o: { value: 1 }\n"
    )
    text = edited("cloudify", source, "outputs", "o", "value", value=2).text
    assert "  a: { type: cloudify.nodes.Root }\n" in text
    assert "*c" in text


def test_an_edit_of_what_was_imported_leaves_the_imports() -> None:
    case = next(case for case in CASES if case.id == "cfy-imports-a-local-file")
    document = yaml.safe_load(case.outcome.text or "")
    document["parameters"]["network_name"]["default"] = WORD
    result = convert(yaml.safe_dump(document), case.target_dialect, case.dialect, beside=case.outcome.files)
    assert "plugin:cloudify-openstack-plugin" in result.document.get("imports", [])


def test_what_the_user_chose_for_the_way_there_does_not_matter() -> None:
    subnet = "  s: {type: OS::Neutron::Subnet, properties: {network: {get_resource: a}, cidr: 10.0.0.0/24}}\n"
    source = HEADS["hot"] + NET + subnet
    made = convert(source, client_config="none")
    result = convert(made.text.replace("cidr: 10.0.0.0/24", "cidr: 10.9.0.0/24", 1), "cloudify", "hot")
    properties = {"network": {"get_resource": "a"}, "cidr": "10.9.0.0/24"}
    assert list(result.document["resources"]["s"]["properties"].items()) == list(properties.items())


def test_a_byte_order_mark_comes_back() -> None:
    source = "\ufeff" + HEADS["hot"] + NET
    assert convert(convert(source).text, "cloudify", "hot").text == source


@pytest.mark.parametrize("files", ["[]", "null", '{"a": 1}', "[" * 3000], ids=["list", "null", "number", "deep"])
def test_a_damaged_list_of_files_is_told(files: str) -> None:
    result = edited("hot", NET, "metadata", "bpconvert", "files", value=files)
    assert "BPC624" in codes(result)


@pytest.mark.parametrize(
    ("key", "value"),
    [("source", "x"), ("text", "a: 1\n"), ("made", '[[["resources","a"],[[]]]]'), ("made", "[" * 3000)],
    ids=["source", "text", "made", "deep"],
)
def test_other_damage_is_told(key: str, value: str) -> None:
    result = edited("hot", NET, "metadata", "bpconvert", key, value=value)
    assert "BPC624" in codes(result)
