"""What is generated from other parts of the package (tools/generate) is what these make of it."""

from __future__ import annotations

import subprocess
import sys

from checkout import ROOT
from generated_files import generated, stale


def test_generated_files_are_fresh() -> None:
    assert sorted(stale()) == [], "run: python tools/generate"


def test_nothing_else_is_where_they_are() -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "models/plain").glob("*.py")}
    assert found - {"models/plain/__init__.py"} == {path for path in generated() if path.startswith("models/plain")}


def test_a_conversion_imports_neither_pydantic_nor_jinja2() -> None:
    """Of a document without errors, in each direction."""
    program = (
        "import sys; from bpconvert import convert\n"
        "hot = 'heat_template_version: 2018-08-31\\nresources: {n: {type: OS::Neutron::Net}}\\n'\n"
        "for target in ('cloudify', 'tosca'):\n"
        "    made = convert(hot, 'hot', target, carry=False).text\n"
        "    for other in {'hot', 'cloudify', 'tosca'} - {target}:\n"
        "        convert(made, target, other)\n"
        "print(*{'pydantic', 'pydantic_core', 'jinja2'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
