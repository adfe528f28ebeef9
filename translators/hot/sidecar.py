"""Where a HOT template keeps the record of what it was made from: in the metadata of a resource that does nothing.

Unknown sections are refused (heat/engine/template.py), and metadata is searched for calls, which texts are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.hot_versions import resolve_version
from bpconvert.translators.hot.resource_types import NONE, holds
from bpconvert.translators.provenance.carry import KEY
from bpconvert.translators.provenance.sidecar import Sidecar
from bpconvert.translators.support.places import entries, items, maps
from bpconvert.translators.support.text import fresh

_NAME = "bpconvert_sidecar"
_SECTION = "resources"


class _HotSidecar(Sidecar):
    """The record is in the metadata of a resource."""

    def put(self, data: dict[str, Any], kept: Mapping[str, str]) -> None:
        """Add the record to a template's data."""
        if _SECTION not in data:
            later = {"outputs": data.pop("outputs")} if "outputs" in data else {}
            data |= {_SECTION: {}, **later}
        resources = data[_SECTION]
        taken = {*resources, *data.get("parameters", {})}
        resources[fresh(_NAME, taken)] = {"type": NONE, "metadata": {KEY: dict(kept)}}

    def find(self, data: Any, source: str) -> Path | None:
        """The place of the entry that holds a record of the dialect ``source``, or else of any; None for none."""
        resources = data.get(_SECTION) if isinstance(data, dict) else None
        items = resources.items() if isinstance(resources, dict) else ()
        places: list[Path] = [(_SECTION, name) for name, resource in items if holds(resource)]
        places.sort(key=lambda place: self.read(data, place).get("source") != source)
        return places[0] if places else None

    def read(self, data: Any, place: Path) -> Mapping[str, str]:
        """The record in the entry at ``place``."""
        record: Mapping[str, str] = data[_SECTION][place[-1]]["metadata"][KEY]
        return record

    def version(self, current: str, new: Mapping[Path, Any]) -> str:
        """``current``, or the first version that has all that the ``new`` entries need where that is later."""
        from bpconvert.translators.hot.write.template import wants  # only where something was edited

        resolved = resolve_version(current)
        sections: dict[str, Any] = {name: {} for name in ("parameters", "conditions", "resources", "outputs")}
        for path, value in new.items():
            if len(path) == 2 and path[0] in sections and (path[0] == "conditions" or isinstance(value, dict)):
                sections[path[0]][path[1]] = value
        wanted = max((since for since, _ in wants(sections)), default="")
        return current if resolved is None or wanted <= resolved.date else wanted

    def unresolved(self, data: Any) -> set[tuple[Path, str]]:
        """Where the template names a parameter or resource that it does not have, and the name."""
        parameters, resources = entries(data, "parameters"), entries(data, "resources")
        tables = {"get_param": parameters, "get_resource": resources, "get_attr": resources}
        names: set[tuple[Path, str]] = set()
        searched: list[tuple[Path, Any]] = [((section,), data.get(section)) for section in ("outputs", "conditions")]
        for name, resource in resources.items():
            if isinstance(resource, dict):
                searched.append(((_SECTION, name, "properties"), resource.get("properties")))
                wanted = resource.get("depends_on")
                for target in [wanted] if isinstance(wanted, str) else items(wanted):
                    if isinstance(target, str) and target not in resources:
                        names.add(((_SECTION, name, "depends_on"), target))
        for value, path in (row for place, section in searched for row in maps(section, place)):
            for name, argument in value.items() if len(value) == 1 else ():
                first = argument[0] if isinstance(argument, list) and argument else argument
                if name in tables and isinstance(first, str) and first[:4] != "OS::" and first not in tables[name]:
                    names.add((path, first))
        for index, group in enumerate(items(data.get("parameter_groups"))):
            for name in items(group.get("parameters")) if isinstance(group, dict) else ():
                if isinstance(name, str) and name not in parameters:
                    names.add((("parameter_groups", index), name))
        return names

    def consequences(self, data: dict[str, Any], dropped: set[Path]) -> dict[Path, Any]:
        """What else changes where entries are dropped: the groups that a parameter was in."""
        groups = data.get("parameter_groups")
        gone = {path[1] for path in dropped if path[0] == "parameters" and len(path) == 2}
        if not gone or not isinstance(groups, list):
            return {}
        kept: list[Any] = []
        for group in groups:
            names = group.get("parameters") if isinstance(group, dict) else None
            left = [name for name in items(names) if not isinstance(name, str) or name not in gone]
            if left == names or not isinstance(names, list):
                kept.append(group)
            elif left:
                kept.append({**group, "parameters": left})
        return {} if kept == groups else {("parameter_groups",): kept}

    def version_option(self, current: Any) -> dict[str, Any]:
        """The options that ask for the version ``current`` of HOT, {} where that is none."""
        return {"hot_version": current} if isinstance(current, str) and resolve_version(current) else {}

    def alike(self, place: Path, old: Any, new: Any, data: Any) -> bool:
        """True for what is kept beside the resources, which earlier versions did not keep."""
        from bpconvert.translators.hot.resource_metadata import is_kept  # few conversions need it

        return old is None and place[:1] == (_SECTION,) and is_kept(new)


SIDECAR: Final = _HotSidecar()
