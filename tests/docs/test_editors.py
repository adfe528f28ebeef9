"""The extension for VS Code, and the settings for other editors."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from markdown_pages import blocks

from bpconvert.cli.main import commands

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "howto" / "editor.md"
EXTENSION = ROOT / "editors" / "vscode"


def manifest() -> dict[str, Any]:
    return json.loads((EXTENSION / "package.json").read_text("utf-8"))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_extension_starts_the_server() -> None:
    ran = subprocess.run(["node", "--test"], cwd=EXTENSION, capture_output=True, text=True, timeout=60, check=False)
    if "bad option" in ran.stderr:
        pytest.skip("node is too old: it has no --test")
    assert ran.returncode == 0, ran.stdout


def test_the_manifest_is_of_this_version() -> None:
    import bpconvert

    assert manifest()["version"] == bpconvert.__version__
    assert (EXTENSION / manifest()["main"]).is_file()


def test_all_settings_start_a_command_that_there_is() -> None:
    assert "lsp" in commands()
    assert 'cmd = { "bpconvert", "lsp" }' in blocks(PAGE, "lua")[0]
    settings = blocks(PAGE, "toml")[0]
    if sys.version_info >= (3, 11):
        import tomllib

        server = tomllib.loads(settings)["language-server"]["bpconvert"]
        assert [server["command"], *server["args"]] == ["bpconvert", "lsp"]
