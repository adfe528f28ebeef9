"""Where a blueprint keeps the record of what it was made from: in its ``metadata``, which takes any map and is not
searched for functions (cfy_grammar: parser ``Metadata``). The parser takes ASCII only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.expressions import Path
from bpconvert.options import CHOICES
from bpconvert.translators.carry import KEY, escaped
from bpconvert.translators.cloudify.functions import needs

_SECTION = "metadata"


def put(data: dict[str, Any], kept: dict[str, str]) -> None:
    """Add the record to a blueprint's data."""
    data[_SECTION] = {**data.get(_SECTION, {}), KEY: escaped(kept)}


def find(data: Any) -> Path | None:
    """The place of the entry that holds a record, None if there is none."""
    metadata = data.get(_SECTION) if isinstance(data, dict) else None
    kept = metadata.get(KEY) if isinstance(metadata, dict) else None
    return (_SECTION, KEY) if isinstance(kept, dict) and "digests" in kept else None


def read(data: Any, place: Path) -> Mapping[str, str]:
    """The record in the entry at ``place``."""
    found: Mapping[str, str] = data[_SECTION][KEY]
    return found


def version(current: str, fragments: Iterable[Any]) -> str:
    """``current``, or the first version that has all functions of the fragments where that is later."""
    wanted = rules.PREFIX + max(map(needs, fragments), default="1_0")
    return max(current, wanted)


def version_option(current: Any) -> dict[str, Any]:
    """The options that ask for the version ``current`` of the DSL, {} where no manager of today takes it."""
    number = current.removeprefix(rules.PREFIX) if isinstance(current, str) else None
    return {"dsl_version": number} if number and number in CHOICES["dsl_version"] else {}
