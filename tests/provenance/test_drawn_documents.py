"""Blueprints and service templates made at random mean the same after a conversion there and back, without the kept
source, or a finding says what does not; and an edited value comes back as that edit."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import drawn_blueprints
import drawn_services
import pytest
import yaml

from bpconvert import Severity, convert, roundtrip
from bpconvert.checking import check
from bpconvert.verification import verify

DRAWN = {
    "cloudify": (drawn_blueprints.blueprint, drawn_blueprints.FILES),
    "tosca": (drawn_services.service, drawn_services.FILES),
}
WAYS = [("cloudify", "hot"), ("cloudify", "tosca"), ("tosca", "hot"), ("tosca", "cloudify")]
SEEDS = range(12)


def written(folder: Path, make: Callable[[int], dict[str, Any]], files: dict[str, str], seed: int) -> Path:
    """The document of a seed with its files."""
    source = folder / "source.yaml"
    source.write_text(yaml.safe_dump(make(seed), sort_keys=False), "utf-8")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return source


@pytest.mark.parametrize(("dialect", "via"), WAYS)
def test_the_same_is_meant(dialect: str, via: str) -> None:
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source = written(folder, *DRAWN[dialect], seed)
            assert not [found for found in check(source) if found.severity is Severity.ERROR]
            trip = roundtrip(source, via, carry=False)
            for path, text in {**trip.there.files, **trip.back.files, "result.yaml": trip.back.text}.items():
                (folder / "back" / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / "back" / path).write_text(text, "utf-8")
            reported = [*trip.there.diagnostics, *trip.back.diagnostics]
            differences = verify(source, folder / "back" / "result.yaml", draws=2, reported=reported).differences
            assert not [found.what for found in differences if not found.codes], seed


@pytest.mark.parametrize(("dialect", "via"), WAYS)
def test_an_edit_comes_back(dialect: str, via: str) -> None:
    """A value of an operation's input, where the document has one."""
    edits = 0
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as name:
            source = written(Path(name), *DRAWN[dialect], seed)
            text = source.read_text("utf-8")
            values = [line.strip().removeprefix("ONE: ") for line in text.splitlines() if "ONE: one" in line]
            made = convert(source, dialect, via).text if values else ""
            if not values or values.count(values[0]) != 1 or f"ONE: {values[0]}\n" not in made:
                continue
            edited = made.replace(f"ONE: {values[0]}\n", "ONE: another\n", 1)
            back = convert(edited.encode(), via, dialect).text
            assert back == text.replace(f"ONE: {values[0]}\n", "ONE: another\n", 1), seed
            edits += 1
    assert edits
