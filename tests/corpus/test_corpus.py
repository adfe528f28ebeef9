"""Every case of the corpus converts to exactly what is beside it: form, meaning, diagnostics and further files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from corpus_cases import CASES, CFY, HOT, TO_TOSCA, TOSCA, Case, Language
from deepdiff import DeepDiff
from yaml_as_engines import by_engine

from bpconvert.api import convert
from bpconvert.diagnostics import Fidelity
from bpconvert.models.checks import Problem
from bpconvert.models.cloudify_checks import check_blueprint
from bpconvert.models.cloudify_rules import VERSIONS as DSL_VERSIONS
from bpconvert.models.hot_checks import check_names, check_version
from bpconvert.models.hot_versions import VERSIONS as HOT_VERSIONS
from bpconvert.models.plain import cloudify, hot, tosca, validate
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.hot.functions import FUNCTIONS as HOT_FUNCTIONS
from bpconvert.verification import verify
from bpconvert.yamlio.document import load

#: folder -> how many cases are there at least
FEWEST = {HOT.folder: 75, CFY.folder: 150, TOSCA.folder: 58, TO_TOSCA: 36}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: findings about outputs that are null, as they are read
NO_VALUE = {"BPC507", "BPC819"}
UPDATE = "run 'python -m pytest tests/corpus --update-corpus' and read what changed"


def text_of(content: bytes | None) -> str | None:
    """Readable in a failed comparison, and exact: every line end shows."""
    return None if content is None else content.decode()


def plain(value: Any) -> Any:
    """The value without the classes that know positions."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


