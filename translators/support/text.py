"""Text that a parser accepts, names that nobody has."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Container
from typing import Any, Final

_UUID: Final = r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}"

#: how a text begins that stands for what the target has no form for
NOT_CONVERTED: Final = "not converted: "


def ascii_text(text: str) -> str:
    """``text`` in ASCII: accents are taken off, other characters become ``?``."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).encode("ascii", "replace").decode()


def fresh(wanted: str, taken: Container[str]) -> str:
    """``wanted``, with a number behind it where it is taken."""
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted}_{count}"
    return name


def is_uuid(text: Any) -> bool:
    """True for the text form of a UUID."""
    return isinstance(text, str) and re.fullmatch(_UUID, text) is not None


def is_name(value: Any) -> bool:
    """True for a literal that can only be a name: a text that is neither empty nor a UUID."""
    return isinstance(value, str) and value != "" and not is_uuid(value)


def key_text(key: object) -> str:
    """The text that a key of a map is in JSON: ``1`` is ``"1"``, ``True`` is ``"true"``."""
    return json.dumps(key) if key is None or isinstance(key, (bool, int, float)) else str(key)
