"""Small helpers without knowledge of any language: graphs, places in data, names.

Here itself is what few runs need, by its place: the module is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def imported(place: str) -> Any:
    """What ``module:name``, or ``module``, is."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)


def later(place: str, doc: str = "") -> Callable[..., Any]:
    """The function at ``module:name``, imported when it is called first. ``doc``: what it does."""

    def function(*arguments: Any) -> Any:
        return imported(place)(*arguments)

    function.__doc__ = doc
    return function
