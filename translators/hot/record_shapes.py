"""The shape of what Heat exports of a stack (heat/engine/stack.py, ``prepare_abandon``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_MAP, _TEXT = (dict, type(None)), (str, type(None))
#: key -> what it holds
_STACK: Final[Mapping[str, Any]] = {"template": _MAP, "resources": _MAP, "environment": _MAP, "files": _MAP,
    "action": _TEXT, "status": _TEXT, "name": _TEXT, "id": _TEXT}  # fmt: skip
_ROW: Final[Mapping[str, Any]] = {"type": _TEXT, "action": _TEXT, "status": _TEXT, "resource_data": _MAP,
    "resource_id": (str, int, type(None))}  # fmt: skip
_TEMPLATE: Final[Mapping[str, Any]] = dict.fromkeys(("parameters", "resources", "outputs", "conditions"), _MAP)
_WORDS: Final = {dict: "map", str: "text"}


def check(data: Mapping[str, Any], where: str = "") -> None:
    """Raise ValueError, with the place, for what no export of a stack has."""
    _check_keys(data, _STACK, where)
    _check_keys(data.get("environment") or {}, {"parameters": _MAP}, f"{where}environment.")
    check_template(data.get("template") or {}, f"{where}template.")
    for name, row in (data.get("resources") or {}).items():
        place = f"{where}resources.{name}"
        if not isinstance(row, dict):
            raise ValueError(f"'{place}' is no map")
        if "resources" in row:
            check(row, f"{place}.")
        else:
            _check_keys(row, _ROW, f"{place}.")


def check_template(template: Mapping[str, Any], where: str = "") -> None:
    """Raise ValueError, with the place, for a template that no stack can have."""
    _check_keys(template, _TEMPLATE, where)
    for section in ("parameters", "resources", "outputs"):
        for name, body in (template.get(section) or {}).items():
            if not isinstance(name, str) or not isinstance(body, dict):
                raise ValueError(f"'{where}{section}.{name}' is no map")
    for name, body in (template.get("resources") or {}).items():
        place = f"{where}resources.{name}."
        _check_keys(body, {"type": (str,), "properties": _MAP}, place)
        waits = body.get("depends_on")
        if not all(isinstance(name, str) for name in (waits if isinstance(waits, list) else [waits or ""])):
            raise ValueError(f"'{place}depends_on' names no resources")


def _check_keys(data: Mapping[str, Any], shape: Mapping[str, Any], where: str) -> None:
    for key, kinds in shape.items():
        if not isinstance(data.get(key), kinds) and (key in data or type(None) not in kinds):
            raise ValueError(f"'{where}{key}' is no {_WORDS.get(kinds[0], 'value')}")
