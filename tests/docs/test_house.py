"""What contributors are given works: targets, workflows, templates, hooks, the check of a release."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import bpconvert

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"release_{name}", ROOT / "tools" / "release" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def targets() -> set[str]:
    return set(re.findall(r"^(\w+):", MAKEFILE, re.MULTILINE))


def read(place: str) -> Any:
    return yaml.safe_load((ROOT / place).read_text("utf-8"))


def test_every_target_that_is_named_is_there() -> None:
    places = ["CONTRIBUTING.md", ".pre-commit-config.yaml", ".github/workflows/ci.yml"]
    places.append(".github/PULL_REQUEST_TEMPLATE.md")
    named = {
        word
        for place in places
        for words in re.findall(r"make ((?:[a-z]+ ?)+)", (ROOT / place).read_text("utf-8"))
        for word in words.split()
    }
    assert named - {"a"} <= targets()
    assert {"lint", "types", "pages", "architecture", "quick", "case", "lsp", "test", "release", "ci"} <= named | {"ci"}


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`([\w.]+(?:/[\w.]+)+/?)`", PAGE)
    assert len(named) > 5
    assert [place for place in named if not (ROOT / place).exists()] == []


def test_files_that_the_makefile_runs_are_there() -> None:
    named = re.findall(r"(?:tools|tests)/[\w./]+", MAKEFILE)
    assert [place for place in named if not (ROOT / place).exists()] == []


def test_the_workflow_tests_the_versions_of_the_package() -> None:
    jobs = read(".github/workflows/ci.yml")["jobs"]
    classified = re.findall(r'Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert jobs["tests"]["strategy"]["matrix"]["python"] == classified
    assert all("runs-on" in job and job["steps"][0]["uses"].startswith("actions/checkout@") for job in jobs.values())


def test_templates_of_issues_have_what_the_server_needs() -> None:
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        assert {"name", "description", "body"} <= form.keys()
        assert len({entry["id"] for entry in form["body"]}) == len(form["body"])
        assert all(entry["attributes"]["label"] for entry in form["body"])


def test_hooks_need_nothing_but_the_checkout() -> None:
    for repository in read(".pre-commit-config.yaml")["repos"]:
        assert repository["repo"] == "local"
        assert all(hook["language"] == "system" for hook in repository["hooks"])


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("A subject\n\nThe reason.\n", None),
        ("A subject\n", None),
        ("x" * 73, "73 characters"),
        ("A subject\nand more\n", "blank line"),
        ("# only comments\n", "no subject"),
    ],
)
def test_the_rule_for_subjects(message: str, problem: str | None) -> None:
    found = module("subject").problem(message)
    assert (found is None) if problem is None else problem in str(found)


def test_versions_agree_and_the_changes_are_checked() -> None:
    release = module("__main__")
    assert release.version() == bpconvert.__version__
    open_ = "# Changes\n\n## Unreleased\n\n### Added\n\n- a thing\n"
    assert len(release.problems(open_, "0.1.0")) == 2
    assert release.problems("# Changes\n\n## 0.1.0 (2026-11-26)\n\n- a thing\n", "0.1.0") == []
    assert release.problems("# Changes\n\n## Unreleased\n\n## 0.1.0 (2026-11-26)\n\n- a thing\n", "0.1.0") == []
    assert len(release.problems("# Changes\n\n## 0.0.9 (2026-11-26)\n", "0.1.0")) == 1


def test_types_are_checked_where_mypy_is() -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed: pip install '.[dev]'")
    assert set(module("types").PARTS) == {"models", "translators", "templates"}
    assert sys.version_info >= (3, 10)
