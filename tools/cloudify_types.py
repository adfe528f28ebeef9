"""Write the types of Cloudify itself and of its plugins to ``translators/catalogue/schemas/cloudify``.

    PYTHON tools/cloudify_types.py IMPORTS [FOLDER]

``PYTHON`` is any with PyYAML; ``IMPORTS`` a folder with ``cloudify/types/types.yaml`` and
``plugins/<name of the plugin>/plugin.yaml`` (and ``compat.yaml``), ``plugins/openstack-2.x/plugin.yaml``. One JSON file
per library; of a type its parent and its properties (type, default, whether it is required) are taken, no texts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parent.parent / "translators" / "catalogue" / "schemas" / "cloudify"
#: library -> its file in the folder of imports
LIBRARIES = {
    "core": "cloudify/types/types.yaml",
    "openstack": "plugins/cloudify-openstack-plugin/plugin.yaml",
    "compat": "plugins/cloudify-openstack-plugin/compat.yaml",
    "openstack_2": "plugins/openstack-2.x/plugin.yaml",
    "utilities": "plugins/cloudify-utilities-plugin/plugin.yaml",
}
_SECTIONS = ("node_types", "relationships", "data_types")


def main(imports: Path, folder: Path) -> None:
    """Write all files below ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for library, data in files(imports).items():
        lines = []
        for section, types in data.items():
            rows = ",\n".join(f"{json.dumps(n)}:{json.dumps(row, separators=(',', ':'))}" for n, row in types.items())
            lines.append(f"{json.dumps(section)}:{{{rows}}}")
        (folder / f"{library}.json").write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def files(imports: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Library -> section -> type -> what is known of it."""
    result = {}
    for library, name in LIBRARIES.items():
        data = yaml.safe_load((imports / name).read_text(encoding="utf-8"))
        result[library] = {
            section: {key: _type(row or {}) for key, row in (data.get(section) or {}).items()} for section in _SECTIONS
        }
    return result


def _type(row: dict[str, Any]) -> dict[str, Any]:
    found = {"derived_from": row["derived_from"]} if row.get("derived_from") else {}
    properties = {name: _property(definition or {}) for name, definition in (row.get("properties") or {}).items()}
    return {**found, "properties": properties} if properties else found


def _property(definition: dict[str, Any]) -> dict[str, Any]:
    kept = {key: definition[key] for key in ("type", "default") if key in definition}  # a default may be null
    return {**kept, "required": False} if definition.get("required") is False else kept


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER)
