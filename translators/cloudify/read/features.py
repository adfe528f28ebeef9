"""What a blueprint says that the neutral form has no place for, or says in other words: by the capability that a
language needs to keep it, the codes of the findings. All other findings of reading are what the parser refuses."""

from __future__ import annotations

from typing import Final

_FEATURES: Final[dict[str, tuple[str, ...]]] = {
    # sections, and what is for the manager
    "imports": ("BPC140",),
    "type_definitions": ("BPC149",),
    "annotations": ("BPC147",),
    "workflows": ("BPC148",),
    "plugin_settings": ("BPC146",),
    "input_checks": ("BPC520", "BPC521"),
    # node templates
    "relationship_properties": ("BPC150",),
    "scaling_limits": ("BPC152", "BPC154"),
    "operations_of_types": ("BPC153", "BPC366", "BPC367", "BPC370", "BPC371"),
    "choices_by_index": ("BPC227", "BPC420", "BPC421", "BPC422", "BPC423"),
    "components": ("BPC767", "BPC769", "BPC774", "BPC775"),
    # what the OpenStack plugin makes of them
    "connections": ("BPC350", "BPC363", "BPC372"),
    "plugin_properties": (
        "BPC306", "BPC341", "BPC342", "BPC343", "BPC351", "BPC352", "BPC353", "BPC354", "BPC355", "BPC357", "BPC358",
        "BPC359", "BPC362", "BPC364", "BPC365", "BPC368", "BPC369", "BPC373", "BPC374", "BPC383", "BPC389", "BPC712",
        "BPC713", "BPC715", "BPC717",
    ),
    "plugin_attributes": ("BPC360", "BPC361"),
    "plugin_relationships": (
        "BPC375", "BPC379", "BPC408", "BPC409", "BPC410", "BPC411", "BPC412", "BPC413", "BPC414", "BPC415", "BPC416",
        "BPC417", "BPC419",
    ),
    "existing_resources": ("BPC356", "BPC418"),
}  # fmt: skip
#: code -> capability
NAMES: Final = {code: name for name, codes in _FEATURES.items() for code in codes}
