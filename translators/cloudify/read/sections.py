"""Sections of a blueprint that have no neutral form: what is lost, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.plain import Plain, cloudify
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.calls import DIALECT
from bpconvert.translators.cloudify.vocabulary import SERVICE_BASE, shown
from bpconvert.translators.provenance.metadata_text import KEY
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.toscalike.imports import Combined
from bpconvert.translators.toscalike.unused import unused

#: the key of ``metadata`` that carries what an earlier conversion had no form for
CARRIED: Final = "bpconvert"
#: how the types begin that a conversion defines in a blueprint
_OURS: Final = ("bpconvert.nodes.", "bpconvert.openstack.")
#: section -> why an entry of it changes nothing of what is deployed
_WITHOUT_EFFECT: Final[dict[str, str]] = {
    "plugins": "plugins run on the manager",
    "policy_types": "it is the code of policies",
    "policy_triggers": "it is the code of policies",
    "labels": "labels belong to the deployment on the manager",
    "blueprint_labels": "labels belong to the blueprint on the manager",
    "resource_tags": "tags are for the manager's plugins",
    "metadata": "metadata is for readers",
    "imported_blueprints": "the manager notes it by itself",
    "namespaces_mapping": "the manager notes it by itself",
}
#: sections whose entries are looked up by others
_DEFINITIONS: Final = ("node_types", "relationships", "data_types")
_SETTINGS: Final[dict[str, str]] = {"default_schedules": "no workflow runs by the clock"}
_DEFINED: Final = "dsl_definitions"


def report_sections(combined: Combined, blueprint: cloudify.Blueprint, reporter: Reports) -> None:
    """Report every entry of the sections that have no neutral form. Of an imported file the harmless ones are reported
    together."""
    for section, why in _WITHOUT_EFFECT.items():
        for path in _entries(blueprint, section):
            if path[0] != "metadata":
                _report(combined, reporter, path, why)
    readers = [path for path in _entries(blueprint, "metadata") if path[1] not in (CARRIED, KEY)]
    for path in readers if len(readers) == 1 else [("metadata",)] * bool(readers):
        _report(combined, reporter, path, _WITHOUT_EFFECT["metadata"])
    for section in _DEFINITIONS:
        for path in _entries(blueprint, section):
            is_base = path[1] == SERVICE_BASE or path[1] in builtin().types(DIALECT)
            ours = path[1].startswith(_OURS) and (is_base or shown([path[1]]) is not None)
            if combined.origin(path) is None and not ours:
                reporter.report("BPC149", path, name=path[1])
    for path in _entries(blueprint, "deployment_settings"):
        runs = _SETTINGS.get(path[1])
        if runs:
            reporter.report("BPC148", combined.place(path), what=_name_of_path(path), why=runs)
        else:
            _report(combined, reporter, path, "it is for the manager")


def report_unused(data: Any, reporter: Reports) -> None:
    """Report every entry of ``dsl_definitions`` in a document that no alias puts anywhere else."""
    for name in unused(data, _DEFINED):
        path = (_DEFINED, name)
        reporter.report("BPC147", path, what=_name_of_path(path), why="nothing uses it")


def _report(combined: Combined, reporter: Reports, path: Path, why: str) -> None:
    origin = combined.origin(path)
    if origin is None:
        reporter.report("BPC147", path, what=_name_of_path(path), why=why)
    else:
        reporter.report("BPC147", origin[0], what=f"section '{path[0]}' of '{origin[1]}'", why=why)


def _entries(blueprint: cloudify.Blueprint, section: str) -> Iterator[Path]:
    """The entries of a section, or the section itself where it is a list."""
    entries = getattr(blueprint, section)
    if isinstance(entries, Plain):
        entries = {name: value for name, value in entries.__dict__.items() if value is not None}
    if isinstance(entries, dict):
        for name in entries:
            yield section, name
    elif entries:
        yield (section,)


def _name_of_path(path: Path) -> str:
    """What messages call an entry."""
    return f"'{path[1]}' of '{path[0]}'" if len(path) > 1 else f"section '{path[0]}'"
