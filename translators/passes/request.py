"""What one conversion is asked for, and what it has at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.expressions import Value
from bpconvert.models.light import dataclass
from bpconvert.models.topology import Input
from bpconvert.options import Options
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.support.constraints import accept_data
from bpconvert.yamlio.document import Document


@dataclass(eq=False, repr=False)
class Request:
    """The same for all passes and the writer of one conversion. ``source`` and ``target``: what the languages can
    express; ``document``: the source as it was read; ``origin``: the document of the target language that the source
    was made from, whose names are preferred, None where there is none; ``accept``: what a reference to an input of the
    source yields when it is given a value, which raises ValueError where the engine refuses the value."""

    source: Capabilities
    target: Capabilities
    catalogue: Catalogue
    document: Document
    reporter: Reporter
    options: Options
    files: Files
    origin: Origin | None = None
    accept: Callable[[Input, Any], Value] = accept_data
