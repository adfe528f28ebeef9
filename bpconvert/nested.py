"""The documents that a document nests, as they are when they are converted, and what belongs to their results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Protocol

from bpconvert.files import Files
from bpconvert.models.expressions import Path
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import NestedInterface, Topology
from bpconvert.translators.dialects import load
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import Origin, resolved
from bpconvert.urls import is_url, place_of, sibling
from bpconvert.yamlio.document import Document


class Converted(Protocol):
    """A document that was converted (:class:`bpconvert.conversion.Conversion`)."""

    document: Document
    folder: Files
    inputs: dict[str, Any]
    files: dict[str, str]
    kept_files: set[str]
    lowered: Lowered | None
    origin: Origin | None
    topology: Topology | None


@dataclass(eq=False, repr=False)
class Nested:
    """A nested document. ``place`` and ``target``: the paths of source and result below the outermost folder;
    ``conversion``: None for a document that is used as it is: it is of the target's dialect already; ``url``: that it
    is named by."""

    place: str
    target: str
    source: str
    document: Document
    conversion: Converted | None
    text: str
    url: str = ""
    children: set[str] = field(default_factory=set)
    interface: NestedInterface | None = None

    @cached_property
    def data(self) -> Any:
        """The data of the result. What has just been written is as it will be read; another text is read once."""
        if self.conversion is not None and self.conversion.origin is None and self.conversion.lowered is not None:
            return resolved(self.conversion.lowered.data)
        return load(self.text).data


def as_made(documents: Iterable[Nested]) -> dict[str, str]:
    """The results as they would be if nothing had been edited, and what they carry: place -> text."""
    texts: dict[str, str] = {}
    for nested in documents:
        origin = nested.conversion.origin if nested.conversion is not None else None
        texts[nested.target] = nested.text if origin is None else origin.text
        for name, text in origin.carried.items() if origin is not None else ():
            place = place_of(name) if is_url(name) else sibling(nested.target, name)
            texts.setdefault(place, text)
    return texts


def origins(outermost: Converted, documents: Iterable[Nested]) -> dict[str, str]:
    """The texts that documents were made from and went back to, and their files, by the path of the result below the
    outermost folder; "" for the outermost document."""
    texts: dict[str, str] = {}
    inner = [(nested.conversion, nested.target) for nested in documents]
    for conversion, target in [(outermost, ""), *inner]:
        origin = conversion.origin if conversion is not None else None
        if origin is not None:
            texts[target] = origin.text
            texts |= {sibling(target, name): text for name, text in origin.files.items()}
    return texts


def unread_types(outermost: Converted, documents: Iterable[Nested]) -> dict[str, set[str]]:
    """Document -> its nodes whose types an import may define that could not be read."""
    conversions = [outermost, *(nested.conversion for nested in documents if nested.conversion is not None)]
    return {
        conversion.document.name: conversion.topology.unread
        for conversion in conversions
        if conversion.topology is not None
    }


def files_of(documents: Iterable[Nested], is_copied: bool) -> tuple[dict[str, str], set[str]]:
    """All files of nested documents, by their path below the outermost folder, with those that they read where these
    are copied; and those of them that the documents carried."""
    files: dict[str, str] = {}
    kept: set[str] = set()
    for nested in documents:
        files[nested.target] = nested.text
        if nested.conversion is None:
            continue
        for name, text in {**nested.conversion.files, **(nested.conversion.folder.copies if is_copied else {})}.items():
            place = sibling(nested.place, name)
            files.setdefault(place, text)
            if name in nested.conversion.kept_files:
                kept.add(place)
    return files, kept


def edited_behind_urls(documents: Mapping[str, Nested], values: Iterable[str]) -> list[str]:
    """The places of nested documents that were edited, and that one of the ``values`` of the document
    that comes back names by a URL."""
    hosts = {place_of(text).split("/")[0] for text in values if is_url(text)}
    places = []
    for place, nested in documents.items():
        kept = nested.conversion.origin if nested.conversion is not None else None
        if place.split("/")[0] in hosts and kept is not None and not kept.is_untouched:
            places.append(place)
    return places


def declarations(inputs: Any) -> dict[str, dict[str, Any]]:
    """The declarations of a result's inputs; one with errors that came back as it was may have anything there."""
    declared = inputs.items() if isinstance(inputs, dict) else ()
    return {name: data if isinstance(data, dict) else {} for name, data in declared}


def became(conversion: Converted | None, entry: Path) -> Any:
    """The name in the result of an entry of a nested document; None where it became nothing."""
    if conversion is None:
        return entry[-1]
    if conversion.lowered is not None:
        return conversion.lowered.names.get(entry[0], {}).get(entry[-1])
    places = conversion.origin.sources(entry) if conversion.origin is not None else []
    return next((place[-1] for place in places if len(place) == 2), None)
