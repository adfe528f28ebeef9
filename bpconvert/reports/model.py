"""The shape of JSON reports. ``report.schema.json`` beside this file is generated from it (``python tools/docs``).

The names are those of the objects of the library: :class:`bpconvert.Diagnostic` has the fields of :class:`Finding`.
``Report.model_validate_json(text)`` reads a report."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, RootModel

from bpconvert.reports.work import HAND, LOOK, MEANINGS, READY

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


class Step(_Part):
    """Kinds of findings that somebody deals with."""

    codes: list[str]
    finishes: int = Field(ge=0, description="files that are ready then, with the steps before")


class Work(_Part):
    """How many files are left for a person, without those that are part of others."""

    ready: int = Field(ge=0, description=MEANINGS[READY])
    to_look_at: int = Field(ge=0, description=MEANINGS[LOOK])
    to_do_by_hand: int = Field(ge=0, description=MEANINGS[HAND])


class ConversionSummary(_Part):
    """Counts of a conversion."""

    files: int = Field(ge=0)
    converted: int = Field(ge=0)
    failed: int = Field(ge=0)
    skipped: int = Field(ge=0, description="files found in directories that are no templates")
    diagnostics: Counts
    work: Work
    steps: list[Step] = Field(description="what to deal with first, by how many files each step finishes")


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


class VerifiedFile(_Part):
    """One of two documents that were compared."""

    file: str
    dialect: str


class Value(_Part):
    """What one of the documents has at a place that differs."""

    state: Literal["value", "missing", "refused"] = Field(
        description="value: 'value' has it; missing: there is none; refused: the engine does not compute it"
    )
    value: Any = Field(default=None, description="plain data; hidden values are masked")
    file: str
    line: int = Field(ge=1)
    column: int = Field(ge=1)


class Difference(_Part):
    """A place where two documents do not mean the same."""

    what: str = Field(description="the node with its property, or the output")
    first: Value
    second: Value
    inputs: dict[str, Any] = Field(
        description="the inputs under which it shows",
        json_schema_extra={"additionalProperties": True},  # pydantic 2.7 leaves it out
    )
    codes: list[str] = Field(description="the findings of the conversion that name the place")
    is_reported: bool = Field(description="one of these findings reports that the values differ")


class VerificationSummary(_Part):
    """Counts of two documents that were compared: values, then places."""

    compared: int = Field(ge=0)
    equal: int = Field(ge=0)
    unequal_reported: int = Field(ge=0, description="values that differ where a finding reports it")
    unequal_reworded: int = Field(ge=0, description="values that differ where a finding reports another form")
    differences: int = Field(ge=0, description="places")
    reported: int = Field(ge=0)
    silent: int = Field(ge=0, description="places that no finding reports")
    known: int = Field(ge=0, description="places that the baseline knows")


class Verified(_Part):
    """Two documents that were compared."""

    files: list[VerifiedFile] = Field(min_length=2, max_length=2)
    differences: list[Difference]
    notes: list[str] = Field(description="what could not be compared")
    summary: VerificationSummary


class _Draws(_Head):
    command: Literal["verify"]
    engines: bool = Field(description="the real engines computed the values")
    draws: int = Field(ge=0)
    seed: int


class VerificationReport(_Draws, Verified):
    """The report of 'bpconvert verify' about two documents."""


class TreeSummary(_Part):
    """Counts of two directories that were compared: values, then pairs of documents."""

    compared: int = Field(ge=0)
    same: int = Field(ge=0)
    failed: int = Field(ge=0)
    silent: int = Field(ge=0, description="pairs with differences that no finding reports")


class TreeVerificationReport(_Draws):
    """The report of 'bpconvert verify' about two directories."""

    pairs: list[Verified]
    only_in_first: list[str]
    only_in_second: list[str]
    summary: TreeSummary


class Report(RootModel[ConversionReport | CheckReport | VerificationReport | TreeVerificationReport]):
    """A JSON report of bpconvert."""


def schema() -> dict[str, Any]:
    """The JSON Schema of reports."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **tidy(Report.model_json_schema())}


def tidy(part: Any) -> Any:
    """The schema in one form for all versions of pydantic: older ones write the choice of one beside a constant, and a
    reference with a default as all of one; newer ones that a map takes any keys."""
    if isinstance(part, list):
        return [tidy(item) for item in part]
    if not isinstance(part, dict):
        return part
    schema: dict[str, Any] = {}
    for name, value in part.items():
        if name == "allOf" and len(value) == 1:
            schema.update(tidy(value[0]))
        elif not (name == "enum" and "const" in part) and not (name == "additionalProperties" and value is True):
            schema[name] = tidy(value)
    return schema
