"""Scripts that another engine runs in another way."""

from __future__ import annotations

import pytest

from bpconvert.translators.passes.software.publishing import _as_program


@pytest.mark.parametrize(
    "text",
    [
        "print 'there'\n",
        "import os, urllib2\nimport urllib2\n",
        "try:\n    pass\nexcept OSError, error:\n    pass\n",
        "exec 'x = 1'\n",
        "    raise ValueError, 'no'\n",
        "for i in xrange(3): pass\n",
        "from ConfigParser import ConfigParser\n",
    ],
)
def test_what_only_python_2_takes(text: str) -> None:
    made = _as_program(text)
    assert (made.text, made.code) == (f"#!/usr/bin/env python2\n{text}", "BPC958")


@pytest.mark.parametrize(
    "text",
    [
        "print('there')\n",
        "print (1)\n",
        "import urllib.request\n",
        "try:\n    pass\nexcept (OSError, ValueError):\n    pass\n",
        "try:\n    pass\nexcept OSError as error:\n    pass\n",
        "exec('x = 1')\nraise ValueError('a, b')\n",
        "printed = 1\n",
        "",
    ],
)
def test_what_python_3_takes(text: str) -> None:
    made = _as_program(text)
    assert (made.text, made.code) == (f"#!/usr/bin/env python3\n{text}", "BPC957")


def test_a_first_line_stays() -> None:
    made = _as_program("#!/opt/bin/python\nimport os\n")
    assert (made.text, made.code) == ("#!/opt/bin/python\nimport os\n", "BPC957")
