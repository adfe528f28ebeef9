"""Diagnostics of ``bpconvert check``, and of values that cannot fit; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import BACK, Code

CODES: Final[dict[str, Code]] = {
    # -- 17x-18x what check finds --------------------------------------------------------------------------------
    "BPC170": Code(
        "unknown property", "error", "exact", "{owner} has no property '{name}'{guess}",
        "Correct or delete the property.", "Heat refuses a template with a property that the resource type does not have."),
    "BPC171": Code(
        "value of the wrong type", "error", "exact", "'{name}' must be {wanted}, not {found}",
        "Correct the value.",
        "Heat converts what it can (the text '10' is a whole number, true is text) and refuses the rest."),
    "BPC172": Code(
        "value that is not allowed", "error", "exact", "'{name}' {problem}", "Correct the value.",
        "The resource type restricts its values, and Heat refuses a template that breaks a restriction. Restrictions that ask a service (does the image exist?) are not checked."),
    "BPC173": Code(
        "required property missing", "error", "exact", "{owner} needs the property '{name}'", "Add the property.",
        "Heat refuses a resource without its required properties."),
    "BPC174": Code(
        "unknown attribute", "error", "exact", "{type} has no attribute '{name}'{guess}", "Correct the name.",
        "Heat refuses a template that asks for an attribute that the resource type does not have."),
    "BPC175": Code(
        "unknown resource type", "error", "exact", "there is no resource type '{name}'{guess}",
        "Correct the name, or say what defines it: an environment with -e, your own mappings with --types.",
        "Heat refuses a type that neither it nor the environment's resource_registry knows. Types of plugins that are not part of Heat are not known here."),
    "BPC176": Code(
        "value that may be refused", "warning", "exact", "this value is refused where it is used: {problem}",
        "Correct the value, or make sure that another one is used.",
        "The value is a parameter's default, one branch of an 'if', or a setting of a group's members: Heat refuses it only where it is used."),
    "BPC177": Code(
        "out of date", "info", "exact", "{what} is {status}{since}", "Look for its successor in Heat's documentation.",
        "Heat still takes what is deprecated, hidden or unsupported, but newer versions may not."),
    "BPC178": Code(
        "reference that leads nowhere", "error", "exact", "there is no {what} '{name}'{guess}",
        "Correct the name, or add what is missing.", "The engine refuses a template that refers to something that it does not have."),
    "BPC179": Code(
        "file is not there", "warning", "exact", "there is no file '{name}'", "Put the file beside the template, or correct the name.",
        "The template needs the file when it is deployed. Names are looked up from the template's folder."),
    "BPC180": Code(
        "circle", "error", "exact", "each waits for the next one: {what}", "Remove one of the references or 'depends_on'.",
        "The engine cannot order what depends on itself, and refuses the template."),
    "BPC181": Code(
        "parameter without use", "info", "exact", "nothing uses the parameter '{name}'", "Delete it, or use it.",
        "Whoever deploys the template may be asked for a value that changes nothing."),
    "BPC182": Code(
        "properties that do not go together", "error", "exact", "{problem}", "Correct the properties.",
        "The resource's class in Heat checks the combination and refuses it."),
    "BPC183": Code(
        "property without implementation", "error", "exact", "'{name}' of {owner} is not implemented in Heat", "Delete the property.",
        "Heat knows the property of a foreign language, and refuses a template that uses it."),
    "BPC184": Code(
        "no snapshot of this type", "error", "exact", "{type} cannot have the deletion policy Snapshot", "Choose Delete or Retain.",
        "Heat makes snapshots of some resource types only, and refuses the policy on others."),
    "BPC185": Code(
        "setting that is not sent", "warning", "exact", "openstacksdk {version} does not know '{name}' of {type}: it is not sent{guess}",
        "Correct or delete the key.",
        "The plugin hands 'kwargs' to openstacksdk, which drops names that it does not know without a word."),
    # -- 78x values that cannot fit --------------------------------------------------------------------------------
    "BPC780": Code(
        "value that Heat refuses", "warning", "exact", "Heat refuses this value: {problem}",
        "Correct the template; 'bpconvert check' finds all such mistakes.",
        "The value does not fit the property's type or restrictions in Heat, so that the template never was deployed as it is. It is converted as it stands."),
    "BPC781": Code(
        "default that Heat refuses", "warning", "exact", "Heat refuses the default of '{name}' here: {problem}",
        "Correct the parameter's default, or give another value when deploying.",
        "The default does not fit the property in which the parameter is used. It is converted as it stands."),
    "BPC782": Code(
        "node that its type refuses", "warning", "approximated", "{target_engine} refuses node '{name}': {problem}",
        "Correct the mapping of the type, or the node in the blueprint.",
        "The node's type, as its plugin defines it, does not fit what a mapping writes. The mappings that come with bpconvert do not do this."),
    "BPC784": Code(
        "setting that is sent", "info", "exact", "'{name}' is sent to OpenStack: openstacksdk {version} knows it", "Nothing to do.",
        "The plugin hands the settings to openstacksdk, which sends the ones that it knows."),
    "BPC785": Code(
        "setting that is not sent", "warning", "carried", "'{name}' is left out: openstacksdk {version} does not send it{guess}",
        "Set it by other means, or with a newer openstacksdk.",
        "Heat sends the keys of 'value_specs' as they are. The plugin hands them to openstacksdk, which drops the ones that it does not know without a word."),
    "BPC786": Code(
        "value that Heat's property refuses", "warning", "carried", "{target_engine} refuses the value, asked for as parameter '{parameter}': {problem}",
        "Give a value that fits when deploying, or correct the blueprint.",
        "The property of Heat's resource type is stricter than the node type's. It is a required parameter of the template, so that nothing is deployed with a wrong value.", BACK),
}  # fmt: skip
