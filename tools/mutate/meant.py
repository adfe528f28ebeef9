"""Which tests are meant for which module, and mutants that nothing can tell from the module."""

from __future__ import annotations

from typing import Final

#: they take long, and are not there everywhere
_NO_REAL_FILES: Final = ("-k", "not real_file and not sources_of_real")

#: values that are kept in metadata, of all languages
_KEPT: Final = ["tests/provenance/test_kept_values.py", "tests/provenance/test_without_the_kept_source.py"]

#: module -> its tests, as pytest takes them
MEANT: Final[dict[str, list[str]]] = {
    "bpconvert/edited.py": [
        "tests/provenance/test_comments.py",
        "tests/provenance/test_edited_files.py",
        "tests/provenance/test_edited_policies.py",
        "tests/provenance/test_edited_ports.py",
        "tests/provenance/test_edits.py",
        "tests/provenance/test_forged_records.py",
        "tests/provenance/test_origins.py",
        "tests/provenance/test_putback_anew.py",
        "tests/provenance/test_putback_by_translation.py",
        "tests/provenance/test_records.py",
        "tests/provenance/test_renames.py",
        "tests/provenance/test_restoring.py",
        "tests/provenance/test_restoring_edges.py",
        "tests/provenance/test_restoring_services.py",
    ],
    "bpconvert/urls.py": ["tests/conversion/test_urls_from_checkouts.py"],
    "bpconvert/yamlio/emit.py": [
        "tests/yamlio/test_comments.py",
        "tests/yamlio/test_style.py",
        "tests/yamlio/test_widths.py",
        "tests/yamlio/test_writing.py",
        *_NO_REAL_FILES,
    ],
    "models/repair.py": ["tests/models"],
    "translators/cloudify/playbooks.py": ["tests/cloudify/test_playbooks.py"],
    "translators/cloudify/read/branches.py": [
        "tests/cloudify/read/test_branch_uses.py",
        "tests/cloudify/read/test_branches.py",
        "tests/cloudify/read/test_opened_maps.py",
    ],
    "translators/cloudify/read/kept.py": _KEPT,
    "translators/cloudify/read/relationships.py": [
        "tests/cloudify/openstack",
        "tests/cloudify/read/test_operations.py",
        "tests/cloudify/read/test_references.py",
        "tests/cloudify/read/test_relationship_interfaces.py",
        "tests/cloudify/read/test_relationship_rules.py",
        "tests/cloudify/read/test_relationships.py",
    ],
    "translators/cloudify/unwritten.py": _KEPT,
    "translators/cloudify/write/kept.py": _KEPT,
    "translators/cloudify/write/properties.py": [
        "tests/cloudify/write/test_properties.py",
        "tests/cloudify/write/test_property_settings.py",
        "tests/cloudify/write/test_property_shapes.py",
    ],
    "translators/cloudify/write/relationships.py": ["tests/cloudify/write/test_relationships.py"],
    "translators/evaluate/conditions.py": ["tests/evaluate"],
    "translators/evaluate/query_steps.py": ["tests/evaluate/test_query_steps.py"],
    "translators/evaluate/text.py": [
        "tests/evaluate/test_fold.py",
        "tests/evaluate/test_fold_cloudify.py",
        "tests/evaluate/test_fold_unknown.py",
        "tests/evaluate/test_text_functions.py",
    ],
    "translators/hot/read/nulls.py": ["tests/hot", "tests/corpus/test_corpus.py"],
    "translators/hot/unwritten.py": [*_KEPT, "tests/hot/test_unwritten.py", "tests/provenance/test_kept_operations.py"],
    "translators/hot/write/conditions.py": [
        "tests/hot/write/test_condition_rules.py",
        "tests/hot/write/test_conditions.py",
    ],
    "translators/hot/write/kept.py": ["tests/hot/write/test_kept.py"],
    "translators/passes/capabilities.py": ["tests/passes/test_capabilities.py"],
    "translators/passes/handing_on.py": ["tests/passes/nesting/test_handing_on.py"],
    "translators/passes/expressions/branches.py": [
        "tests/cloudify/write/test_choices.py",
        "tests/cloudify/write/test_named_conditions.py",
        "tests/cloudify/write/test_piecewise.py",
    ],
    "translators/passes/expressions/urls.py": [
        "tests/cloudify/write/test_functions.py",
        "tests/cloudify/write/test_piecewise.py",
        "tests/cloudify/write/test_urls.py",
    ],
    "translators/provenance/carry.py": ["tests/provenance/test_origins.py"],
    "translators/provenance/keeping.py": ["tests/provenance/test_keeping.py"],
    "translators/provenance/merging.py": ["tests/provenance/test_merging.py"],
    "translators/provenance/notes.py": ["tests/provenance/test_notes.py"],
    "translators/provenance/parts.py": ["tests/provenance/test_records.py"],
    "translators/provenance/putback.py": [
        "tests/provenance/test_putback.py",
        "tests/provenance/test_putback_anew.py",
        "tests/provenance/test_putback_by_translation.py",
    ],
    "translators/provenance/restore.py": [
        "tests/provenance/test_changes.py",
        "tests/provenance/test_origins.py",
        "tests/provenance/test_patches.py",
    ],
    "translators/provenance/splice.py": ["tests/provenance/test_splicing.py"],
    "translators/provenance/unwritten.py": _KEPT,
    "translators/support/mentions.py": ["tests/support/test_mentions.py"],
    "translators/tosca/comparing/documents.py": ["tests/verify/test_service_templates.py"],
    "translators/tosca/edges.py": ["tests/tosca/write/test_edges.py"],
    "translators/tosca/profile.py": ["tests/tosca/write/test_profile.py"],
    "translators/tosca/read/attributes.py": [
        "tests/tosca/read/test_attributes.py",
        "tests/tosca/read/test_counts.py",
        "tests/tosca/read/test_references.py",
        "tests/tosca/test_software.py",
    ],
    "translators/tosca/read/compute.py": ["tests/tosca/read", "tests/tosca/test_policies.py"],
    "translators/tosca/read/counts.py": ["tests/tosca/read/test_counts.py"],
    "translators/tosca/read/networks.py": ["tests/tosca/read"],
    "translators/tosca/read/nfv_groups.py": ["tests/tosca/test_nfv_numbers.py"],
    "translators/tosca/read/nfv_scaling.py": ["tests/tosca/test_nfv_numbers.py"],
    "translators/tosca/read/nodes.py": ["tests/tosca"],
    "translators/tosca/read/policies.py": [
        "tests/tosca/read/test_security.py",
        "tests/tosca/test_nfv_numbers.py",
        "tests/tosca/test_policies.py",
    ],
    "translators/tosca/read/paths.py": [
        "tests/tosca/read",
        "tests/tosca/test_second_version.py",
        "tests/conversion/test_limits.py",
    ],
    "translators/tosca/read/references.py": ["tests/tosca/read", "tests/tosca/test_software.py"],
    "translators/tosca/read/scaling.py": ["tests/tosca/read/test_counts.py", "tests/tosca/test_policies.py"],
    "translators/tosca/read/software.py": [
        "tests/tosca/read/test_references.py",
        "tests/tosca/test_software.py",
        "tests/tosca/test_software_of_blueprints.py",
    ],
    "translators/tosca/read/storage.py": ["tests/tosca/read"],
    "translators/tosca/read/substitution.py": ["tests/tosca/test_substitution.py"],
    "translators/tosca/write/bindings.py": ["tests/tosca/write/test_edges.py"],
    "translators/tosca/write/links.py": ["tests/tosca/write/test_edges.py"],
    "translators/tosca/write/nesting.py": ["tests/tosca/test_nesting.py"],
    "translators/tosca/write/placement.py": [
        "tests/provenance/test_edited_policies.py",
        "tests/tosca/write/test_placement.py",
    ],
    "translators/tosca/write/schemas.py": ["tests/tosca/write/test_schemas.py", "tests/tosca/write/test_shapes.py"],
    "translators/tosca/write/volumes.py": ["tests/tosca/write/test_edges.py"],
    "translators/tosca/unwritten.py": [*_KEPT, "tests/tosca/write"],
}

