"""Texts of documents in front of programs that read more than text in them."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from bpconvert.diagnostics.shown import UNSHOWN, no_commands, printable, without_controls

STEERING = "\x00\x07\x1b\r\x7f\x85\x9b\u2028\u202e\u2066\ufffe"


def test_what_steers_is_replaced() -> None:
    assert without_controls(f"a\tb\nc{STEERING}ä…") == f"a\tb\nc{UNSHOWN * len(STEERING)}ä…"
    assert printable(f"a\tb\n{STEERING}ä…") == f"a\tb{UNSHOWN * (len(STEERING) + 1)}ä…"


def test_markup_stays_markup() -> None:
    assert type(without_controls(Markup("<b>\x00</b>"))) is Markup
    assert without_controls(Markup("<b>\x00</b>")) == f"<b>{UNSHOWN}</b>"


@pytest.mark.parametrize("line", ["::error::x", "  ::error::x", "\t::set-env n=a::b", "a ##[error]x", "##vso[task]x"])
def test_a_line_is_no_command(line: str) -> None:
    shown = no_commands(f"first\n{line}\nlast :: ok").splitlines()
    assert shown[0] == "first"
    assert shown[2] == "last :: ok"
    assert shown[1].replace("\u200b", "") == line
    assert not shown[1].strip().startswith("::")
    assert "##[" not in shown[1]
    assert "##vso" not in shown[1]


def test_other_text_stays() -> None:
    assert no_commands("a: b\n: x\n# #[\nOS::Nova::Server") == "a: b\n: x\n# #[\nOS::Nova::Server"
