"""Write the normative types of TOSCA to ``translators/catalogue/schemas/tosca/normative.json``.

    PYTHON tools/tosca_types.py TYPES [FOLDER]

``TYPES``: a JSON file with the types by version (``tosca_simple_yaml_1_3`` -> ``node_types`` -> name -> definition) and
those that engines add (``engine:...``). The newest definition of each type counts; texts and constraints are left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "translators" / "catalogue" / "schemas" / "tosca"
#: the newest first; a version without a type, or an engine's own, gives those that others do not have
_ORDER = ("tosca_simple_yaml_1_3", "tosca_simple_yaml_1_2", "tosca_simple_yaml_1_1", "tosca_simple_yaml_1_0",
          "tosca_simple_profile_for_nfv_1_0", "engine:tosca-parser")  # fmt: skip
_DROPPED = ("constraints", "description", "status", "valid_source_types", "valid_target_types", "occurrences")

#: section, type -> properties that ETSI GS NFV-SOL 001 has had since 2.6.1 in place of what an engine knows
_LATER: dict[tuple[str, str], dict[str, Any]] = {
    ("data_types", "tosca.datatypes.nfv.RequestedAdditionalCapability"): {
        "request_additional_capability_name": {"type": "string", "required": False},
        "requested_additional_capability_name": {"type": "string", "required": False},
        "support_mandatory": {"type": "boolean", "required": True},
    },
}


def main(source: Path, folder: Path) -> None:
    """Write the file."""
    versions = json.loads(source.read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = {}
    for wanted in _ORDER:
        for version, sections in versions.items():
            if version.startswith(wanted):
                for section, types in sections.items():
                    for name, definition in types.items():
                        found.setdefault(section, {}).setdefault(name, _short(definition))
    for (section, name), properties in _LATER.items():
        found[section][name]["properties"] |= properties
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for section, types in found.items():
        rows = ",\n".join(f"{json.dumps(n)}:{json.dumps(row, separators=(',', ':'))}" for n, row in types.items())
        lines.append(f"{json.dumps(section)}:{{{rows}}}")
    (folder / "normative.json").write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items() if key not in _DROPPED}
    return [_short(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER)
