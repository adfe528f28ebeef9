"""The diagnostics about roles, shares, values and cloud-init configurations (BPC710-719)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {
    "BPC710": Code(
        "role that is not given", "warning", "carried", "the role of '{name}' is not converted: {why}",
        "Give the role by hand.",
        "The plugin gives roles in the properties 'users' and 'groups' of a project. Other assignments have no counterpart."),
    "BPC711": Code(
        "role given by a project", "info", "rewritten", "node '{project}' gives '{name}' its role", "Nothing to do.",
        "The plugin gives roles when the project is there. The node of an existing project creates nothing but the roles."),
    "BPC712": Code(
        "roles as a resource", "info", "rewritten", "the roles that '{project}' gives are resource '{name}'", "Nothing to do.",
        "What the plugin does with a property of the project, Heat does with a resource that grants roles."),
    "BPC713": Code(
        "roles that are not written out", "warning", "carried", "'{name}' is not converted: names and roles have to be written out",
        "Write out who has which roles, each value with a call of its own.",
        "Every user and group with roles is a resource of its own in Heat. Those of a list that only a call yields are not known."),
    "BPC714": Code(
        "access rule without counterpart", "warning", "carried", "the access rule of '{name}' has no counterpart",
        "Allow the access by hand.",
        "The plugin allows reading and writing for the address of a server or the addresses of a subnet that the share is connected to."),
    "BPC715": Code(
        "value in the case that Heat wants", "info", "rewritten", "written as {value!r}", "Nothing to do.",
        "OpenStack takes the value in any case, Heat compares it with a list."),
    "BPC716": Code(
        "part of a value that is not there", "info", "rewritten", "'{name}' has no such part: the result is null in both",
        "Check the path.", "Heat gives null where a path leads nowhere."),
    "BPC717": Code(
        "text that cloud-init may read otherwise", "warning", "approximated", "cloud-init may not read {value!r} as a text",
        "Check that cloud-init takes both here.",
        "The utilities plugin writes the configuration by the rules of YAML 1.2, without quotes where those need none. cloud-init reads it by those of YAML 1.1, where the text means a number, a time or a truth value."),
    "BPC718": Code(
        "configuration as a text", "warning", "approximated", "'get_resource' of '{name}' is the configuration's id in Heat, its text in Cloudify",
        "Check what uses the value.", "Cloudify has no store of configurations. Where Heat takes the id for the text, both mean the same."),
    "BPC719": Code(
        "type that Heat has removed", "warning", "approximated",
        "'{name}' is read as {meant}, which took the place of {type}; Heat creates nothing for it since release 10",
        "Write the new type.",
        "Heat keeps the types of Designate's first API as placeholders, which take everything and do nothing."),
}  # fmt: skip
