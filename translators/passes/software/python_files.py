"""What runs a file, by its first line or its name: Python is a program for one engine, and evaluated by another."""

from __future__ import annotations

import re
from typing import Final

from bpconvert.models.expressions import Path
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request

#: end of a script's name -> its first line
_INTERPRETERS: Final = {
    ".py": "#!/usr/bin/env python3", ".bash": "#!/bin/bash", ".rb": "#!/usr/bin/env ruby", ".pl": "#!/usr/bin/env perl",
}  # fmt: skip


def interpreter(file: str, text: str) -> str | None:
    """The first line of a script without one that its name calls for; None where it has one, or needs none: a shell
    runs it."""
    ends = () if text.startswith("#!") else _INTERPRETERS
    return next((_INTERPRETERS[end] for end in ends if file.lower().endswith(end)), None)


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
