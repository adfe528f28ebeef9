"""Tables that are made of several: nothing is in two of them."""

from __future__ import annotations

from collections import Counter

from bpconvert.diagnostics.codes import CODES, TABLES


def test_no_code_is_in_two_tables() -> None:
    counted = Counter(code for table in TABLES for code in table)
    assert {code for code, number in counted.items() if number > 1} == set()
    assert counted.keys() == CODES.keys()
