"""The functions that a mapping of a type may name, from the tables in which they are registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bpconvert.translators.catalogue.user_types import Hooks
from bpconvert.translators.cloudify.functions import collides
from bpconvert.translators.cloudify.openstack import attributes, connections_write, hooks_read, hooks_write
from bpconvert.translators.cloudify.write import components, expand, references


def functions() -> dict[str, Mapping[Any, Callable[..., Any]]]:
    """What they are for -> name -> function; of a property that has one for each way, that of the way there."""
    properties: dict[Any, Callable[..., Any]] = dict(hooks_read.HOOKS)
    for table in (
        expand.PREPARE, hooks_write.ABSENT, hooks_write.ITEM, hooks_write.PRESENT, components.PRESENT
    ):  # fmt: skip
        properties.update(table)
    return {
        "property": properties,
        "attribute": references.HOOKS,
        "answers": attributes.ANSWERS,
        "merge": connections_write.MERGES,
    }


def hooks() -> Hooks:
    """Their names, by what they are for."""
    names = {purpose: frozenset(map(str, found)) for purpose, found in functions().items()}
    return Hooks({**names, "property": names["property"] | hooks_read.PLAIN}, collides)
