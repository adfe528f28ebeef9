"""What TOSCA has no words for, kept in metadata where the engines accept any text.

Of a node: keys of a resource (``condition``, ``deletion_policy``, ...) and values whose functions TOSCA does not have,
each with the digest of what stands in its place. While that is as it was written, the value is read back. A neutral
notation is used (:mod:`bpconvert.models.notation`), so that no language is needed to read it."""

from __future__ import annotations

import json
from copy import copy
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import SCALARS, Value
from bpconvert.models.plain import flag, mapping, one_of, optional, record, row, sequence, text, whole
from bpconvert.translators.provenance.carry import KEY
from bpconvert.translators.provenance.metadata_text import kept
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.functions import READ, called, read_value
from bpconvert.translators.tosca.vocabulary import EXISTING_ID, IDENTITY
from bpconvert.yamlio.document import Document

#: the key of the metadata of a node, and that of the metadata of the document
NODE_KEY: Final = KEY
DOCUMENT_KEY: Final = f"{KEY}_kept"


_ANY_MAP: Final = mapping(None)
#: what is kept of an input: of constraints that TOSCA has no word for kind, argument, description and place; of others
#: place and description
_INPUT: Final = record(
    type=one_of("string", "number", "boolean", "list", "json"),
    label=optional(text),
    hidden=optional(flag),
    constraints=sequence(row(text, None, optional(text), whole)),
    descriptions=sequence(row(whole, text)),
    extra=_ANY_MAP,
)
_DOCUMENT: Final = record(inputs=mapping(_INPUT), outputs=mapping(record(extra=_ANY_MAP)), asked=sequence(text))
_NODE: Final = record(properties=_ANY_MAP, keys=_ANY_MAP, operations=sequence(_ANY_MAP))
_SHAPES: Final = {NODE_KEY: _NODE, DOCUMENT_KEY: _DOCUMENT}


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
        return all(is_same(part, item, prefix) for part, item in zip(written, value, strict=True))
    return type(written) is type(value) and type(value) in SCALARS and bool(written == value)


def difference(written: Any, value: Value, prefix: str = "") -> list[Any] | None:
    """What is kept of a ``value`` that was ``written`` so; None where the same is read back. ``prefix``: what the names
    of functions begin with."""
    if any(type(expr) not in READ for expr in ex.walk(value)):
        return kept(written, value)
    problems: list[Problem] = []
    if _plain(read_value(written, (), problems, prefix)) == _plain(value):
        return None
    return kept(written, value)


def _plain(value: Value) -> Value:
    """``value`` without what makes no difference to what is written: whether a missing part is an error, and whether
    what it identifies exists already."""

    def plain(expr: ex.Expr) -> Value:
        if isinstance(expr, ex.Input):
            return ex.Input(expr.name, expr.keys)
        if isinstance(expr, ex.Attribute) and expr.name == EXISTING_ID and not expr.keys:
            return ex.Identity(expr.node)
        return expr

    return ex.transform(value, plain)


def read(metadata: Any, key: str) -> dict[str, Any] | None:
    """What is kept in ``metadata``, {} for nothing; None where that cannot be read."""
    if not isinstance(metadata, dict) or key not in metadata:
        return {}
    try:
        values: dict[str, Any] = json.loads(metadata[key])
        _SHAPES[key](values)
    except (ValueError, TypeError, RecursionError):
        return None
    return values


def seen(document: Document) -> Document:
    """What engines see of a service template: what its metadata keeps for the way back has no effect."""
    if not isinstance(document.data, dict):
        return document
    plain = copy(document)
    plain.data = _without(document.data, DOCUMENT_KEY)
    nodes = plain.data.get("node_templates")
    if isinstance(nodes, dict):
        plain.data["node_templates"] = {
            name: _without(node, NODE_KEY) if isinstance(node, dict) else node for name, node in nodes.items()
        }
    return plain


def keeps(document: Document) -> bool:
    """Whether a service template's metadata keeps something for the way back."""
    nodes = entries(document.data, "node_templates")
    rows = [(document.data, DOCUMENT_KEY), *((row, NODE_KEY) for row in nodes.values() if isinstance(row, dict))]
    return any(key in entries(row, "metadata") for row, key in rows)


def _without(data: dict[Any, Any], key: str) -> dict[Any, Any]:
    """``data`` with metadata that does not have ``key``."""
    metadata = data.get("metadata")
    if not isinstance(metadata, dict) or key not in metadata:
        return dict(data)
    return {**data, "metadata": {name: text for name, text in metadata.items() if name != key}}
