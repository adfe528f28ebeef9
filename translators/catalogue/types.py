"""The type catalogue: what each kind of resource is called in each language and how its properties correspond.

The data is in ``translators/catalogue/*.yaml``, one file per kind (:mod:`.model` says what may stand in one);
``index.yaml`` says which file has which type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from bpconvert.translators.catalogue.model import COLUMNS, Kind, made_of
from bpconvert.translators.catalogue.plugin import Plugin
from bpconvert.yamlio.document import load

_FOLDER = Path(__file__).parent


class Catalogue:
    """The types that are mapped. A built-in file is read when a type of its kind is first asked for.

    ``otherwise``: Heat types that become something else than a node -> what, in words. ``plugin``: what is known about
    the OpenStack plugin beside its kinds."""

    def __init__(self) -> None:
        index = raw("index")
        # language -> type -> id of its kind, of the languages that were asked for
        self._types: dict[str, dict[str, str | None]] = {}
        self._written_only: dict[str, dict[str, str | None]] = {
            language: index.get(column.written_only, {}) for language, column in COLUMNS.items()
        }
        self.otherwise: dict[str, str] = index["otherwise"]
        self.plugin = Plugin(self.kind, index)
        self._index = index
        self._kinds: dict[str, Kind] = {}

    def _table(self, language: str) -> dict[str, str | None]:
        """The types of a language; one whose column is not known has its own name in the index."""
        if language not in self._types:
            self._types[language] = self._index.get(COLUMNS[language].key if language in COLUMNS else language, {})
        return self._types[language]

    def with_kinds(self, kinds: Iterable[Kind]) -> Catalogue:
        """A catalogue with ``kinds`` added, each in place of the one that has its id, if any.

        A type that another kind has stays with that one, unless the new one takes it."""
        catalogue = copy(self)
        catalogue._kinds = dict(self._kinds)
        catalogue._types = {language: dict(self._table(language)) for language in COLUMNS}
        catalogue._written_only = {language: dict(self._written_only.get(language, {})) for language in COLUMNS}
        catalogue.plugin = Plugin(catalogue.kind, self._index)
        for kind in kinds:
            catalogue._kinds[kind.kind] = kind
            for language, column in COLUMNS.items():
                own = catalogue._written_only[language]
                table = own if kind.kind in own.values() else catalogue._types[language]
                for name in [name for name, owner in table.items() if column.exclusive and owner == kind.kind]:
                    del table[name]
                taken = column.taken(kind)
                table.update({name: kind.kind for name in column.types(kind) if name in taken or not table.get(name)})
        return catalogue

    def kind(self, name: str | None) -> Kind | None:
        """The kind with this id, or None."""
        entry = self._kinds.get(name or "")
        if entry is None and name is not None and any(name in table.values() for table in self._tables()):
            entry = self._kinds[name] = made_of(raw(name))
        return entry

    def kinds(self) -> list[str]:
        """The ids of all kinds that have a type in any language."""
        return sorted({name for table in self._tables() for name in table.values() if name is not None})

    def _tables(self) -> Iterator[dict[str, str | None]]:
        yield from map(self._table, COLUMNS)
        yield from self._written_only.values()

    def kind_of(self, language: str, type: str, *, back: bool = False) -> Kind | None:
        """The kind of a type of ``language``, or None where it is not mapped. ``back``: also one that is only
        written."""
        name = self._table(language).get(type)
        if name is None and back:
            name = self._written_only.get(language, {}).get(type)
        return self.kind(name)

    def nearest(self, language: str, ancestry: Iterable[str]) -> tuple[Kind, str] | None:
        """The kind of a type of ``language``, given with its parents, and the mapped type that decides it; None where
        it is not mapped."""
        table = self._table(language)
        decides = next((name for name in ancestry if name in table), "")
        nearest_kind = self.kind(table.get(decides))
        return None if nearest_kind is None else (nearest_kind, decides)

    def types(self, language: str) -> dict[str, str | None]:
        """Every known type of ``language`` and its kind's id; None for one that is known not to be mapped."""
        return dict(self._table(language))

    def otherwise_of(self, language: str) -> dict[str, str]:
        """Types of a language that are no resource, and what they are read as, in words."""
        table: dict[str, str] = self._index.get(f"{language}_otherwise", {})
        return table

    def with_column(self, key: str) -> Iterator[Kind]:
        """The kinds that have a column under this key; files without it are not read."""
        for name in self.kinds():
            kind = self.kind(name) if name in self._kinds or f"\n{key}:" in file_of(name) else None
            if kind is not None and key in kind.columns:
                yield kind

    def written_only(self, language: str) -> dict[str, str | None]:
        """The types of ``language`` that are written and not read, and their kinds' ids."""
        return dict(self._written_only.get(language, {}))


def raw(name: str) -> Any:
    """A built-in file as it is read: plain data, anew each time."""
    return load(file_of(name), f"catalogue/{name}.yaml").data


def file_of(name: str) -> str:
    """The text of a built-in file."""
    return (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def builtin() -> Catalogue:
    """The catalogue that comes with the package."""
    return Catalogue()
