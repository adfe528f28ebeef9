"""The values of the real engines: each document is filled with what its engine computes, and then read again.

So all functions, conditions, defaults and references are the engines' own work; which property of one language is which
of the other is still the catalogue's.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.engines.client import Engine
from bpconvert.translators.comparing.filling import REFUSED_TEXT
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.descriptions import described
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.support.text import key_text
from bpconvert.translators.verify.side import Side
from bpconvert.yamlio.document import Document


def filled(side: Side, engine: Engine | None) -> Side | str:
    """``side`` with the values of its engine, under the same inputs and runtime values, which has to be entered anew;
    why the engine refuses the whole document.

    A document of a language that has no engine stays as it is computed here."""
    adapter = side.language.engine
    if adapter is None or engine is None:
        return side
    folder = {} if side.files.top is None else {"root": str(side.files.top.resolve())}
    request = adapter.request(side)
    answer = engine.ask({"document": str(FilePath(side.document.name).resolve()), **folder, **request})
    if "error" in answer:
        return str(answer["error"])
    for row in answer.get("errors") or ():
        _mark(answer, row["where"])
    data = adapter.fill(_plain(side.document.data), answer, side)
    document = Document(side.document.name, side.document.text, data)
    read = DIALECTS[side.topology.dialect].read()
    topology = described(read(document, side.catalogue, Reporter(document), side.files))
    return side.filled(topology, adapter.waits(answer))


def _plain(value: Any) -> Any:
    """A copy in plain containers. Keys are texts, as in the JSON that the engines make of a document."""
    if isinstance(value, dict):
        return {key_text(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _mark(values: Any, path: Any) -> None:
    """Note at ``path`` that a value was refused, where there is none."""
    *steps, last = path
    values = step_into(values, steps)
    in_map = isinstance(values, dict) and values.get(last) is None and last != "properties"
    in_list = isinstance(values, list) and isinstance(last, int) and last < len(values) and values[last] is None
    if in_map or in_list:
        values[last] = REFUSED_TEXT
