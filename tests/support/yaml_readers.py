"""All the ways in which something written may be read, and the check that they agree."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.error import MantissaNoDotYAML1_1Warning

from bpconvert.yamlio.document import load

warnings.simplefilter("error", MantissaNoDotYAML1_1Warning)


def _ruamel(pure: bool, version: tuple[int, int] | None) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        reader = YAML(typ="safe", pure=pure)
        reader.version = version
        return reader.load(text)

    return read


READERS: dict[str, Callable[[str], Any]] = {
    "PyYAML": lambda text: yaml.load(text, yaml.SafeLoader),
    "PyYAML C": lambda text: yaml.load(text, yaml.CSafeLoader),
    "ruamel 1.1": _ruamel(True, (1, 1)),
    "ruamel 1.2": _ruamel(True, (1, 2)),
    "ruamel C": _ruamel(False, None),
    "bpconvert": lambda text: load(text, "written").data,
}


def same(one: Any, other: Any) -> bool:
    """Equal, with the same types, in the same order; a subclass of dict or list is as good as the class."""
    if isinstance(one, dict) and isinstance(other, dict):
        return same(list(one), list(other)) and same(list(one.values()), list(other.values()))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) is not type(other):
        return False
    return one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


def check(data: Any, text: str) -> None:
    """Assert that every reader reads ``data`` from ``text``."""
    for name, read in READERS.items():
        found = read(text)
        assert same(data, found), f"{name} reads {found!r}\n{text}"
