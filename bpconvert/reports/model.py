"""The shape of JSON reports. ``report.schema.json`` beside this file is generated from it (``python tools/docs``).

The names are those of the objects of the library: :class:`bpconvert.Diagnostic` has the fields of :class:`Finding`.
``Report.model_validate_json(text)`` reads a report."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, RootModel

Severity: TypeAlias = Literal["info", "warning", "error"]
Fidelity: TypeAlias = Literal["exact", "rewritten", "approximated", "carried"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Cause(_Part):
    """The finding that another one follows from."""

    code: str
    file: str
    line: int = Field(ge=1)
    column: int = Field(ge=1)


class Finding(_Part):
    """One finding."""

    code: str = Field(description="what kind of finding it is: 'bpconvert explain CODE', docs/diagnostics.md")
    severity: Severity
    fidelity: Fidelity = Field(description="how faithful the conversion of the place is")
    message: str
    file: str = Field(description="the document with the place")
    line: int = Field(ge=1)
    column: int = Field(ge=1)
    path: list[str | int | float | bool | None] = Field(description="the keys that lead to the place")
    hint: str = Field(description="what to do; may be empty")
    cause: Cause | None = Field(description="the finding that it follows from: correct that one, and both are gone")


class Counts(_Part):
    """How many findings of each severity there are."""

    info: int = Field(ge=0)
    warning: int = Field(ge=0)
    error: int = Field(ge=0)


class Tool(_Part):
    """What wrote the report."""

    name: Literal["bpconvert"]
    version: str


class Failure(_Part):
    """Why a file could not be converted."""

    kind: Literal["source", "file", "internal"] = Field(
        description="source: the document is refused; file: error of the system; internal: error of the program"
    )
    message: str


class ConvertedFile(_Part):
    """What became of one input of a conversion."""

    source: str
    target: str | None = Field(description="its result; null: standard output, or it failed")
    fidelity: Fidelity | None = Field(
        description="the least faithful thing that happened; null: it failed, or is part of another one's result"
    )
    diagnostics: list[Finding] = Field(description="the findings, those of nested files too")
    files: list[str] = Field(description="further files that were written for it")
    nested_in: str | None = Field(description="the source whose result has this one, else null")
    error: Failure | None


class CheckedFile(_Part):
    """What 'bpconvert check' found in one document."""

    file: str
    diagnostics: list[Finding]
    error: str | None = Field(description="why it could not be checked")


class ConversionSummary(_Part):
    """Counts of a conversion."""

    files: int = Field(ge=0)
    converted: int = Field(ge=0)
    failed: int = Field(ge=0)
    skipped: int = Field(ge=0, description="files found in directories that are no templates")
    diagnostics: Counts


class CheckSummary(_Part):
    """Counts of 'bpconvert check'."""

    files: int = Field(ge=0)
    failed: int = Field(ge=0)
    diagnostics: Counts


class _Head(_Part):
    schema_version: Literal[1]
    tool: Tool


class ConversionReport(_Head):
    """The report of a conversion."""

    command: str = Field(description="its name", pattern="^(convert|[a-z]+2[a-z]+)$")
    files: list[ConvertedFile]
    summary: ConversionSummary
    interrupted: bool = Field(default=False, description="the run was interrupted")
    missing: list[str] = Field(default=[], description="the files that an interrupted run did not reach")


class CheckReport(_Head):
    """The report of 'bpconvert check'."""

    command: Literal["check"]
    files: list[CheckedFile]
    summary: CheckSummary


class Report(RootModel[ConversionReport | CheckReport]):
    """A JSON report of bpconvert."""


def schema() -> dict[str, Any]:
    """The JSON Schema of reports."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_tidy(Report.model_json_schema())}


def _tidy(part: Any) -> Any:
    """The schema without the choice of one that older versions of pydantic write beside a constant."""
    if isinstance(part, list):
        return [_tidy(one) for one in part]
    if isinstance(part, dict):
        return {name: _tidy(one) for name, one in part.items() if name != "enum" or "const" not in part}
    return part
