"""The language models: what each language accepts, what is repaired and reported, and since which version a key exists.

The verdicts in the tables are those of the real engines (openstack-heat 27.0.1, cloudify-common 7.0.5)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml
from checkout import REALWORLD
from pydantic import ValidationError

from bpconvert.models.checks import Problem
from bpconvert.models.cloudify_checks import check_blueprint, to_data
from bpconvert.models.hot_checks import check_names, check_version, kind_of
from bpconvert.models.hot_versions import VERSIONS, resolve_version
from bpconvert.models.plain import cloudify, hot, validate


class TextTimestamps(yaml.SafeLoader):
    """Heat's reading of YAML: timestamps stay text."""


TextTimestamps.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_hot(text: str) -> Any:
    return yaml.load(text, TextTimestamps)


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def changed(base: Any, place: str, value: Any) -> Any:
    """A copy of ``base`` with ``value`` at the dotted ``place`` (a JSON text; numbers are list indexes)."""
    path = [int(step) if step.isdigit() else step for step in place.split("/")]
    data = copy.deepcopy(base)
    at(data, tuple(path[:-1]))[path[-1]] = value
    return data


def primaries(family: str) -> list[Any]:
    manifest = REALWORLD / family / "manifest.json"
    if not manifest.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no real {family} files in {REALWORLD}"))]
    files = json.loads(manifest.read_text())["files"]
    return [pytest.param(f["path"], id=f["path"]) for f in files if f["role"] == "primary"]


HOT = load_hot("""
heat_template_version: 2021-04-16
description: d
parameter_groups: [{label: l, description: d, parameters: [s], extra: ignored}]
parameters:
  s:
    type: string
    label: l
    description: d
    default: abc
    hidden: true
    immutable: true
    tags: [a]
    schema: {ignored: true}
    constraints:
      - {length: {min: 1, max: '4'}, description: x}
      - {allowed_values: [abc, b]}
      - {allowed_pattern: 'a.*'}
      - {custom_constraint: nova.keypair}
  n: {type: number, default: 4, constraints: [{range: {min: 1}}, {modulo: {step: 2, offset: 0}}]}
  l: {type: comma_delimited_list, default: 'a,b'}
  j: {type: json, default: {a: 1}}
  b: {type: boolean}
conditions: {k: {equals: [a, b]}, always: true}
resources:
  r:
    type: OS::Heat::Value
    description: d
    properties: {value: 1}
    metadata: {a: 1}
    depends_on: [q]
    update_policy: {}
    deletion_policy: Delete
    condition: k
  q: {type: OS::Heat::RandomString, depends_on: e}
  e: {type: OS::Heat::Value, external_id: x}
outputs:
  o: {value: null, description: d, condition: {not: k}}
""")


def hot_problems(data: Any) -> list[Problem]:
    template, problems = validate(hot.Template, data)
    return problems + check_version(template) + check_names(template)


