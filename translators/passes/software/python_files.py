"""Files of Python, which one engine runs as programs and another one evaluates itself."""

from __future__ import annotations

import re

from bpconvert.models.expressions import Path
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request


def is_python(file: str, text: str) -> bool:
    """True where a file is one of Python by its name, or by the program that its first line names."""
    first, _, _ = text.partition("\n")
    return file.lower().endswith(".py") or (first.startswith("#!") and "python" in first)


def imports(text: str, module: str) -> bool:
    """True where Python imports a module, or something of it."""
    return re.search(rf"(?m)^[ \t]*(?:from|import)[ \t]+{re.escape(module)}\b", text) is not None


def is_program(file: str, path: Path, topology: Topology, request: Request) -> bool:
    """True for a file of Python that is run as a program. One that imports what only the target's engine has is
    evaluated by that engine, which is reported at ``path``."""
    if not file.lower().endswith(".py"):
        return False
    text = topology.files.get(file) or request.files.keep(file) or ""
    module = request.target.programs.module
    is_evaluated = bool(module) and imports(text, module)
    if is_evaluated:
        request.reporter.report("BPC979", path, script=file, tool=f"the module {module}")
    return not is_evaluated