@pytest.fixture(params=CASES, ids=[case.id for case in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    """Each case of the corpus, brought up to date first if that was asked for."""
    found: Case = request.param
    if request.config.getoption("--update-corpus"):
        found.update()
    return found


def test_form(case: Case) -> None:
    name = case.target.name
    assert text_of(case.expected.get(name)) == text_of(case.actual.get(name)), UPDATE


def test_meaning(case: Case) -> None:
    expected = case.expected.get(case.target.name)
    read = None if expected is None else by_engine(expected)
    assert not DeepDiff(read, plain(case.outcome.document)), UPDATE


def test_diagnostics(case: Case) -> None:
    """Exactly these, in this order; without any, there is no file."""
    assert text_of(case.expected.get("diagnostics.txt")) == text_of(case.actual.get("diagnostics.txt")), UPDATE


def test_further_files(case: Case) -> None:
    expected, actual = (
        {name: text_of(content) for name, content in found.items() if name.startswith("files/")}
        for found in (case.expected, case.actual)
    )
    assert expected == actual, UPDATE


def problems_of_blueprint(data: Any) -> list[Problem]:
    blueprint, problems = validate(cloudify.Blueprint, data)
    return problems + check_blueprint(blueprint)


def problems_of_template(data: Any) -> list[Problem]:
    template, problems = validate(hot.Template, data)
    return problems + check_version(template) + check_names(template)


def problems_of_service(data: Any) -> list[Problem]:
    """The sections of the topology template are beside the others in the model."""
    return validate(tosca.ServiceTemplate, {**data, **data.get("topology_template", {})})[1]


PROBLEMS = {HOT: problems_of_template, CFY: problems_of_blueprint, TOSCA: problems_of_service}


def test_models_accept_what_is_expected(case: Case) -> None:
    expected = case.expected.get(case.target.name)
    problems = [] if expected is None else PROBLEMS[case.result](by_engine(expected))
    assert [str(problem) for problem in problems] == []
    assert expected is not None or case.outcome.text is None


def test_source_says_what_it_shows(case: Case) -> None:
    assert NAME.fullmatch(case.name), "names are in kebab-case"
    first = case.source.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()[0].decode(errors="replace")
    assert first == "{" or (first.startswith("# ") and first.endswith((".", ":"))), "no sentence in a comment"


@pytest.mark.parametrize("folder", FEWEST)
def test_there_are_many_cases_that_differ(folder: str) -> None:
    cases = [case for case in CASES if case.language == folder]
    assert len({case.source.read_bytes() for case in cases}) == len(cases) >= FEWEST[folder]


def keys_of(value: Any) -> Iterator[Any]:
    """Every key of every map inside of the value."""
    if isinstance(value, dict):
        yield from value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys_of(item)


def compared() -> list[Case]:
    """The cases that mean something. What a service template keeps in its metadata does so on the way back only."""
    cases = [case for case in CASES if case.target.exists() and not case.is_mistake]
    return [case for case in cases if case.origin is not TOSCA or "bpconvert" not in case.source.read_text("utf-8")]


@pytest.mark.parametrize("case", compared(), ids=lambda case: case.id)
def test_no_difference_is_silent(case: Case) -> None:
    """What the source and the result mean is compared: each difference has a finding at its place, and each output of
    which a finding reports that its value is not converted is different."""
    made = convert(case.source, case.dialect, case.target_dialect, options=case.options._replace(carry=False))
    with TemporaryDirectory() as folder:
        for name, text in {**made.files, case.result.document: made.text}.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        decided = {one.path[1] for one in made.diagnostics if one.code == "BPC514"}
        given = {name: value for name, value in (case.options.params or {}).items() if name in decided}
        chosen = {"inputs": given, "reported": made.diagnostics, "options": case.options}
        found = verify(case.source, Path(folder, case.result.document), draws=3, **chosen)
    assert [(one.what, one.first, one.second) for one in found.differences if not one.codes] == []
    assert found.reported + found.reworded == found.compared - found.equal
    reported = [one for one in made.diagnostics if one.fidelity >= Fidelity.CARRIED and one.code not in NO_VALUE]
    left_out = {one.path[1] for one in reported if one.path[:1] == ("outputs",) and one.path[2:3] == ("value",)}
    without_value = {name for note in found.notes for name in re.findall(r"outputs\.(\w+)", note)}
    differ = {one.what.split(".")[1] for one in found.differences if one.what.startswith("outputs.")}
    assert left_out - without_value <= differ


@cache
def sources(language: Language) -> list[dict[str, Any]]:
    """Every source in a language that can be read and is no mistake."""
    cases = [case for case in CASES if case.origin == language and not case.is_mistake]
    return [load(case.source.read_bytes()).data for case in cases]


def test_every_function_and_version_of_hot_has_a_case() -> None:
    found = sources(HOT)
    assert {function.name for function in HOT_FUNCTIONS} <= {key for source in found for key in keys_of(source)}
    versions = {source.get("heat_template_version") for source in found}
    assert {name for version in HOT_VERSIONS.values() for name in (version.date, version.alias) if name} <= versions


def test_every_function_version_and_section_of_the_dsl_has_a_case() -> None:
    found = sources(CFY)
    assert DSL_FUNCTIONS.keys() <= {key for source in found for key in keys_of(source)}
    versions = {source.get("tosca_definitions_version") for source in found}
    assert {f"cloudify_dsl_{version}" for version in DSL_VERSIONS} <= versions
    internal = {"imported_blueprints", "namespaces_mapping"}
    assert cloudify.Blueprint.CHECKS.keys() - internal <= {key for source in found for key in source}


@cache
def used_properties(language: Language, section: str) -> dict[Any, list[dict[str, Any]]]:
    """Type -> the properties of each of its entries, over all sources in a language."""
    used: dict[Any, list[dict[str, Any]]] = {}
    for source in sources(language):
        entries = source.get(section)
        for entry in entries.values() if isinstance(entries, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("properties"), dict):
                used.setdefault(str(entry.get("type")), []).append(entry["properties"])
    return used


def test_every_mapped_property_and_type_of_hot_has_a_case() -> None:
    used = used_properties(HOT, "resources")
    for name in builtin().types("hot"):
        kind = builtin().kind_of("hot", name)
        assert kind
        found = {key for properties in used[name] for key in properties}
        mapped = set() if name in kind.also else kind.properties.keys() | kind.aliases.keys()
        assert found or not kind.properties, name
        assert mapped <= found, name


def kinds() -> list[Kind]:
    """The kinds of the catalogue that have a node type (that of deployments is read by :mod:`hot.software`)."""
    found = [builtin().kind_of("hot", name) for name in builtin().types("hot")]
    return [k for k in found if k is not None and k.cloudify is not None and k.kind != "software_deployment"]


def has(properties: Any, place: list[str]) -> bool:
    """True if something is at the place."""
    for step in place:
        if not isinstance(properties, dict) or step not in properties:
            return False
        properties = properties[step]
    return True


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.kind)
def test_every_mapped_property_and_type_of_the_plugin_has_a_case(kind: Kind) -> None:
    used = used_properties(CFY, "node_templates")
    assert kind.cloudify
    assert kind.cloudify.v2 is None or kind.cloudify.v2.type in used
    places = [rule.to for rule in kind.properties.values() if rule.to]
    nodes = used[kind.cloudify.type]
    assert [to for to in places if not any(has(properties, to.split(".")) for properties in nodes)] == []
