"""The types of a blueprint with all properties of the types of Cloudify and its plugins, as far as these are known.

Reading needs less: defaults and ancestors (:mod:`~bpconvert.translators.cloudify.read.types`)."""

from __future__ import annotations

from collections.abc import Iterable

from bpconvert.models.cloudify import Blueprint
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.cloudify.read.types import Types
from bpconvert.translators.cloudify.vocabulary import WORDS
from bpconvert.translators.toscalike.types import Read, RefuseAt, Type


class CheckedTypes(Types):
    """All types that the nodes of a blueprint can have: those of the libraries that it imports are known in full, those
    of others are not known."""

    def __init__(
        self, blueprint: Blueprint, libraries: Iterable[str], read: Read, refuse: RefuseAt, complete: bool
    ) -> None:
        super().__init__(blueprint, libraries, read, refuse, complete)
        known = list(libraries)
        if "openstack" in known and "compat" not in known:  # the manager may have either generation of the plugin
            known.append("openstack_2")
        self._libraries = tuple(known)

    def built_in(self, kind: str, name: str) -> Type | None:
        for library in self._libraries:
            section = WORDS.types[kind]
            row = schemas.library(library)[section].get(name)
            if row is not None:
                blueprint = Blueprint.model_validate({section: {name: row}})
                self._defined[kind] = {**self._defined[kind], **getattr(blueprint, section)}
                return self._own(kind, name)
        return None
