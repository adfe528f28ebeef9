"""Digests of conversions and of the way back from edited results; run as a script with the step through the corpus."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from typing import Any

import yaml
from corpus_cases import CASES

from bpconvert.api import Result, convert
from bpconvert.translators.dialects import DIALECTS


def edits(data: dict[str, Any], section: str) -> Iterator[dict[str, Any]]:
    """A document without one of its first entries, with a changed one, and with three more."""
    entries = data.get(section, {})
    for name in [name for name in entries if not name.startswith("bpconvert")][:2]:
        entry = entries[name]
        yield {**data, section: {key: value for key, value in entries.items() if key != name}}
        if isinstance(entry, dict) and isinstance(entry.get("properties"), dict):
            changed = {**entry, "properties": {**entry["properties"], "z": 1, "y": 2}}
            yield {**data, section: {**entries, name: changed}}
        yield {**data, section: {**entries, f"{name}_a": entry, f"{name}_b": entry, f"x{name}": entry}}


def digest(made: Result) -> str:
    return hashlib.sha1(repr((made.text, made.files, made.diagnostics)).encode()).hexdigest()[:12]


def main(step: int) -> None:
    for case in CASES[::step]:
        if case.is_mistake or case.outcome.text is None or case.name.startswith("other-language-"):
            continue
        print(case.id, digest(case.outcome))
        dialect = DIALECTS[case.target_dialect]
        data = yaml.load(case.outcome.text, yaml.CSafeLoader)
        for section in (dialect.section("nodes"), dialect.section("inputs")):
            for edited in edits(data, section):
                text = yaml.safe_dump(edited, sort_keys=False, allow_unicode=True).encode()
                print(case.id, digest(convert(text, case.target_dialect, case.dialect)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
