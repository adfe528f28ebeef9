"""Write what is known of the types of other people's profiles to ``translators/catalogue/schemas/tosca/profiles.json``.

    PYTHON tools/tosca_profiles.py FILE... [-o FOLDER]

``FILE``: files with definitions of types; the first definition of a name counts. Kept are facts alone: names,
derivation, the types and defaults of properties, the types of capabilities and requirements, and which operations have
a program (``runs``), without the program.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parent.parent / "translators" / "catalogue" / "schemas" / "tosca"
_SECTIONS = ("node_types", "relationship_types", "capability_types", "data_types", "artifact_types", "group_types",
             "policy_types")  # fmt: skip
_NO_OPERATIONS = ("type", "inputs", "operations", "notifications", "derived_from", "description")


def main(files: list[Path], folder: Path) -> None:
    """Write the file."""
    known = json.loads((folder / "normative.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = {}
    for file in files:
        data = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
        for section in _SECTIONS:
            for name, row in (data.get(section) or {}).items():
                if name not in known.get(section, {}) and isinstance(row, dict):
                    found.setdefault(section, {}).setdefault(name, _short(row))
    lines = []
    for section, types in found.items():
        rows = ",\n".join(f"{json.dumps(n)}:{json.dumps(row, separators=(',', ':'))}" for n, row in types.items())
        lines.append(f"{json.dumps(section)}:{{{rows}}}")
    (folder / "profiles.json").write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def _short(row: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"derived_from": row["derived_from"]} if isinstance(row.get("derived_from"), str) else {}
    for key in ("properties", "attributes"):
        declared = row.get(key)
        if isinstance(declared, dict) and declared:
            made[key] = {name: _declared(one) for name, one in declared.items()}
    capabilities = row.get("capabilities")
    if isinstance(capabilities, dict):
        made["capabilities"] = {name: _type(one) for name, one in capabilities.items()}
    requirements = _requirements(row.get("requirements"))
    if requirements:
        made["requirements"] = requirements
    runs = _runs(row.get("interfaces"))
    return {**made, "runs": runs} if runs else made


def _declared(one: Any) -> dict[str, Any]:
    found = one if isinstance(one, dict) else {"type": one}
    return {key: found[key] for key in ("type", "default") if key in found and _is_plain(found[key])}


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool)) and not (isinstance(value, str) and len(value) > 60)


def _type(one: Any) -> dict[str, Any]:
    return {"type": one.get("type") if isinstance(one, dict) else one}


def _requirements(rows: Any) -> list[dict[str, Any]]:
    made = []
    for row in rows if isinstance(rows, list) else ():
        for name, one in row.items() if isinstance(row, dict) else ():
            given = one if isinstance(one, dict) else {"capability": one}
            keys = ("capability", "node", "relationship")
            made.append({name: {key: given[key] for key in keys if isinstance(given.get(key), str)}})
    return made


def _runs(interfaces: Any) -> list[str]:
    found = []
    for row in interfaces.values() if isinstance(interfaces, dict) else ():
        operations = {k: v for k, v in row.items() if k not in _NO_OPERATIONS} if isinstance(row, dict) else {}
        operations |= (row.get("operations") or {}) if isinstance(row, dict) else {}
        for name, one in operations.items():
            program = one.get("implementation") if isinstance(one, dict) else one
            found += [name] if program and name not in found else []
    return found


if __name__ == "__main__":
    words = sys.argv[1:]
    place = Path(words[words.index("-o") + 1]) if "-o" in words else FOLDER
    main([Path(word) for word in words if word not in ("-o", str(place))], place)
