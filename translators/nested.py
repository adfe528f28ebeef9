"""Documents that are nodes of others: what the nesting one has to know about the nested one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from bpconvert.files import Files
    from bpconvert.models.topology import NestedInterface

#: the endings by which Heat knows the name of a template (heat/engine/environment.py)
TEMPLATE_ENDINGS: Final = (".yaml", ".template")


class CannotNest(Exception):
    """Why a nested document cannot be converted: a diagnostic's ``code`` and what it says."""

    def __init__(self, code: str, **texts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.texts = texts


class Opener(Protocol):
    """Converts nested documents."""

    def open(self, files: Files, name: str, resource: str) -> NestedInterface:
        """The document that ``name`` means beside the one with these ``files``, nested by ``resource``; raises
        :class:`CannotNest`."""
        ...
