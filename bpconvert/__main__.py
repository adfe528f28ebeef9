"""The process: ``python -m bpconvert`` and the ``bpconvert`` command.

What is set here holds for one run of the command only; whoever imports the library, or calls
:func:`bpconvert.cli.main.main`, gets none of it."""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from types import ModuleType
from typing import Any, NoReturn


def run() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    gc.set_threshold(500_000, 20, 100)  # imports and one conversion make little garbage; a batch is still collected
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _fill_closed_descriptors()
    _defer_package_metadata()
    from bpconvert.cli.main import finish, main

    code = finish(main())
    if os.environ.get("BPCONVERT_DEBUG"):
        sys.exit(code)
    os._exit(code)  # taking the interpreter apart takes as long as a conversion; all output is flushed by now


def _fill_closed_descriptors() -> None:
    """No file that is opened later is standard output, or standard error of the system, because that was closed."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:  # what is missing, from below
        pass
    os.close(descriptor)
    if sys.stderr is None:
        sys.stderr = io.StringIO()


def _defer_package_metadata() -> None:
    """Load ``importlib.metadata`` when it is first used.

    pydantic imports it to look for plugins, which are switched off here; e-mail and socket packages come with it."""
    name = "importlib.metadata"
    if name in sys.modules:
        return
    stand_in = ModuleType(name)

    def real(attribute: str) -> Any:
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
        return getattr(importlib.import_module(name), attribute)

    def entry_points(**selection: Any) -> Any:
        return real("entry_points")(**selection)

    folder = os.path.join(importlib.__path__[0], "metadata")
    vars(stand_in).update(__getattr__=real, __path__=[folder], entry_points=entry_points)
    sys.modules[name] = stand_in


if __name__ == "__main__":
    run()
