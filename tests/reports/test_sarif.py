"""Reports as SARIF: the rules of SARIF 2.1.0 for what is written, as strict as the schema, and that one where it is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bpconvert.cli.main import FAILED, main
from bpconvert.reports import Report
from bpconvert.reports.as_sarif import text

HOT = "heat_template_version: 2021-04-16\n"
#: the official schema, which is no part of this project
OFFICIAL = os.environ.get("BPCONVERT_SARIF_SCHEMA", "")

Level = Literal["none", "note", "warning", "error"]
Uri = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9%._~:/@!$&'()*+,;=-]+$")]
Index = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]


class Part(BaseModel):
    """Nothing else than what SARIF has here."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Message(Part):
    """Section 3.11."""

    text: str


class ArtifactLocation(Part):
    """Section 3.4."""

    uri: Uri


class Region(Part):
    """Section 3.30."""

    startLine: Number
    startColumn: Number


class PhysicalLocation(Part):
    """Section 3.29."""

    artifactLocation: ArtifactLocation
    region: Region | None = None


class LogicalLocation(Part):
    """Section 3.33."""

    fullyQualifiedName: str


class Location(Part):
    """Section 3.28."""

    physicalLocation: PhysicalLocation
    logicalLocations: list[LogicalLocation] = []


class Configuration(Part):
    """Section 3.50."""

    level: Level


class Rule(Part):
    """Section 3.49."""

    id: str
    shortDescription: Message
    fullDescription: Message
    help: Message
    defaultConfiguration: Configuration
    properties: dict[str, Any]


class Driver(Part):
    """Section 3.19."""

    name: str
    version: str
    rules: list[Rule]


class Tool(Part):
    """Section 3.18."""

    driver: Driver


class Notification(Part):
    """Section 3.58."""

    level: Level
    message: Message
    locations: list[Location]


class Invocation(Part):
    """Section 3.20."""

    executionSuccessful: bool
    toolExecutionNotifications: list[Notification]


class Result(Part):
    """Section 3.27."""

    ruleId: str
    ruleIndex: Index
    level: Level
    message: Message
    locations: list[Location]
    partialFingerprints: dict[str, str]
    properties: dict[str, Any]


class Run(Part):
    """Section 3.14."""

    tool: Tool
    columnKind: Literal["utf16CodeUnits", "unicodeCodePoints"]
    invocations: list[Invocation]
    results: list[Result]


class Log(BaseModel):
    """Section 3.13."""

    model_config = ConfigDict(extra="forbid", strict=True)
    schema_: str = Field(alias="$schema")
    version: Literal["2.1.0"]
    runs: list[Run]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A report about files with all that is special in it."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/a b%ü.yaml").write_text(HOT + "resources: {n: {type: Foo}, m: {type: Foo}, n: {type: Bar}}\n")
    Path("in/bad.yaml").write_text("heat_template_version: [\n")
    with open(b"in/\xff.yaml", "w") as stream:
        stream.write(HOT + "resources: {n: {type: Foo}}\n")
    assert main(["hot2cfy", "in", "none.yaml", "-o", "out", "-q", "--report", "report.sarif"]) == FAILED
    return Path("report.sarif").read_text("utf-8")


def test_it_is_sarif(written: str) -> None:
    (run,) = Log.model_validate_json(written).runs
    for result in run.results:
        assert run.tool.driver.rules[result.ruleIndex].id == result.ruleId
    assert [rule.id for rule in run.tool.driver.rules] == sorted({result.ruleId for result in run.results})
    uris = {place.physicalLocation.artifactLocation.uri for result in run.results for place in result.locations}
    assert uris >= {"in/a%20b%25%C3%BC.yaml", "in/bad.yaml", "in/%FF.yaml"}
    (ended,) = run.invocations
    assert not ended.executionSuccessful
    assert [one.message.text for one in ended.toolExecutionNotifications] == ["No such file or directory"]


def test_results_are_the_same_ones_when_lines_move(written: str) -> None:
    def prints() -> list[str]:
        (run,) = Log.model_validate_json(Path("report.sarif").read_text("utf-8")).runs
        return [mark for result in run.results for mark in result.partialFingerprints.values()]

    before = prints()
    assert len({*before}) == len(before) > 4
    moved = Path("in/a b%ü.yaml")
    moved.write_text("# a line more\n" + moved.read_text())
    main(["hot2cfy", "in", "none.yaml", "-o", "out", "-q", "--report", "report.sarif"])
    assert prints() == before


def test_an_absolute_path_is_a_uri() -> None:
    found = {
        "code": "BPC101", "severity": "error", "fidelity": "carried", "message": "m", "file": "/a b/c.yaml",
        "line": 3, "column": 2, "path": [], "hint": "",
    }  # fmt: skip
    entry = {"file": "/a b/c.yaml", "diagnostics": [found], "error": None}
    made = json.loads(text(Report({"tool": {"name": "t", "version": "1"}, "files": [entry]})))
    assert "file:///a%20b/c.yaml" in json.dumps(made)


@pytest.mark.skipif(not OFFICIAL, reason="BPCONVERT_SARIF_SCHEMA names no file with the schema of SARIF 2.1.0")
def test_the_official_schema_accepts_it(written: str) -> None:
    schema = json.loads(Path(OFFICIAL).read_text("utf-8"))
    problems = jsonschema.validators.validator_for(schema)(schema).iter_errors(json.loads(written))
    assert [problem.message for problem in problems] == []
