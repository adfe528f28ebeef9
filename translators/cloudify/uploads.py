"""Blueprints of components: a script beside the blueprint (:mod:`~.cloudify.upload_calls`) puts them on the manager
before the component looks for them. The component itself names an existing blueprint: of one that it uploaded itself,
the manager would remove the blueprint with the first of several components."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Operation
from bpconvert.translators import cloudify
from bpconvert.translators.cloudify.computed import INTERFACE
from bpconvert.translators.cloudify.vocabulary import UPLOADS

#: where the script is in the bundle
PATH: Final = UPLOADS
#: the step before the component's own, which looks for the blueprint
_STEP: Final = "precreate"
_SETTINGS: Final[dict[str, Any]] = {"executor": "central_deployment_agent"}
_MAIN: Final = """

if __name__ == "__main__":
    from cloudify import ctx
    from cloudify.manager import get_rest_client
    from cloudify.state import ctx_parameters as given

    uploaded(
        get_rest_client().blueprints, ctx.download_resource, given["blueprint"], given["file"], list(given["files"])
    )
"""


def program() -> str:
    """The text of the script."""
    return files(cloudify).joinpath("upload_calls.py").read_text(encoding="utf-8") + _MAIN


def is_program(text: str | None) -> bool:
    """True where ``text`` is that of the script; for None, where nobody knows it."""
    return text in (None, program())


def operation(name: str, file: Value, others: tuple[str, ...], path: Path) -> Operation:
    """What uploads the blueprint ``name``, whose file is ``file`` and has the files ``others`` beside it."""
    inputs: dict[str, Value] = {"blueprint": name, "file": file, "files": list(others)}
    return Operation(INTERFACE, _STEP, PATH, inputs, extra=dict(_SETTINGS), path=path)
