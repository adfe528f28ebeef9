"""How differences in meaning are printed: as text, and as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli import command as shared

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.verification import Difference, Verification
    from bpconvert.yamlio.document import Document

#: imports of a blueprint that declare no inputs
_ELSEWHERE: Final = ("plugin:", "cloudify/types/", "http:", "https:")


class Side:
    """One of the documents: what :func:`verify` takes. What messages show of it is read when they do."""

    def __init__(self, document: Path | bytes) -> None:
        self.document = document

    @cached_property
    def _read(self) -> Document:
        from bpconvert.api import read

        return read(self.document)

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._read.name

    @cached_property
    def dialect(self) -> str:
        """The name of its dialect."""
        from bpconvert.api import dialect_of

        return dialect_of(self._read)

    @property
    def inputs(self) -> dict[str, Any]:
        """Its inputs with their declarations."""
        from bpconvert.translators.dialects import DIALECTS

        inputs = self._read.data.get(DIALECTS[self.dialect].section("inputs"))
        return inputs if isinstance(inputs, dict) else {}

    @property
    def has_imports(self) -> bool:
        """True where files beside it may declare more inputs."""
        imports = self._read.data.get("imports")
        entries = imports if isinstance(imports, (list, dict)) else []
        locations = [place for place in imports if isinstance(place, str)] if isinstance(imports, list) else []
        return len(locations) < len(entries) or not all(place.startswith(_ELSEWHERE) for place in locations)

    @property
    def defaults(self) -> dict[str, Any]:
        """Name of an input -> its default as written."""
        declared = {name: entry for name, entry in self.inputs.items() if isinstance(entry, dict)}
        return {name: entry["default"] for name, entry in declared.items() if "default" in entry}


class Comparison:
    """Two documents that were compared, without the values of hidden inputs.

    ``differences``: those that are not known; ``known``: how many others there are."""

    def __init__(
        self,
        sides: Sequence[Side],
        verification: Verification,
        is_known: Callable[[str, Difference], bool] | None = None,
    ) -> None:
        hide = verification.secrets.masked_in
        self.sides = sides
        self.compared = verification.compared
        self.counts = {
            "equal": verification.equal,
            "unequal_reported": verification.reported,
            "unequal_reworded": verification.reworded,
        }
        self.notes = list(dict.fromkeys(hide(verification.notes)))
        self.all = [
            difference._replace(
                first=hide(difference.first), second=hide(difference.second), inputs=hide(difference.inputs)
            )
            for difference in verification.differences
        ]
        self.differences = [
            difference for difference in self.all if is_known is None or not is_known(sides[0].name, difference)
        ]
        self.known = len(self.all) - len(self.differences)
        self._masked = hide

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Name of an input -> its default in one of the documents, the first one before the other."""
        defaults: dict[str, Any] = self._masked({**self.sides[1].defaults, **self.sides[0].defaults})
        return defaults

    @property
    def silent(self) -> list[Difference]:
        """The differences that no finding of the conversion reports."""
        return [difference for difference in self.differences if not difference.is_reported]

    @property
    def has_failed(self) -> bool:
        """True where nothing could be compared."""
        return not self.compared and bool(self.notes)

    def counted(self, arguments: argparse.Namespace) -> list[Difference]:
        """The differences that the exit code is about."""
        return self.silent if arguments.allow_reported else self.differences

    def summary(self) -> str:
        """The closing line."""
        if not self.compared:
            return "nothing was compared" if self.notes else "nothing to compare"
        values = f"{shared.count(self.compared, 'value')} compared, {self.counts['equal']} equal"
        baseline = f"; {shared.count(self.known, 'difference')} known" if self.known else ""
        if not self.differences:
            return f"{values}{baseline or ': the same'}"
        silent, places = len(self.silent), len(self.differences)
        outcome = f"different at {shared.count(places, 'place')}: {places - silent} reported, {silent} silent"
        return f"{values}; {outcome}{baseline}"

    def text(self, wanted: Sequence[Difference], limit: int, whole: bool) -> str:
        """The ``wanted`` differences, of more than ``limit`` the first ones (0: all); ``whole``: with whole values."""
        first = wanted[: limit or None]
        lines = [line for difference in first for line in _lines(difference, self.defaults, whole)]
        if len(first) < len(wanted):
            lines.append(f"... and at {shared.count(len(wanted) - len(first), 'more place')} (--limit 0 shows all)")
        return shared.not_for_runners("".join(f"{line}\n" for line in lines))

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, under the names that the objects of the library have."""
        return {
            "files": [{"file": side.name, "dialect": side.dialect} for side in self.sides],
            "differences": [
                {
                    "what": difference.what,
                    "first": {**_state(difference.first), **difference.first_place._asdict()},
                    "second": {**_state(difference.second), **difference.second_place._asdict()},
                    "inputs": difference.inputs,
                    "codes": list(difference.codes),
                    "is_reported": difference.is_reported,
                }
                for difference in self.differences
            ],
            "notes": self.notes,
            "summary": {
                "compared": self.compared,
                **self.counts,
                "differences": len(self.differences),
                "reported": len(self.differences) - len(self.silent),
                "silent": len(self.silent),
                "known": self.known,
            },
        }


_LONGEST: Final = 80
_LONGEST_INPUTS: Final = 100


def _lines(difference: Difference, defaults: dict[str, Any], whole: bool) -> list[str]:
    """One difference: a line for each document, the inputs under which it shows, the codes that name the place."""
    from bpconvert.diagnostics.shown import printable

    values = _written(difference.first, difference.second, whole)
    places = zip((difference.first_place, difference.second_place), values, strict=True)
    lines = [printable(f"{place}: {difference.what} {value}") for place, value in places]
    inputs = {name: v for name, v in difference.inputs.items() if whole or name not in defaults or defaults[name] != v}
    if inputs:
        lines.append(f"    with {printable(_inputs(inputs, whole))}")
    if difference.codes:
        how = "reported" if difference.is_reported else "not reported, but expressed differently"
        lines.append(f"    {how} by {', '.join(difference.codes)}")
    return lines


def _written(first: Any, second: Any, whole: bool) -> tuple[str, str]:
    """Both values in words. Of long ones the part where they begin to differ, unless they are to be ``whole``."""
    texts = [_in_words(first), _in_words(second)]
    if whole or max(map(len, texts)) <= _LONGEST:
        return texts[0], texts[1]
    pairs = enumerate(zip_longest(*texts))
    same = next((place for place, (left, other) in pairs if left != other), 0)
    start = same - _LONGEST // 4 if same > _LONGEST // 2 else 0
    head = "is ..." if start else ""
    cut = [head + text[start:] if len(text) > start else text for text in texts]
    left, right = (text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..." for text in cut)
    return left, right


def _in_words(value: Any) -> str:
    words = {"missing": "is not there", "refused": "cannot be computed"}
    return words.get(_state(value)["state"], f"is {value!r}")


def _state(value: Any) -> dict[str, Any]:
    """A value of a difference as plain data: whether there is one, whether the engine refuses it, and which it is."""
    from bpconvert.models.expressions import MISSING
    from bpconvert.translators.comparing.filling import REFUSED

    for state, marker in (("missing", MISSING), ("refused", REFUSED)):
        if value is marker:
            return {"state": state}
    return {"state": "value", "value": value}


def _inputs(inputs: dict[str, Any], whole: bool) -> str:
    """``env=prod, zones=["a", "b"]``, as ``--param`` takes them."""
    import json

    pairs = [
        f"{name}={v if isinstance(v, str) else json.dumps(v, ensure_ascii=False, default=str)}"
        for name, v in inputs.items()
    ]
    if whole:
        return ", ".join(pairs)
    kept: list[str] = []
    for pair in pairs:
        if kept and len(", ".join([*kept, pair])) > _LONGEST_INPUTS:
            break
        kept.append(pair if len(pair) <= _LONGEST_INPUTS else f"{pair[: _LONGEST_INPUTS - 3]}...")
    left = len(pairs) - len(kept)
    return ", ".join(kept) + (f", and {left} more" if left else "")
