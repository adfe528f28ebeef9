"""Texts that nobody is to read in a finding, which quotes what it is about, and the line: values of hidden inputs.

Most of them nobody else has: these are masked wherever they stand. A word or a number (``prod``, ``1``) is no secret by
itself: in the document that declares it as the value of a hidden input, it is masked where it is that value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import quote, quote_plus

from bpconvert.models.light import NamedTuple

#: what stands in place of a secret text, however long that is
MASK: Final = "******"
#: a shorter text is masked as a whole word only, and in quotes if it has only letters: others have it too
_SHORT: Final = 4
#: a text of letters alone, or of digits alone, that is shorter is a word or a number that others have, too
_LONG: Final = 16
Place: TypeAlias = "tuple[str, int]"


class _Lines(NamedTuple):
    """The lines of a document where the values of its hidden inputs are written, and where they may be used."""

    written: frozenset[int]
    using: frozenset[int]


class Secrets:
    """The secret texts of one conversion, of all its documents; more may become known on the way."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        #: words and numbers -> the documents that declare them
        self._common: dict[str, set[str]] = {}
        self._lines: dict[str, _Lines] = {}
        #: document -> what yields lines of it, to be asked where they matter
        self._unread: dict[str, list[Callable[[], tuple[Iterable[int], Iterable[int]]]]] = {}
        self._patterns: dict[str, re.Pattern[str] | None] = {}

    def __repr__(self) -> str:
        return "Secrets()"

    @property
    def are_none(self) -> bool:
        """True as long as nothing is known to be secret."""
        return not self._texts

    def add(self, value: Any, document: str = "") -> None:
        """Add all texts and numbers of a value, and the lines of texts. Truth values and null are no secrets.

        ``document``: the name of the one that declares the input."""
        forms = {form for text in _texts(value) for form in _forms(text)}
        for form in filter(_is_common, forms):
            if document or form not in self._common:
                self._common.setdefault(form, set()).add(document)
                self._patterns.clear()
        if not forms <= self._texts:
            self._texts |= forms
            self._patterns.clear()

    def place(self, document: str, written: Iterable[int], using: Iterable[int]) -> None:
        """Say at which lines a document has values of its hidden inputs, and at which it uses them."""
        lines = self._lines.get(document, _Lines(frozenset(), frozenset()))
        self._lines[document] = _Lines(lines.written.union(written), lines.using.union(using))

    def place_later(self, document: str, lines: Callable[[], tuple[Iterable[int], Iterable[int]]]) -> None:
        """As :meth:`place`, with what yields both: a document without secret texts is never asked."""
        self._unread.setdefault(document, []).append(lines)

    def __getstate__(self) -> dict[str, Any]:
        for document in [*self._unread]:
            self._lines_of(document)
        return self.__dict__

    def _lines_of(self, document: str) -> _Lines | None:
        for lines in self._unread.pop(document, ()):
            self.place(document, *lines())
        return self._lines.get(document)

    def join(self, other: Secrets) -> None:
        """Add what ``other`` knows."""
        for form, documents in other._common.items():
            self._common[form] = self._common.get(form, set()) | documents
        for name, lines in other._lines.items():
            self.place(name, *lines)
        for name, unread in other._unread.items():
            self._unread[name] = list(dict.fromkeys([*self._unread.get(name, ()), *unread]))
        self._texts |= other._texts
        self._patterns.clear()

    def masked(self, text: str, place: Place | None = None) -> str:
        """``text`` with the mask in place of everything secret.

        ``place``: the document and the line that the text is about; words and numbers that this document declares are
        masked only where it may use them."""
        return self._sub(text, self._pattern(place, quoted=False))

    def masked_line(self, text: str, place: Place) -> str:
        """The line of a document, as :meth:`masked`: what only uses values does not show them."""
        return self._sub(text, self._pattern(place, quoted=True))

    def masked_at(self, text: str, column: int, place: Place | None = None) -> tuple[str, int]:
        """As :meth:`masked_line`, and where the character at ``column`` has come to stand."""
        pattern = self._pattern(place, quoted=True)
        if pattern is None:
            return text, column
        moved = column
        for match in pattern.finditer(text):
            if match.end() <= column:
                moved += len(MASK) - (match.end() - match.start())
            elif match.start() < column:
                moved -= column - match.start()
        return self._sub(text, pattern), moved

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

    @staticmethod
    def _sub(text: str, pattern: re.Pattern[str] | None) -> str:
        return text if pattern is None else pattern.sub(MASK, text)

    def _pattern(self, place: Place | None, quoted: bool) -> re.Pattern[str] | None:
        """What finds the texts that are masked at a place; None for nothing. ``quoted``: the place is quoted."""
        if not self._texts:
            return None
        name, line = place or ("", 0)
        lines = self._lines_of(name)
        is_near = lines is None or line in lines.written or (not quoted and line in lines.using)
        document = "" if is_near else name
        if document not in self._patterns:
            texts = [text for text in self._texts if not document or document not in self._common.get(text, ())]
            ordered = sorted(texts, key=lambda text: (-len(text), text))
            self._patterns[document] = re.compile("|".join(map(_pattern, ordered))) if ordered else None
        return self._patterns[document]


def _is_common(text: str) -> bool:
    """Whether a text is a word or a number that others have, too."""
    return len(text) < _SHORT or (len(text) < _LONG and (text.isalpha() or text.isdigit()))


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
