"""Every case of the corpus converts to exactly what is beside it: form, meaning, diagnostics and further files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from corpus_cases import CASES, Case
from deepdiff import DeepDiff

from bpconvert.codes import CODES
from bpconvert.models.cloudify import Blueprint, check
from bpconvert.models.hot_versions import VERSIONS
from bpconvert.models.validation import validate
from bpconvert.translators.hot.functions import FUNCTIONS
from bpconvert.translators.types import builtin
from bpconvert.yamlio.document import load

FEWEST = 75
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: diagnostics that no source alone can cause: a template for the layout that a user gives; two meanings for one pair of
#: nodes, which no kind of the catalogue has
ELSEWHERE = {"BPC190", "BPC404"}
UPDATE = "run 'python -m pytest tests/test_corpus.py --update-corpus' and read what changed"


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


@pytest.fixture(params=CASES, ids=[case.name for case in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    """Each case of the corpus, brought up to date first if that was asked for."""
    found: Case = request.param
    if request.config.getoption("--update-corpus"):
        found.update()
    return found


def test_form(case: Case) -> None:
    assert text_of(case.expected.get("blueprint.yaml")) == text_of(case.actual.get("blueprint.yaml")), UPDATE


def test_meaning(case: Case) -> None:
    expected = case.expected.get("blueprint.yaml")
    read = None if expected is None else yaml.safe_load(expected)
    assert not DeepDiff(read, plain(case.outcome.document)), UPDATE


def test_diagnostics(case: Case) -> None:
    """Exactly these, in this order; without any, there is no file."""
    assert text_of(case.expected.get("diagnostics.txt")) == text_of(case.actual.get("diagnostics.txt")), UPDATE


def test_further_files(case: Case) -> None:
    expected, actual = case.expected, case.actual
    for name in sorted(name for name in expected.keys() | actual.keys() if name.startswith("files/")):
        assert text_of(expected.get(name)) == text_of(actual.get(name)), f"{name}: {UPDATE}"


def test_models_accept_the_blueprint(case: Case) -> None:
    expected = case.expected.get("blueprint.yaml")
    if expected is None:
        return
    blueprint, problems = validate(Blueprint, yaml.safe_load(expected))
    assert [str(problem) for problem in problems + check(blueprint)] == []


def test_source_says_what_it_shows(case: Case) -> None:
    assert NAME.fullmatch(case.name), "names are in kebab-case"
    first = case.source.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()[0].decode(errors="replace")
    assert first == "{" or (first.startswith("# ") and first.endswith((".", ":"))), "no sentence in a comment"


def test_there_are_many_cases_that_differ() -> None:
    sources = {case.source.read_bytes() for case in CASES}
    assert len(sources) == len(CASES) >= FEWEST


def keys_of(value: Any) -> Iterator[Any]:
    """Every key of every map inside of the value."""
    if isinstance(value, dict):
        yield from value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys_of(item)


@pytest.fixture(scope="module")
def sources() -> list[dict[str, Any]]:
    """Every source that can be read."""
    return [load(case.source.read_bytes()).data for case in CASES if case.outcome.text is not None]


def test_every_function_and_version_has_a_case(sources: list[dict[str, Any]]) -> None:
    keys = {key for source in sources for key in keys_of(source)}
    assert {function.name for function in FUNCTIONS} <= keys
    versions = {source.get("heat_template_version") for source in sources}
    assert {name for version in VERSIONS.values() for name in (version.date, version.alias) if name} <= versions


def test_every_mapped_property_and_type_has_a_case(sources: list[dict[str, Any]]) -> None:
    used: dict[Any, set[str]] = {}
    for source in sources:
        for resource in (source.get("resources") or {}).values():
            if isinstance(resource, dict) and isinstance(resource.get("properties"), dict):
                used.setdefault(resource.get("type"), set()).update(resource["properties"])
    for name in builtin().heat_types():
        kind = builtin().heat_kind(name)
        assert kind
        assert kind.properties.keys() | kind.aliases.keys() <= used[name], name


def test_every_diagnostic_has_a_case() -> None:
    assert CODES.keys() - {diagnostic.code for case in CASES for diagnostic in case.outcome.diagnostics} == ELSEWHERE
