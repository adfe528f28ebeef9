"""The functions that a mapping of a type may name, from the tables in which they are registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bpconvert.translators.catalogue.user_types import Hooks
from bpconvert.translators.cloudify import hooks as tables
from bpconvert.translators.cloudify.calls import collides
from bpconvert.translators.cloudify.openstack import attributes
from bpconvert.translators.cloudify.write import components


def functions() -> dict[str, Mapping[Any, Callable[..., Any]]]:
    """What they are for -> name -> function; of a property that has one for each way, that of the way there."""
    properties: dict[Any, Callable[..., Any]] = dict(tables.READ)
    for table in (tables.PREPARE, tables.ABSENT, tables.ITEM, tables.FITTING, tables.PRESENT, components.PRESENT):
        properties.update(table)
    return {
        "property": properties,
        "attribute": {**tables.ATTRIBUTES, **components.ATTRIBUTES},
        "answers": attributes.ANSWERS,
        "merge": tables.MERGES,
    }


def hooks() -> Hooks:
    """Their names, by what they are for."""
    names = {purpose: frozenset(map(str, names)) for purpose, names in functions().items()}
    return Hooks({**names, "property": names["property"] | tables.PLAIN}, collides)
