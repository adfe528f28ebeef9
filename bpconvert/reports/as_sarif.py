"""Reports as SARIF 2.1.0 (OASIS, 2020), for code scanning and editors."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from bpconvert.diagnostics.codes import CODES
from bpconvert.reports import Finding, Report
from bpconvert.reports.as_json import dumped

#: the schema's own name (section 3.13.3)
_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: severity -> level (3.27.10)
_LEVELS: Final = {"info": "note", "warning": "warning", "error": "error"}


def text(report: Report) -> str:
    """The report as SARIF text: one run, a rule for each code that was found, a result for each finding. Files that
    failed without a finding are notifications of the run."""
    return dumped({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, "replace")


def _run(report: Report) -> dict[str, Any]:
    codes = sorted({finding.data["code"] for finding in report.findings})
    numbers = {code: number for number, code in enumerate(codes)}
    tool = report.data["tool"]
    driver = {"name": tool["name"], "version": tool["version"], "rules": [_rule(code) for code in codes]}
    failed = [
        {"level": "error", "message": {"text": problem}, "locations": [{"physicalLocation": _place(name)}]}
        for name, problem in report.failures
    ]
    ended = {
        "executionSuccessful": not failed and not any(entry["error"] for entry in report.data["files"]),
        "toolExecutionNotifications": failed,
    }
    results = [_result(finding, numbers[finding.data["code"]]) for finding in report.findings]
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [ended],
        "results": _with_fingerprints(results),
    }


def _rule(code: str) -> dict[str, Any]:
    entry = CODES.get(code)
    if entry is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.explanation},
        "help": {"text": f"{entry.explanation}\n\nbpconvert explain {code}"},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
        "properties": {"fidelity": entry.fidelity},
    }


def _result(finding: Finding, number: int) -> dict[str, Any]:
    data = finding.data
    place: dict[str, Any] = {"physicalLocation": _place(data["file"], data["line"], data["column"])}
    if data["path"]:
        place["logicalLocations"] = [{"fullyQualifiedName": ".".join(map(str, data["path"]))}]
    hint = f"\n{data['hint']}" if data["hint"] else ""
    return {
        "ruleId": data["code"],
        "ruleIndex": number,
        "level": _LEVELS[data["severity"]],
        "message": {"text": data["message"] + hint},
        "locations": [place],
        "properties": {"fidelity": data["fidelity"], "source": finding.source, "target": finding.target},
    }


def _place(name: str, line: int = 0, column: int = 0) -> dict[str, Any]:
    """A physical location (3.29); names of files are relative to where the command ran, unless they are absolute."""
    location = Path(name).as_uri() if os.path.isabs(name) else quote(os.fsencode(name.replace(os.sep, "/")))
    physical: dict[str, Any] = {"artifactLocation": {"uri": location}}
    if line > 0:
        physical["region"] = {"startLine": line, "startColumn": max(column, 1)}
    return physical


def _with_fingerprints(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results with what makes them the same ones in the next run, whatever lines they are on then (3.27.17)."""
    seen: dict[str, int] = {}
    for result in results:
        (place,) = result["locations"]
        where = place["physicalLocation"]["artifactLocation"]["uri"], str(place.get("logicalLocations"))
        text = "\n".join((result["ruleId"], *where, result["message"]["text"]))
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        number = seen[digest] = seen.get(digest, 0) + 1
        result["partialFingerprints"] = {"finding/v1": f"{digest}:{number}"}
    return results
