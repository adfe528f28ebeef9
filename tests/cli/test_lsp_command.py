"""``bpconvert lsp`` without pygls."""

from __future__ import annotations

import sys

import pytest

from bpconvert.cli.main import main


def test_a_missing_pygls_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith("bpconvert.cli.lsp.server")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("pygls", "lsprotocol"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["lsp"]) == 2
    message = "bpconvert lsp: error: the package pygls is not installed: pip install 'bpconvert[lsp]'\n"
    assert capsys.readouterr().err == message
