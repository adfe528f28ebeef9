"""One kind of finding."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.light import NamedTuple

#: what texts say where the engines of the source and of the target are not known
ENGINES: Final = ("the source", "the target")


class Code(NamedTuple):
    """One kind of finding. ``message`` and ``hint`` are ``str.format`` templates; ``{source_engine}`` and
    ``{target_engine}`` in its texts are the names of the engines.

    ``causes``: which findings follow from one of this kind: those of its ``node``; all of its ``document``; where it is
    about the ``type`` of a node, what that node becomes; what nodes become whose ``types`` are not known.
    ``follows``: the placeholder of the message that names the node whose finding one of this kind follows from;
    ``stand_in`` where the message need not name it.
    ``note``: a comment for the result, where the thing stands that the finding is about: the input that the
    placeholder ``asks`` names, else what the place of the finding became. Of stand-ins and inputs only.
    ``step``: what one step of a person settles, with placeholders of the message: of several findings of this kind with
    the same step in a document, those after the first follow from it. Only of what changes nothing that an engine
    creates, whoever reads the findings of one node sees them there."""

    title: str
    severity: str
    fidelity: str
    message: str
    hint: str
    explanation: str
    causes: str = ""
    follows: str = ""
    note: str = ""
    asks: str = ""
    step: str = ""

    def texts(self, words: Mapping[str, Any], engines: tuple[str, str] | None = None) -> tuple[str, str, str]:
        """Message, hint and note with ``words`` in their places."""
        source, target = engines or ENGINES
        every = {name: word if type(word) in _PLAIN else _plain(word) for name, word in words.items()}
        every = {"source_engine": source, "target_engine": target, **every}
        return self.message.format(**every), self.hint.format(**every), self.note and self.note.format(**every)

    def pattern(self) -> Code:
        """The code as it is explained, whatever the engines are; the other placeholders stay."""
        fields = ("message", "hint", "explanation", "note")
        texts = {name: _ENGINE.sub(r"the \1", getattr(self, name)) for name in fields}
        sentences = {name: _SENTENCE.sub("The", texts[name]) for name in ("hint", "explanation")}
        return self._replace(**texts | sentences)


_ENGINE: Final = re.compile(r"\{(source|target)_engine\}")
#: what begins a sentence
_SENTENCE: Final = re.compile(r"(^|(?<=\. ))the(?= )")

_PLAIN = frozenset({str, int, float, bool, type(None)})


class _Computed:
    """Stands in a message for what a call yields."""

    def __repr__(self) -> str:
        return "(computed)"


def _plain(value: Any) -> Any:
    """A value as messages show it: without the neutral form of the calls in it."""
    from bpconvert.models.expressions import transform

    return transform(value, lambda _: _Computed())
