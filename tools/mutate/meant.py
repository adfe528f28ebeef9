"""Which tests are meant for which module, and mutants that nothing can tell from the module."""

from __future__ import annotations

from typing import Final

#: they take long, and are not there everywhere
_NO_REAL_FILES: Final = ("-k", "not real_file and not sources_of_real")

#: module -> its tests, as pytest takes them
MEANT: Final[dict[str, list[str]]] = {
    "bpconvert/yamlio/emit.py": [
        "tests/yamlio/test_comments.py",
        "tests/yamlio/test_style.py",
        "tests/yamlio/test_widths.py",
        "tests/yamlio/test_writing.py",
        *_NO_REAL_FILES,
    ],
    "translators/cloudify/read/branches.py": [
        "tests/cloudify/read/test_branch_uses.py",
        "tests/cloudify/read/test_branches.py",
        "tests/cloudify/read/test_opened_maps.py",
    ],
    "translators/cloudify/read/relationships.py": [
        "tests/cloudify/openstack",
        "tests/cloudify/read/test_operations.py",
        "tests/cloudify/read/test_references.py",
        "tests/cloudify/read/test_relationship_interfaces.py",
        "tests/cloudify/read/test_relationship_rules.py",
        "tests/cloudify/read/test_relationships.py",
    ],
    "translators/cloudify/write/relationships.py": ["tests/cloudify/write/test_relationships.py"],
    "translators/evaluate/text.py": [
        "tests/evaluate/test_fold.py",
        "tests/evaluate/test_fold_cloudify.py",
        "tests/evaluate/test_fold_unknown.py",
        "tests/evaluate/test_text_functions.py",
    ],
    "translators/hot/write/conditions.py": [
        "tests/hot/write/test_condition_rules.py",
        "tests/hot/write/test_conditions.py",
    ],
    "translators/provenance/carry.py": ["tests/provenance/test_origins.py"],
    "translators/provenance/notes.py": ["tests/provenance/test_notes.py"],
    "translators/provenance/parts.py": ["tests/provenance/test_records.py"],
    "translators/provenance/restore.py": ["tests/provenance/test_changes.py", "tests/provenance/test_origins.py"],
    "translators/provenance/splice.py": ["tests/provenance/test_splicing.py"],
}

#: module -> change -> why the program does the same with it
EQUIVALENT: Final[dict[str, dict[str, str]]] = {
    "bpconvert/yamlio/emit.py": {
        "_kind: _KINDS[type(value)] = known -> pass": "what is remembered is found again",
    },
    "translators/cloudify/read/branches.py": {
        "_Folder._choice: None if decision is None else self._folded(declared.name)"
        " -> 'XX' if decision is None else self._folded(declared.name)": "without a decision nothing asks for branches",
        "_Folder._is_choice: return False -> return None": "both are false",
        "_Folder._folded: branches if isinstance(branches, list) else None"
        " -> branches if isinstance(branches, list) else 'XX'": "what is made of a list is a list",
    },
    "translators/cloudify/read/relationships.py": {
        "_append: return False -> return None": "both are false",
        "_give: return False -> return None": "both are false",
        "_interface: return False -> return None": "both are false",
        "_order_interfaces: return 3 -> return 4": "only the order of the ranks counts",
        "_set_key: return False -> return None": "both are false",
        "fill: return False -> return None": "both are false",
        "short_names: t.rsplit('.', 1) -> t.rsplit('.', 2)": "the last part is the same",
    },
    "translators/cloudify/write/relationships.py": {
        "LIFTED, REFERENCE, ORDER, IMPLICIT = (3, 2, 1, 0) -> LIFTED, REFERENCE, ORDER, IMPLICIT = (4, 2, 1, 0)": (
            "only the order of the strengths counts"
        ),
    },
    "translators/provenance/splice.py": {
        "_reads_as: return False -> return None": "both are false",
        "_shares_lines: return False -> return None": "both are false",
    },
}
