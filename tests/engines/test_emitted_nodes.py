"""The nodes of every blueprint that we write, of the corpus and of real templates: the plugin knows their settings.

The parser refuses unknown keys of ``resource_config``; openstacksdk drops unknown ones of ``kwargs`` without a word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import REALWORLD
from corpus_cases import HOT, cases_of
from corpus_runs import cloudify_command
from engine_processes import ask

from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
from bpconvert.translators.catalogue import schemas
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.engines

#: functions that yield all settings at once
_CALLS = frozenset({"merge", "get_input"})


def real_templates() -> list[Path]:
    """The real Heat templates beside this checkout."""
    manifest = REALWORLD / "hot" / "manifest.json"
    if not manifest.exists():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    files = json.loads(manifest.read_text("utf-8"))["files"]
    return [REALWORLD / "hot" / entry["path"] for entry in files if entry["role"] == "primary"]


def bundles(source: Path, folder: Path) -> list[Path]:
    """The blueprint of a template, with the files of its bundle beside it, and those that it nests."""
    result = convert(source, carry=False, allow_outside=True)
    for name, text in {"blueprint.yaml": result.text, **result.files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    nested = [name for name in result.files if "tosca_definitions_version" in result.files[name]]
    return [folder / name for name in ("blueprint.yaml", *nested)]


def dropped(blueprint: Path) -> Iterator[str]:
    """Settings under ``kwargs`` that openstacksdk does not send."""
    nodes: dict[str, Any] = load(blueprint.read_bytes(), str(blueprint)).data.get("node_templates") or {}
    for name, node in nodes.items():
        known = schemas.sdk_names(node["type"])
        config = node.get("properties", {}).get("resource_config")
        further = config.get("kwargs") if isinstance(config, dict) else None
        is_call = isinstance(further, dict) and not _CALLS.isdisjoint(further)  # settings of a parameter (BPC977)
        if known is not None and isinstance(further, dict) and not is_call:
            yield from (f"{blueprint.parent.name}: {name}.{key}" for key in further if key not in known)


def refused(blueprints: list[Path], python: str, engines: Path) -> dict[str, Any]:
    """Blueprint -> what the parser, with the plugin's own plugin.yaml, has against it."""
    requests = [{"blueprint": str(path), "options": {"parse_only": True}} for path in blueprints]
    answers = [answer["result"] for answer in ask(cloudify_command(python, engines), requests)]
    return {str(path): answer["error"] for path, answer in zip(blueprints, answers, strict=True) if answer.get("error")}


def test_of_the_corpus() -> None:
    """What the parser says of these is asked in ``test_corpus_engines``."""
    written = [case.target for case in cases_of(HOT) if case.target.exists()]
    assert [found for blueprint in written for found in dropped(blueprint)] == []


def test_of_real_templates(engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    written: list[Path] = []
    for number, source in enumerate(real_templates()):
        try:
            written += bundles(source, tmp_path / str(number))
        except SourceError:
            continue
    assert [found for blueprint in written for found in dropped(blueprint)] == []
    assert refused(written, engines_python, heat_engine.parent) == {}