class TestHot:
    def test_every_key_is_read(self) -> None:
        template, problems = validate(hot.Template, HOT)
        assert problems == []
        assert hot_problems(HOT) == []
        parameter = template.parameters["s"]
        assert (parameter.type, parameter.label, parameter.hidden, parameter.tags) == ("string", "l", True, ["a"])
        assert parameter.schema_ == {"ignored": True}
        assert [(kind_of(c), getattr(c, kind_of(c))) for c in parameter.constraints or ()] == [
            ("length", {"min": 1, "max": "4"}),
            ("allowed_values", ["abc", "b"]),
            ("allowed_pattern", "a.*"),
            ("custom_constraint", "nova.keypair"),
        ]
        assert template.resources["r"].condition == "k"
        assert template.resources["q"].depends_on == "e"
        assert template.outputs["o"].value is None
        assert template.parameter_groups is not None
        assert template.parameter_groups[0].model_extra == {"extra": "ignored"}

    def test_free_values_stay_the_same_objects(self) -> None:
        template, _ = validate(hot.Template, HOT)
        resource, raw = template.resources["r"], HOT["resources"]["r"]
        for key in ("properties", "metadata", "update_policy", "depends_on"):
            assert getattr(resource, key) is raw[key]
        assert template.parameters["j"].default is HOT["parameters"]["j"]["default"]
        assert template.outputs["o"].condition is HOT["outputs"]["o"]["condition"]
        assert template.conditions is HOT["conditions"]

    def test_first_kind_of_a_constraint_counts(self) -> None:
        item = {"allowed_pattern": 3, "length": {"min": 1}, "description": "d"}
        constraint = hot.Constraint.checked(item)
        assert (kind_of(constraint), constraint.length) == ("length", {"min": 1})

    @pytest.mark.parametrize(
        ("place", "value"),
        [
            ("resources", None),
            ("resources", ""),
            ("parameters", []),
            ("outputs", None),
            ("parameter_groups", None),
            ("description", 5),
            ("parameters/s/label", 5),
            ("parameters/s/hidden", "maybe"),
            ("parameters/s/default", None),
            ("parameters/s/constraints", None),
            ("parameters/s/constraints/0/length/max", 4),
            ("outputs/o/unknown", 1),
            ("outputs/o/condition", None),
            ("resources/r/condition", False),
            ("resources/r/deletion_policy", "retain"),
            ("resources/r/depends_on", []),
        ],
    )
    def test_accepted(self, place: str, value: Any) -> None:
        template, problems = validate(hot.Template, changed(HOT, place, value))
        assert problems == []
        assert check_version(template) == []

    @pytest.mark.parametrize(
        ("place", "value", "path", "text"),
        [
            ("Resources", {}, "Resources", "unknown section 'Resources' of a template"),
            ("conditions", None, "conditions", "'conditions' of a template must be a map, not null"),
            ("resources", 5, "resources", "'resources' of a template must be a map, not the number 5"),
            ("parameters/s/type", "String", "parameters/s/type", "'type' of a parameter is unknown: 'String' (known: "),
            ("parameters/s", "string", "parameters/s", "parameter 's' must be a map, not the text 'string'"),
            ("parameters/s", {}, "parameters/s", "'type' of a parameter is missing"),
            ("parameters/s/required", True, "parameters/s/required", "unknown key 'required' of a parameter"),
            ("parameters/s/tags", None, "parameters/s/tags", "'tags' of a parameter must be a list, not null"),
            ("parameters/s/constraints", {}, "parameters/s/constraints", "must be a list, not a map"),
            ("parameters/s/constraints/1", {"x": 1}, "parameters/s/constraints/1", "does not say what is allowed"),
            ("parameters/s/constraints/1", {"length": {}}, "parameters/s/constraints/1", "needs a min or a max"),
            ("parameters/s/constraints/1", {"length": {"min": "a"}}, "parameters/s/constraints/1", "is no number"),
            ("parameters/s/constraints/1", {"length": 3}, "parameters/s/constraints/1", "not a map but the number 3"),
            ("parameters/s/constraints/1", {"range": {"max": 1, "x": 2}}, "parameters/s/constraints/1", "unknown key"),
            ("parameters/s/constraints/1", {"allowed_values": "a"}, "parameters/s/constraints/1", "is not a list"),
            ("parameters/s/constraints/1", {"allowed_pattern": "("}, "parameters/s/constraints/1", "no regular expr"),
            ("parameters/n/constraints/1", {"modulo": {"step": 2}}, "parameters/n/constraints/1", "both step and off"),
            ("parameters/n/constraints/1", {"modulo": {"step": 2, "offset": 2}}, "parameters/n/constraints/1", "betw"),
            ("resources/r", None, "resources/r", "resource 'r' must be a map, not null"),
            ("resources/r", {"properties": {}}, "resources/r", "'type' of a resource is missing"),
            (
                "resources/r/type",
                {"get_param": "s"},
                "resources/r/type",
                "'type' of a resource must be text, not a map",
            ),
            ("resources/r/count", 3, "resources/r/count", "unknown key 'count' of a resource"),
            ("resources/r/resource_def", {}, "resources/r/resource_def", "unknown key 'resource_def' of a resource"),
            ("resources/r/properties", None, "resources/r/properties", "must be a map, not null"),
            ("resources/r/description", 5, "resources/r/description", "must be text, not the number 5"),
            ("resources/r/depends_on", ["a", 5], "resources/r/depends_on", "must name resources, not the number 5"),
            ("resources/r/deletion_policy", "Keep", "resources/r/deletion_policy", "Delete, Retain or Snapshot"),
            ("resources/r/condition", None, "resources/r/condition", "must be the name of a condition"),
            ("outputs/o", {"description": "d"}, "outputs/o", "'value' of an output is missing"),
            ("outputs/o", {"get_attr": ["r", "value"]}, "outputs/o", "'value' of an output is missing"),
            ("outputs/o", "text", "outputs/o", "output 'o' must be a map, not the text 'text'"),
            ("parameter_groups/0/parameters", None, "parameter_groups/0/parameters", "must be a list, not null"),
        ],
    )
    def test_refused(self, place: str, value: Any, path: str, text: str) -> None:
        data = changed(HOT, place, value)
        before = copy.deepcopy(data)
        template, problems = validate(hot.Template, data)
        assert data == before
        where = "/".join(map(str, problems[0].path))
        assert (where, text in problems[0].text) == (path, True), problems[0]
        if problems[0].removed:
            assert problems[0].value is at(data, problems[0].path)
        assert isinstance(template, hot.Template)

    def test_what_has_no_type_is_kept(self) -> None:
        data = {
            "parameters": {"p": "text", "q": {"type": "snafjsa", "default": 1}},
            "resources": {"r": {"metadata": {}}},
        }
        template, problems = validate(hot.Template, data)
        assert {name: p.type for name, p in template.parameters.items()} == {"p": "", "q": ""}
        assert template.parameters["q"].default == 1
        assert (template.resources["r"].type, template.resources["r"].metadata) == ("", {})
        assert [(p.path, p.removed, p.value) for p in problems] == [
            (("parameters", "p"), True, "text"),
            (("parameters", "q", "type"), True, "snafjsa"),
            (("resources", "r"), False, None),
        ]

    def test_list_indexes_stay_the_users(self) -> None:
        items = [
            {"x": 1},
            {"length": {"min": 1, "typo": 2}},
            {"allowed_values": ["a"], "what": 1},
            {"length": {"min": 2}},
        ]
        template, problems = validate(hot.Template, {"parameters": {"p": {"type": "string", "constraints": items}}})
        assert [p.path[2:] for p in problems] == [("constraints", 0), ("constraints", 1), ("constraints", 2, "what")]
        assert [kind_of(c) for c in template.parameters["p"].constraints or ()] == ["allowed_values", "length"]

    def test_names_must_be_text(self) -> None:
        template, problems = validate(hot.Template, {"resources": {5: {"type": "x"}, "a": {"type": "x"}}, True: 1})
        assert list(template.resources) == ["a"]
        assert [p.path for p in problems] == [("resources", 5), (True,)]

    def test_a_name_in_a_map_is_no_key(self) -> None:
        interfaces = {"type": "string", "i": {"o": "a.sh"}}
        blueprint, problems = validate(cloudify.Blueprint, {"node_templates": {"n": {"interfaces": interfaces}}})
        assert ("node_templates", "n", "interfaces", "type") in [p.path for p in problems]
        assert list(blueprint.node_templates["n"].interfaces or ()) == ["i"]

    def test_no_map_at_all(self) -> None:
        with pytest.raises(ValidationError):
            validate(hot.Template, ["heat_template_version"])

    @pytest.mark.parametrize(
        ("place", "value", "since"),
        [
            ("conditions", {}, "2016-10-14"),
            ("resources/r/condition", True, "2016-10-14"),
            ("resources/r/external_id", "x", "2016-10-14"),
            ("resources/r/deletion_policy", "delete", "2016-10-14"),
            ("outputs/o/condition", True, "2016-10-14"),
            ("parameters/p/tags", [], "2018-03-02"),
            ("parameters/p/constraints", [{"modulo": {"step": 1, "offset": 0}}], "2017-02-24"),
            ("parameters/p/immutable", True, "2013-05-23"),
            ("parameters/p/schema", {}, "2013-05-23"),
        ],
    )
    def test_since(self, place: str, value: Any, since: str) -> None:
        base = {
            "parameters": {"p": {"type": "number"}},
            "resources": {"r": {"type": "t"}},
            "outputs": {"o": {"value": 1}},
        }
        template, problems = validate(hot.Template, changed(base, place, value))
        assert problems == []
        for version in VERSIONS:
            assert bool(check_version(template, version)) == (version < since), version

    @pytest.mark.parametrize(
        ("version", "date"),
        [("2013-05-23", "2013-05-23"), ("newton", "2016-10-14"), ("wallaby", "2021-04-16"), ("train", None), (5, None)],
    )
    def test_versions(self, version: Any, date: str | None) -> None:
        found = resolve_version(version)
        assert (found.date if found else None) == date
        template, problems = validate(hot.Template, {"heat_template_version": version})
        assert bool(problems + check_version(template)) == (date is None)

    @pytest.mark.parametrize(
        ("data", "text"),
        [
            (
                {"parameters": {"a": {"type": "json"}}, "resources": {"a": {"type": "t"}}},
                "'a' is the name of a parameter",
            ),
            ({"resources": {"a/b": {"type": "t"}}}, "cannot contain '/'"),
            ({"parameter_groups": [{"parameters": ["a"]}]}, "there is no parameter 'a'"),
            ({"parameter_groups": [{"parameters": ["OS::stack_id", "OS::stack_id"]}]}, "is in a group already"),
            (
                {"parameters": {"a": {"type": "json", "constraints": [{"allowed_values": []}]}}},
                "a json parameter cannot have 'allowed_values'",
            ),
        ],
    )
    def test_names(self, data: Any, text: str) -> None:
        template, problems = validate(hot.Template, data)
        assert problems == []
        assert [text in problem.text for problem in check_names(template)] == [True]


