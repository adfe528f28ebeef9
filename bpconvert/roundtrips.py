"""There and back: a document converted to another dialect and back again, compared with itself."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpconvert.api import Result, convert, dialect_of, opened, read
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.models.light import dataclass, field
from bpconvert.options import Choices, Options, chosen
from bpconvert.translators.dialects import DIALECTS, hide_given
from bpconvert.translators.provenance.carry import resolved
from bpconvert.yamlio.document import load

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass
class RoundTrip:
    """``name`` and ``source``: the document's, as messages call it and its text; ``there`` and ``back``: both
    conversions; ``nested``: the texts of the files that the document nests."""

    name: str
    source: str
    there: Result
    back: Result
    nested: dict[str, str] = field(default_factory=dict)
    #: values of hidden inputs, which are not printed
    secrets: Secrets = field(default_factory=Secrets)

    @property
    def is_identical(self) -> bool:
        """True when the document and all that it nests came back byte for byte (UTF-16 comes back as UTF-8)."""
        files = self.back.files
        return self.source == self.back.text and all(files.get(name) == text for name, text in self.nested.items())

    @cached_property
    def differences(self) -> dict[str, Any]:
        """What the contents differ in, as deepdiff has it (``{"values_changed": {...}, ...}``); {} when they are
        equal. ``old_value`` is the document's, ``new_value`` what came back."""
        if self.is_identical:
            return {}
        differences = _compared(self.source, self.back.text)
        for name, text in self.nested.items():
            came = self.back.files.get(name)
            if came is None:
                differences.setdefault("nested_removed", {})[name] = None
                continue
            for kind, places in _compared(text, came).items():
                places_named = {f"{name} {_place(place)}": places[place] for place in places}
                differences.setdefault(kind, {}).update(places_named)
        return differences


def roundtrip(
    source_document: str | bytes | Path,
    via: str | None = None,
    *,
    name: str | None = None,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> RoundTrip:
    """Convert a document of any dialect and convert the result back.

    Args:
        source_document: as for :func:`bpconvert.convert`.
        via: the dialect to go through; default: the first other one.
        name, options, choices: as for :func:`bpconvert.convert`. Without ``carry`` the way back asks for the version
            and generation of the source, as a user would.

    Raises:
        SourceError, OSError, UsageError: as :func:`bpconvert.convert`."""
    document = read(source_document, name)
    source = dialect_of(document)
    asked = chosen(options, choices)
    hide_given(document, asked.params or {})
    other = via or next(dialect for dialect in DIALECTS if dialect != source)
    there = convert(source_document, source, other, name=name, options=asked)
    current = document.data.get(DIALECTS[source].marker)
    keeper = DIALECTS[source].keeper()
    own = {} if asked.carry else {**keeper.version_option(current), **keeper.options(document.data)}
    options_back = asked._replace(**own)
    result = there.text.encode()
    back = convert(result, other, source, name=f"{document.name} (back)", beside=there.files, options=options_back)
    files = opened(source_document, name).files(asked)
    of_urls = {there.nested[trace.target]: trace.text for trace in there.traces if trace.target}
    texts = {place: files.look(place)[0] or of_urls.get(place) for place in there.nested.values()}
    nested = {place: text for place, text in texts.items() if text is not None}
    return RoundTrip(document.name, document.mark + document.text, there, back, nested, document.secrets)


def _compared(before: str, after: str) -> dict[str, Any]:
    """What the contents of two texts differ in; every kind of difference is a map by place."""
    from deepdiff import DeepDiff

    old, new = resolved(load(before).data), resolved(load(after).data)  # without the classes that know positions
    kinds = DeepDiff(old, new, verbose_level=2, threshold_to_diff_deeper=0).to_dict()
    return {kind: dict(places) if isinstance(places, dict) else dict.fromkeys(places) for kind, places in kinds.items()}


def lines(differences: dict[str, Any]) -> list[str]:
    """The differences in words, one line each: ``root['outputs']['ip'] is missing``."""
    rows = ((kind, place, detail) for kind, places in differences.items() for place, detail in places.items())
    return sorted(f"{_place(place)} {_words(kind, detail)}" for kind, place, detail in rows)


def _place(place: str) -> str:
    return place.removeprefix("root")


def _words(kind: str, detail: Any) -> str:
    if kind.endswith("_removed"):
        return "does not come back"
    if kind.endswith("_added"):
        return f"is new: {_short(detail)}"
    return f"was {_short(detail['old_value'])}, came back as {_short(detail['new_value'])}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
