"""Documents that are nodes of others: what the nesting one has to know about the nested one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from bpconvert.files import Files
    from bpconvert.models.topology import Input

#: the endings by which Heat knows the name of a template (heat/engine/environment.py)
TEMPLATE_ENDINGS: Final = (".yaml", ".template")


@dataclass(eq=False, repr=False)
class Interface:
    """A nested document. ``file``: the result, relative to the nesting document; ``digest``: differs with its
    content.

    ``inputs``: the source's own, ``names``: what they are called in the result; ``outputs``: of those that the nesting
    document can read, the names in the result. ``types``: of the result's inputs, as written. ``needed``: inputs of the
    result that the source does not have and that have to be given; ``given``: values for those of them that are
    known."""

    file: str
    digest: str
    inputs: dict[str, Input] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    needed: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)

    def is_required(self, name: str) -> bool:
        """True for an input without a default."""
        from bpconvert.models.expressions import MISSING

        declared = self.inputs[name]
        return declared.default is MISSING and declared.extra.get("required") is not False


class CannotNest(Exception):
    """Why a nested document cannot be converted: a diagnostic's ``code`` and what it says."""

    def __init__(self, code: str, **texts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.texts = texts


class Opener(Protocol):
    """Converts nested documents."""

    def open(self, files: Files, name: str, resource: str) -> Interface:
        """The document that ``name`` means beside the one with these ``files``, nested by ``resource``; raises
        :class:`CannotNest`."""
        ...
