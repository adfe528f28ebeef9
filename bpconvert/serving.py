"""Requests of programs, answered one after the other by a process that stays: a line of JSON in, a line of JSON out.

The models here are the shape of both; ``serve.schema.json`` beside this file is generated from them
(``python tools/docs``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bpconvert import __version__
from bpconvert.api import Result, convert
from bpconvert.checking import check
from bpconvert.diagnostics import Diagnostic, DocumentError, UsageError, in_one_line
from bpconvert.reports.model import Finding, tidy
from bpconvert.searching import describe

#: bytes of a request at most
LONGEST: Final = 64 * 2**20


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


_Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
_Tables = dict[str, dict[str, Any]]


class ConvertOptions(_Part):
    """The fields of ``bpconvert.Options``, as docs/library.md has them; what is left out has its default."""

    carry: bool | None = None
    dsl_version: str | None = None
    plugin: str | None = None
    files: str | None = None
    client_config: str | None = None
    templates: str | None = None
    allow_outside: bool | None = None
    hot_version: str | None = None
    tosca_version: str | None = None
    types: list[str] | None = None
    environments: list[str] | None = None
    find_environments: bool | None = None
    params: dict[str, Any] | None = None
    assume_defaults: bool | None = None
    flavors: _Tables | None = None
    images: _Tables | None = None
    public_network: str | None = None
    flavour: str | None = None
    orchestrator: str | None = None
    asked: str | None = None
    stages: list[_Pair] | None = None
    carry_file: bool | None = None
    limits: dict[str, int] | None = None
    profile: bool | None = None
    maps: list[_Pair] | None = None
    notes: bool | None = None


class CheckOptions(_Part):
    """The arguments of ``bpconvert.check``; what is left out has its default."""

    types: list[str] | None = None
    environments: list[str] | None = None
    allow_outside: bool | None = None
    maps: list[_Pair] | None = None


class _Request(_Part):
    id: str | int | float | bool | None = Field(default=None, description="comes back with the answer")
    path: str | None = Field(default=None, description="the file of the document")
    text: str | None = Field(default=None, description="the document, in place of the file")
    name: str | None = Field(default=None, description="what findings call it; files are looked for beside it")

    @property
    def document(self) -> Path | bytes:
        """The document. Raises UsageError where there is none, or two."""
        if (self.path is None) == (self.text is None):
            raise UsageError("either 'path' or 'text' is needed")
        return Path(self.path) if self.path is not None else (self.text or "").encode("utf-8", "surrogatepass")


class ConvertRequest(_Request):
    """Convert a document."""

    do: Literal["convert"]
    source: str | None = Field(default=None, description="its language; null: the one that it is written in")
    target: str = "cloudify"
    options: ConvertOptions = ConvertOptions()


class CheckRequest(_Request):
    """What its engine refuses in a document."""

    do: Literal["check"]
    options: CheckOptions = CheckOptions()


class HelloRequest(_Part):
    """Whether the process is there, and of which version."""

    id: str | int | float | bool | None = None
    do: Literal["hello"]


Request = Annotated[ConvertRequest | CheckRequest | HelloRequest, Field(discriminator="do")]


class Failure(_Part):
    """Why there is no result. ``kind``: ``request`` (this line is none), ``usage`` (options that do not fit),
    ``source`` (the document is refused, as the findings say), ``file`` (the system) or ``internal``."""

    kind: Literal["request", "usage", "source", "file", "internal"]
    message: str


class Answer(_Part):
    """What became of a request; answers are in the order of the requests."""

    id: str | int | float | bool | None
    ok: bool
    error: Failure | None = None
    findings: list[Finding] = Field(default=[], description="each once, as reports have them")
    text: str | None = Field(default=None, description="convert: the result")
    files: dict[str, str] | None = Field(default=None, description="convert: its further files, by their path")
    fidelity: str | None = Field(default=None, description="convert: the least faithful thing that happened")
    version: str | None = Field(default=None, description="hello: that of bpconvert")


def schema() -> dict[str, Any]:
    """The JSON Schema of requests and answers."""
    definition: dict[str, Any] = TypeAdapter(Request | Answer).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "bpconvert serve", **tidy(definition)}


_REQUESTS: Final[TypeAdapter[Any]] = TypeAdapter(Request)


def answers(lines: Iterable[bytes]) -> Iterator[str]:
    """A line for each line that is not empty. Nothing that is in a line ends this."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer(line))


def answer(line: bytes) -> dict[str, Any]:
    """What a request is answered with: the data of an :class:`Answer`."""
    identity: Any = None
    try:
        if len(line) > LONGEST:
            raise ValueError(f"it is longer than {LONGEST} bytes")
        data = json.loads(line, parse_constant=_no_number)
        identity = _identity(data)
        asked = _REQUESTS.validate_python(data)
    except (ValueError, RecursionError) as error:
        return _failed(identity, "request", _problem(error))
    try:
        return {"id": identity, "ok": True, **_DONE[asked.do](asked)}
    except DocumentError as error:
        return {**_failed(identity, "source", error.diagnostic.message), "findings": _findings(error.diagnostics)}
    except UsageError as error:
        return _failed(identity, "usage", str(error))
    except OSError as error:
        return _failed(identity, "file", describe(error, asked.path or ""))
    except Exception as error:
        return _failed(identity, "internal", in_one_line(error))


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _identity(data: Any) -> Any:
    """The ``id`` of a request, whatever else is wrong with it."""
    identity = data.get("id") if isinstance(data, dict) else None
    return (
        identity if isinstance(identity, (str, int)) or (isinstance(identity, float) and isfinite(identity)) else None
    )


def _failed(identity: Any, kind: str, message: str) -> dict[str, Any]:
    return {"id": identity, "ok": False, "error": {"kind": kind, "message": message}}


def _problem(error: Exception) -> str:
    """What is wrong with a line, in one."""
    if not isinstance(error, ValidationError):
        return in_one_line(error)
    errors = error.errors(include_url=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, error['loc'])) or 'request'}: {error['msg']}" for error in errors[:5])


def _options(options: BaseModel) -> dict[str, Any]:
    """Options that were given, as arguments."""
    values = {name: value for name, value in options if value is not None}
    pairs = {name: tuple(map(tuple, values[name])) for name in ("stages", "maps") if name in values}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()} | pairs


def _converted(asked: ConvertRequest) -> dict[str, Any]:
    result: Result = convert(
        asked.document,
        asked.source,
        asked.target,
        name=asked.name,
        **_options(asked.options),
    )
    findings = _findings(result.diagnostics)
    return {"findings": findings, "text": result.text, "files": result.files, "fidelity": str(result.fidelity)}


def _checked(asked: CheckRequest) -> dict[str, Any]:
    return {"findings": _findings(check(asked.document, name=asked.name, **_options(asked.options)))}


def _findings(findings: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    once: dict[Any, Diagnostic] = {}  # what is written once may be used several times
    for item in findings:
        once.setdefault((item.code, item.severity, item.span, item.message), item)
    return [item.as_dict() for item in once.values()]


_DONE: Final[dict[str, Any]] = {
    "convert": _converted, "check": _checked, "hello": lambda asked: {"findings": [], "version": __version__},
}  # fmt: skip
