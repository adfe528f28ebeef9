"""Converts between orchestration languages: OpenStack Heat templates, Cloudify blueprints and TOSCA service templates.

>>> from bpconvert import convert
>>> result = convert("heat_template_version: 2021-04-16\\n")
>>> result.fidelity == "exact"
True

The names below are loaded on first use, so that ``bpconvert --help`` does not pay for the converter."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpconvert.adoption import Wanted, adopt
    from bpconvert.api import Result, convert
    from bpconvert.checking import check
    from bpconvert.diagnostics import (
        BpconvertError,
        Diagnostic,
        EvaluationError,
        Fidelity,
        Severity,
        SourceError,
        Span,
        UsageError,
    )
    from bpconvert.evaluation import evaluate
    from bpconvert.graphs import graph
    from bpconvert.options import Options
    from bpconvert.roundtrips import RoundTrip, roundtrip
    from bpconvert.trees import ConvertedFile, ConvertedTree, convert_tree
    from bpconvert.verification import Difference, Verification, verify

__version__ = "0.1.0"

if not os.path.isdir(os.path.join(__path__[0], "models")):
    # not installed: a checkout has models/, translators/ and templates/ beside this folder
    __path__.append(os.path.dirname(os.path.abspath(__path__[0])))

__all__ = [
    "BpconvertError",
    "ConvertedFile",
    "ConvertedTree",
    "Diagnostic",
    "Difference",
    "EvaluationError",
    "Fidelity",
    "Options",
    "Result",
    "RoundTrip",
    "Severity",
    "SourceError",
    "Span",
    "UsageError",
    "Verification",
    "Wanted",
    "__version__",
    "adopt",
    "check",
    "convert",
    "convert_tree",
    "evaluate",
    "graph",
    "roundtrip",
    "trace",
    "verify",
]

#: module -> the public names that it defines
_MODULES = {
    "adoption": ("Wanted", "adopt"),
    "api": ("Result", "convert", "trace"),
    "checking": ("check",),
    "diagnostics": (
        "BpconvertError", "Diagnostic", "EvaluationError", "Fidelity", "Severity", "SourceError", "Span",
        "UsageError",
    ),
    "evaluation": ("evaluate",),
    "graphs": ("graph",),
    "options": ("Options",),
    "roundtrips": ("RoundTrip", "roundtrip"),
    "trees": ("ConvertedFile", "ConvertedTree", "convert_tree"),
    "verification": ("Difference", "Verification", "verify"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it (PEP 562)."""
    home = next((module for module, names in _MODULES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
