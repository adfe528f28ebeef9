"""``verify``: an entry that only the result has is told where a diagnostic says that it has another name there."""

from __future__ import annotations

import pytest

from bpconvert import convert
from bpconvert.verification import verify

TEMPLATE = """\
heat_template_version: 2018-08-31
outputs:
  "größe": {value: {"schlüssel": 1}}
"""


def told(old: str = "", new: str = "") -> dict[str, tuple[str, ...]]:
    """What differs -> the codes that tell it; a text of the result is changed before."""
    result = convert(TEMPLATE, "hot", "cloudify", carry=False)
    assert old in result.text, result.text
    changed = result.text.replace(old, new) if old else result.text
    return {one.what: one.codes for one in verify(TEMPLATE, changed, reported=result.diagnostics).differences}


def test_both_names_of_an_output_are_told() -> None:
    found = told()
    assert len(found) > 1
    assert all("BPC604" in codes for codes in found.values()), found


@pytest.mark.parametrize("new", ["other", "groesser"])
def test_an_output_with_a_name_that_nothing_says_is_not_told(new: str) -> None:
    assert told("groe:", f"{new}:")[f"outputs.{new}"] == ()


def test_both_forms_of_a_key_are_told() -> None:
    plain = TEMPLATE.replace("größe", "size")
    result = convert(plain, "hot", "cloudify", carry=False)
    found = {one.what: one.codes for one in verify(plain, result.text, reported=result.diagnostics).differences}
    assert found == {"outputs.size.schlüssel": ("BPC603",), "outputs.size.schlussel": ("BPC603",)}
    other = result.text.replace("schlussel", "key")
    found = {one.what: one.codes for one in verify(plain, other, reported=result.diagnostics).differences}
    assert found["outputs.size.key"] == ()