#: module -> change -> why the program does the same with it
EQUIVALENT: Final[dict[str, dict[str, str]]] = {
    "translators/cloudify/playbooks.py": {
        "script: given.pop(_SOURCES, None) -> given.pop(_SOURCES, 'XX')": "a text is no inventory either",
        "_host: found.get(key) if isinstance(found, dict) and len(found) == 1 else None -> "
        "found.get(key) if isinstance(found, dict) and len(found) == 1 else 'XX'": "a text is no inventory either",
        "_host: return ('', None) -> return ('XX', None)": "the name of no host is not looked at",
    },
    "translators/hot/unwritten.py": {
        "seen: (KEY in entries(one, _METADATA) for one in resources.values() if isinstance(one, dict))"
        " -> (KEY in entries(one, _METADATA) for one in resources.values())": "what is no map has no entries",
    },
    "translators/hot/write/kept.py": {
        "portable: deployments=None -> deployments='XX'": "no software has a part of that as its name",
    },
    "translators/passes/capabilities.py": {
        "Software: derived: str = '(?!)' -> derived: str = 'XX(?!)'": "neither matches anything",
    },
    "bpconvert/edited.py": {"WayBack._is_no_nearer: return False -> return None": "both are false"},
    "bpconvert/urls.py": {"is_url: return False -> return None": "both are false"},
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
    "translators/cloudify/unwritten.py": {
        "seen: document.data.get(_SECTION) if isinstance(document.data, dict) else None"
        " -> document.data.get(_SECTION) if isinstance(document.data, dict) else 'XX'": "neither is a map",
    },
    "translators/cloudify/write/properties.py": {
        "Properties._is_implied: return False -> return None": "both are false",
        "Properties._vanishing: return False -> return None": "both are false",
        "Properties.lift: return False -> return None": "both are false",
    },
    "translators/cloudify/write/relationships.py": {
        "LIFTED, REFERENCE, ORDER, IMPLICIT = (3, 2, 1, 0) -> LIFTED, REFERENCE, ORDER, IMPLICIT = (4, 2, 1, 0)": (
            "only the order of the strengths counts"
        ),
    },
    "translators/passes/expressions/branches.py": {
        "_LAST: Final = 1 << 32 -> _LAST: Final = 1 << 33": "no condition has so many parts",
        "_LAST: Final = 1 << 32 -> _LAST: Final = 2 << 32": "no condition has so many parts",
        "_pick: return branches[0] -> return branches[1]": "they are the same",
    },
    "translators/provenance/keeping.py": {
        "_input: getattr(expr, 'name', None) -> getattr(expr, 'name', 'XX')": "a text has no expressions",
        "_waits: return False -> return None": "both are false",
        "restore: present.inputs.get(name) if name in topology.inputs else None"
        " -> present.inputs.get(name) if name in topology.inputs else 'XX'": "no declaration is a text",
    },
    "translators/provenance/merging.py": {
        "_innermost: [key in one, one.get(key)] -> [key not in one, one.get(key)]": "it tells the same apart",
        "_means: return False -> return None": "both are false",
        "merge_lines: mine in (base, theirs) -> mine in (base,)": "the same edits are made once",
        "merge_lines: mine in (base, theirs) -> mine in (theirs,)": "no edits are made of what is the same",
    },
    "translators/provenance/notes.py": {
        "_sentence: '.+'.join((re.escape(part) for part in _PLACEHOLDER.split(note))) if note else '(?!)'"
        " -> '.+'.join((re.escape(part) for part in _PLACEHOLDER.split(note))) if note else 'XX(?!)'": (
            "nothing is that"
        ),
        "without: note.start:note.end -> note.start:note.end + 1": "blanks behind a note make no difference",
        "without: text[:note.start].rstrip(' \\t') -> text[:note.start].rstrip('XX \\t')": (
            "only blanks stand before it in its line"
        ),
        "without: text[found.end():] if found else '' -> text[found.end():] if found else 'XX'": ("a line follows it"),
    },
    "translators/provenance/putback.py": {
        "PutBack._accept: return False -> return None": "both are false",
        "PutBack.by_translation: [one for one in every if len(one.path) > 2] -> [one for one in every]": (
            "of a whole entry nothing is tried"
        ),
        "PutBack.by_translation: len(one.path) > 2 -> len(one.path) >= 2": "of a whole entry nothing is tried",
    },
    "translators/provenance/unwritten.py": {"([str], 'str | None') -> ([str], 'XXstr | None')": "it is a type"},
    "translators/provenance/splice.py": {
        "_reads_as: return False -> return None": "both are false",
        "_shares_lines: return False -> return None": "both are false",
    },
    "translators/tosca/profile.py": {
        "_definition: {name: attribute_definition(row.get('type') in _DEEP) for name, row in attributes"
        " if name not in INHERITED[parent]}"
        " -> {name: attribute_definition(row.get('type') in _DEEP) for name, row in attributes}": (
            "no resource has such an attribute now"
        ),
    },
}
