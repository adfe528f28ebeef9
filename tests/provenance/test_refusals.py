"""Whether an engine would refuse the form in which an edit comes back."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.files import Files
from bpconvert.options import Options
from bpconvert.refusals import Refusals
from bpconvert.translation import Way
from bpconvert.translators.dialects import DIALECTS
from bpconvert.yamlio.document import Document, load

BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
"""
NODE = "  a: {type: cloudify.nodes.Root}\n"
WRONG = "  b: {type: cloudify.nodes.Root, properties: {unknown: 1}}\n"
A, B = ("node_templates", "a"), ("node_templates", "b")


def volumes(*properties: str) -> Document:
    """A template with volumes of these properties."""
    rows = (f"  v{index}: {{type: OS::Cinder::Volume, properties: {one}}}\n" for index, one in enumerate(properties))
    return load("heat_template_version: 2018-08-31\nresources:\n" + "".join(rows))


def refusals(nodes: str = NODE, *edited: tuple[Any, ...]) -> Refusals:
    """Of a blueprint with these nodes, of which ``edited`` ones were."""
    way = Way(DIALECTS["cloudify"], DIALECTS["hot"], Options())
    return Refusals(way, load(BLUEPRINT + nodes), edited, Files(None), lambda: Files(None))


SOUND, REFUSED, VALUE = "{size: 1}", "{size: 1, unknown: 1}", "{size: [x]}"


@pytest.mark.parametrize(
    ("before", "after", "has_more"),
    [
        ([SOUND], [SOUND], False),
        ([SOUND], [REFUSED], True),
        ([REFUSED], [SOUND], False),
        ([REFUSED], [REFUSED], False),
        ([REFUSED, SOUND], [REFUSED, REFUSED], True),
        ([SOUND], [VALUE], False),
        ([SOUND], ["{size: -1}"], False),
        ([VALUE], [REFUSED], True),
    ],
)
def test_a_form_that_is_refused_for_more_reasons(before: list[str], after: list[str], has_more: bool) -> None:
    """A value that an engine does not take is the one that somebody wrote."""
    assert refusals().has_more(volumes(*before), volumes(*after)) is has_more


@pytest.mark.parametrize(
    ("nodes", "edited", "has_more"),
    [
        (NODE, [A], True),
        (NODE + WRONG, [A], True),
        (NODE + WRONG, [B], False),
        (NODE + WRONG, [A, B], False),
        (NODE + WRONG, [], True),
    ],
)
def test_an_edit_that_is_a_mistake_itself_comes_back_as_one(nodes: str, edited: list[Any], has_more: bool) -> None:
    """A mistake elsewhere is none of the edit."""
    assert refusals(nodes, *edited).has_more(volumes(SOUND), volumes(REFUSED)) is has_more
