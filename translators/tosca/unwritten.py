"""What TOSCA has no words for, kept in metadata where the engines accept any text.

Of a node: keys of a resource (``condition``, ``deletion_policy``, ...) and values whose functions TOSCA does not have,
each with the digest of what stands in its place. While that is as it was written, the value is read back. A neutral
notation is used (:mod:`bpconvert.models.notation`), so that no language is needed to read it."""

from __future__ import annotations

import json
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import SCALARS, Value
from bpconvert.models.validation import Problem
from bpconvert.translators.provenance.carry import KEY
from bpconvert.translators.provenance.unwritten import kept
from bpconvert.translators.tosca.functions import called, read_value
from bpconvert.translators.tosca.vocabulary import IDENTITY

#: the key of the metadata of a node, and that of the metadata of the document
NODE_KEY: Final = KEY
DOCUMENT_KEY: Final = f"{KEY}_kept"


class _Kept(BaseModel):
    """What is kept of something. What checks it is built when there is some."""

    model_config = ConfigDict(defer_build=True)


class _Input(_Kept):
    """What is kept of an input."""

    type: Literal["string", "number", "boolean", "list", "json"] | None = None
    label: str | None = None
    hidden: bool | None = None
    #: kind, argument, description and place of those that TOSCA has no word for; place and description of others
    constraints: list[tuple[str, Any, str | None, int]] = []
    descriptions: list[tuple[int, str]] = []
    extra: dict[str, Any] = {}


class _Output(_Kept):
    """What is kept of an output."""

    extra: dict[str, Any] = {}


class _Document(_Kept):
    """What is kept of a document."""

    inputs: dict[str, _Input] = {}
    outputs: dict[str, _Output] = {}
    asked: list[str] = []


class _Node(_Kept):
    """What is kept of a node."""

    properties: dict[str, Any] = {}
    keys: dict[str, Any] = {}


_SHAPES: Final[dict[str, type[BaseModel]]] = {NODE_KEY: _Node, DOCUMENT_KEY: _Document}


def is_same(written: Any, value: Value, prefix: str = "") -> bool:
    """True where ``value`` is read back from what is ``written``, as one walk finds it: literals and plain references.
    ``prefix``: what the names of functions begin with."""
    if isinstance(value, ex.Input):
        return not value.keys and isinstance(value.name, str) and written == {f"{prefix}get_input": value.name}
    if isinstance(value, ex.Identity):
        return isinstance(value.node, str) and written == {f"{prefix}get_attribute": [value.node, IDENTITY]}
    if isinstance(value, dict):
        if type(written) is not dict or written.keys() != value.keys() or called(written, prefix) is not None:
            return False
        return all(is_same(written[key], item, prefix) for key, item in value.items())
    if isinstance(value, list):
        if type(written) is not list or len(written) != len(value):
            return False
        return all(is_same(one, item, prefix) for one, item in zip(written, value, strict=True))
    return type(written) is type(value) and type(value) in SCALARS and bool(written == value)


def difference(written: Any, value: Value, prefix: str = "") -> list[Any] | None:
    """What is kept of a ``value`` that was ``written`` so; None where the same is read back. ``prefix``: what the names
    of functions begin with."""
    problems: list[Problem] = []
    if _plain(read_value(written, (), problems, prefix)) == _plain(value):
        return None
    return kept(written, value)


def _plain(value: Value) -> Value:
    """``value`` without what makes no difference to what is written: whether a missing part is an error."""
    return ex.transform(value, lambda e: ex.Input(e.name, e.keys) if isinstance(e, ex.Input) else e)


def read(metadata: Any, key: str) -> dict[str, Any] | None:
    """What is kept in ``metadata``, {} for nothing; None where that cannot be read."""
    if not isinstance(metadata, dict) or key not in metadata:
        return {}
    try:
        found: dict[str, Any] = json.loads(metadata[key])
        _SHAPES[key].model_validate(found)
    except (ValidationError, ValueError, TypeError, RecursionError):
        return None
    return found
