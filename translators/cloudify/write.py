"""The target side of Cloudify: lower, carry, place the comments, render."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.topology import Topology
from bpconvert.render import render_blueprint
from bpconvert.translators import carry
from bpconvert.translators.cloudify.context import Context
from bpconvert.translators.cloudify.lower import lower
from bpconvert.translators.comments import place
from bpconvert.translators.evaluate import Scope
from bpconvert.translators.text import ascii_text
from bpconvert.translators.types import Catalogue

if TYPE_CHECKING:
    from bpconvert.options import Options
    from bpconvert.yamlio.document import Document

#: sections of other dialects that a blueprint has no place for
_WHOLE_SECTIONS = ("conditions", "parameter_groups")


def write(
    topology: Topology, document: Document, catalogue: Catalogue, reporter: Reporter, options: Options, files: Files
) -> tuple[str, dict[str, Any]]:
    """The blueprint's text, and the values to give when deploying (input -> value)."""
    context = Context(topology, catalogue, document, reporter, options, files)
    lowered = lower(context, Scope(files=_reader(files, options)))
    if options.carry:
        carried = carry.fragments(topology.dialect, document, lowered.made, reporter.diagnostics, _WHOLE_SECTIONS)
        version = ascii_text(topology.version)
        lowered.data["metadata"] = {"bpconvert": {"source": topology.dialect, "version": version, **carried}}
    comments = place(document.comments, lowered.moves, lowered.data)
    return render_blueprint(lowered.data, comments=comments, templates_dir=options.templates), lowered.inputs


def _reader(files: Files, options: Options) -> Any:
    return lambda name: None if options.files == "keep" else files.read(name)[0]
