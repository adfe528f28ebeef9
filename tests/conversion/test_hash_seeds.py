"""A result does not depend on the order in which Python happens to keep the members of a set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import edited_results
import pytest

pytestmark = pytest.mark.one_version

#: one of so many cases of the corpus
_STEP = "40"


def test_results_are_the_same_for_every_hash_seed() -> None:
    script = Path(edited_results.__file__)
    found = [
        subprocess.run(
            [sys.executable, str(script), _STEP],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for seed in ("0", "1")
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 50
