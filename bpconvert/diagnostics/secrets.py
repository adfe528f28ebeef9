"""Texts that nobody is to read in a finding, which quotes what it is about, and the line: values of hidden inputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, quote_plus

#: what stands in place of a secret text, however long that is
MASK: Final = "******"
#: a shorter text is masked as a whole word only, and in quotes if it has only letters: others have it too
_SHORT: Final = 4


class Secrets:
    """The secret texts of one conversion, of all its documents; more may become known on the way."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def __repr__(self) -> str:
        return "Secrets()"

    def add(self, value: Any) -> None:
        """Add all texts and numbers of a value, and the lines of texts. Truth values and null are no secrets."""
        found = {form for text in _texts(value) for form in _forms(text)}
        if not found <= self._texts:
            self._texts |= found
            self._pattern = None

    def join(self, other: Secrets) -> None:
        """Add what ``other`` knows."""
        if not other._texts <= self._texts:
            self._texts |= other._texts
            self._pattern = None

    def masked(self, text: str) -> str:
        """``text`` with the mask in place of everything secret."""
        return self._found().sub(MASK, text) if self._texts else text

    def masked_at(self, text: str, column: int) -> tuple[str, int]:
        """As :meth:`masked`, and where the character at ``column`` has come to stand."""
        if not self._texts:
            return text, column
        place = column
        for found in self._found().finditer(text):
            if found.end() <= column:
                place += len(MASK) - (found.end() - found.start())
            elif found.start() < column:
                place -= column - found.start()
        return self.masked(text), place

    def masked_in(self, value: Any) -> Any:
        """Plain data with the mask in place of everything secret in its texts, and of numbers that are secret."""
        if not self._texts or value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, Mapping):
            return {self.masked_in(key): self.masked_in(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.masked_in(item) for item in value]
        return MASK if isinstance(value, (int, float)) and str(value) in self._texts else value

    def _found(self) -> re.Pattern[str]:
        if self._pattern is None:
            ordered = sorted(self._texts, key=lambda text: (-len(text), text))
            self._pattern = re.compile("|".join(map(_pattern, ordered)))
        return self._pattern


def _pattern(text: str) -> str:
    if len(text) >= _SHORT:
        return re.escape(text)
    before, behind = ("(?<=['\"])", "(?=['\"])") if text.isalpha() else (r"(?<!\w)", r"(?!\w)")
    return before + re.escape(text) + behind


def is_hidden(declared: Any) -> bool:
    """Whether the declaration of an input has ``hidden`` with something that one of the languages takes for true."""
    hidden = declared.get("hidden") if isinstance(declared, dict) else None
    return hidden == 1 or (isinstance(hidden, str) and hidden.lower() in ("true", "t", "yes", "y", "on", "1"))


def hidden_defaults(declared: Any) -> Iterator[tuple[Any, Any]]:
    """The names and defaults of the hidden ones among the inputs that a document declares. A list or map without a type
    is a table that choices are made of, and no secret."""
    for name, entry in declared.items() if isinstance(declared, dict) else ():
        if is_hidden(entry) and not (isinstance(entry.get("default"), (dict, list)) and "type" not in entry):
            yield name, entry.get("default")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        yield from (line for line in value.splitlines() if len(line.strip()) >= _SHORT)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)


def _forms(text: str) -> set[str]:
    """A text as it is, as messages and documents quote it, and as the parts of URLs do."""
    text = text.strip()
    quoted = {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1]}
    encoded = text.encode(errors="surrogatepass")
    in_urls = {quoting(encoded, safe) for quoting in (quote, quote_plus) for safe in ("", "/")}
    return {text, text.replace("'", "''"), *quoted, *in_urls} - {""}