#: the real HOT files that Heat refuses for what the models check: file name -> paths of the problems
REFUSED_HOT = {
    "template_missing_specified_vf_module_name_in_rsg.yaml": {
        ("resources", "example_rsg_0", "count"),
        ("resources", "example_rsg_0", "resource_def"),
    },
    "valid_heat_template.yml": {
        ("conditions",),
        ("parameter_groups", 0, "parameters", 0),
        ("parameter_groups", 0, "parameters", 1),
    },
    "base.yaml": {("heat_template_version",)},
    "pass_module.yaml": {("parameters", "int_priv_subnet_id", "subnet_uuid")},
}


@pytest.mark.parametrize("name", primaries("hot"))
def test_real_hot(name: str) -> None:
    data = load_hot((REALWORLD / "hot" / name).read_text(encoding="utf-8"))
    found = {problem.path for problem in hot_problems(data)}
    assert not found or found == REFUSED_HOT.get(name.rpartition("/")[2])


@pytest.mark.parametrize("name", primaries("cfy"))
def test_real_blueprints(name: str) -> None:
    data = yaml.safe_load((REALWORLD / "cfy" / name).read_text(encoding="utf-8"))
    blueprint, problems = validate(cloudify.Blueprint, data)
    assert problems + check_blueprint(blueprint) == []
    written = to_data(blueprint)
    assert validate(cloudify.Blueprint, written) == (blueprint, [])
    for key in ("inputs", "outputs", "capabilities", "imports", "description", "metadata", "dsl_definitions"):
        if data.get(key):
            assert at(written, (key,)) == without_nulls(data[key], key)


def without_nulls(section: Any, key: str) -> Any:
    """A section as :func:`cloudify.to_data` writes it: absent instead of null."""
    if key not in ("inputs", "outputs", "capabilities"):
        return section
    return {name: {k: v for k, v in (item or {}).items() if v is not None} for name, item in section.items()}
