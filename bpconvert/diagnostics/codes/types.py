"""Diagnostics of types: users' mappings, single kinds of resources, and types without a counterpart (what is lost with
each of these is in ``translators/catalogue/stand_ins.yaml``); part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import BACK, Code

CODES: Final[dict[str, Code]] = {
    # -- 16x files of mappings (--types) ---------------------------------------------------------------------
    "BPC160": Code(
        "no mapping of a type", "error", "carried", "a file of mappings has one kind (a map) or a list of kinds",
        "See docs/catalogue.md for the format.", "The file is read, but there is no kind of resource at this place."),
    "BPC161": Code(
        "unknown key in a mapping", "error", "carried", "'{name}' has no meaning in {where}: {known}",
        "Correct or delete the key; docs/catalogue.md has them all.",
        "A key that nobody reads would be without effect. Nothing is converted before it is corrected."),
    "BPC162": Code(
        "mapping without a key that it needs", "error", "carried", "{where} needs '{name}'", "Add the key.",
        "A kind has its Heat types and the node type that it becomes; a property and an attribute have one way at least to be said. Without it, values would be lost silently."),
    "BPC163": Code(
        "wrong type in a mapping", "error", "carried", "{name} has to be {wanted}", "Correct the value.",
        "The value has a type that the key does not take. Numbers and words like yes are no text unless they are quoted."),
    "BPC164": Code(
        "unknown word in a mapping", "error", "carried", "'{name}' is unknown here: {known}", "Correct the word.",
        "The key takes certain words only, or names a function or a property that is not there."),
    "BPC165": Code(
        "unknown kind in a mapping", "error", "carried", "there is no kind '{name}': {known}",
        "Name a kind by the id that its 'kind' key has, or add the kind.",
        "A mapping refers to other kinds by their ids, not by their Heat types; 'bpconvert types' lists them."),
    "BPC166": Code(
        "Heat type of another kind", "error", "carried", "'{name}' is a type of kind '{kind}' already",
        "Write 'kind: {kind}' to change that kind, or take the type out.", "Every Heat type has one kind, which says what it becomes."),
    "BPC167": Code(
        "two properties for one path", "error", "carried", "'{name}' and '{other}' both go to '{to}'",
        "Give one of them another path, or take it away with null.",
        "One value would overwrite the other, and on the way back nobody knows whose it is."),
    "BPC168": Code(
        "nothing to take away", "error", "carried", "there is no '{name}' that null could take away",
        "Correct the name, or delete the line.", "Null takes an entry of a built-in kind away."),
    "BPC169": Code(
        "said twice in a file of mappings", "error", "carried", "'{name}' is said twice", "Delete one of the two.",
        "The second would silently replace the first."),
    # -- 34x compute, networks, volumes ----------------------------------------------------------------------
    "BPC340": Code(
        "extra routes before the interfaces", "warning", "approximated",
        "'{router}' gets its extra routes when it starts, before its subnets are connected",
        "Check that the next hops are on the router's gateway network, or set the routes when the deployment is there.",
        "Heat sets extra routes after the router's interfaces. The plugin's router does it first, and Neutron refuses a next hop that is on none of the router's networks."),
    "BPC341": Code(
        "setting without effect in Heat", "info", "exact", "'{name}' has no effect in Heat, and is left out: {why}", "Nothing to do.",
        "Heat does not send the value to OpenStack, so the node goes without it too."),
    "BPC342": Code(
        "access to a private flavor", "warning", "approximated",
        "Heat gives its own project access to the private flavor '{name}', the plugin gives none by itself",
        "Name the projects in 'tenants'.", "A private flavor can be used by the projects only that have been given access."),
    "BPC343": Code(
        "data of an image", "warning", "approximated", "Heat loads the data of '{name}' from the URL, the 3.x plugin does not",
        "Upload the image's data by hand, or name an existing image.",
        "The plugin has a property for the URL of an image, but only registers the image in Glance, without any data."),
    "BPC344": Code(
        "RBAC policy without a relationship", "warning", "approximated",
        "the 3.x plugin finds the object of '{name}' only by a relationship to its node, and fails without",
        "Share a network or a security group, or create the policy by other means.",
        "The plugin has node types for networks and security groups, not for the other objects of RBAC policies."),
    "BPC345": Code(
        "floating IP of the only external network", "warning", "approximated",
        "'{name}' has no pool: Heat takes the only external network, the plugin needs to be told",
        "Write the name of the external network.", "The plugin does not look for external networks."),
    "BPC346": Code(
        "placeholder of images", "warning", "approximated",
        "'{name}' is read as the image that OS::Glance::Image once was; Heat creates nothing for it since release 22",
        "Write an OS::Glance::WebImage.", "OS::Glance::Image needed the first version of Glance's API. Heat keeps the type as a placeholder that takes everything and does nothing."),
    "BPC347": Code(
        "port without a network", "warning", "approximated",
        "port '{port}' of the interface needs the network of its subnet, which the template does not name",
        "Write the network beside the subnet.",
        "Heat asks OpenStack for the network of a subnet. The plugin creates the port with what the node says, and Neutron wants the network."),
    "BPC348": Code(
        "addresses without their subnets", "warning", "approximated",
        "the output is a list of the addresses of '{name}'; in Heat it is a list of maps, which name the subnets as well",
        "Take the addresses from the list themselves: item 0, not 0.ip_address.",
        "The plugin keeps the fixed addresses of a port as texts. As a part of another value, where a map is needed, such a list is not converted."),
    "BPC349": Code(
        "device name of another attachment", "warning", "approximated",
        "'{name}' attaches '{volume}' as {device}, as another attachment of the volume says",
        "Check whether the servers need the names that the template gives.",
        "The plugin knows one device name for each volume, Heat one for each attachment. Many hypervisors choose the name themselves."),
    # -- 71x identity, shares, DNS, values, cloud-init ---------------------------------------------------------
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
    # -- 79x no counterpart by design ------------------------------------------------------------------------
    "BPC790": Code(
        "type that Cloudify has nothing for", "warning", "carried",
        "{type} has no counterpart in {target_engine}: {lost}; '{name}' is a stand-in node that creates nothing", "{todo}",
        "Nothing in Cloudify or its OpenStack plugin does what the resource does. The stand-in keeps it visible, its references checked and the order of deployment; it does nothing. The hint says what to do for this type."),
    "BPC791": Code(
        "type that Heat has nothing for", "warning", "carried",
        "{type} has no counterpart in {target_engine}: {lost}; '{name}' is an OS::Heat::None that creates nothing", "{todo}",
        "Nothing in Heat does what the node does. The stand-in keeps it visible, its references checked and the order of deployment; it does nothing. The hint says what to do for this type.", BACK),
    "BPC792": Code(
        "resource that does nothing", "info", "rewritten", "'{name}' ({type}) is a stand-in node: {lost}", "Nothing to do.",
        "The resource is there to be seen and to order others. The stand-in node does the same."),
    "BPC793": Code(
        "text that looks like data", "info", "rewritten", "the text would be taken for data that is written as JSON; it is written as JSON itself",
        "Nothing to do.",
        "In a stand-in, data that would be a call in Cloudify is JSON text. A text that has this form already is written so that it is a text again on the way back."),
    "BPC794": Code(
        "value of a stand-in in a stand-in", "info", "carried", "only a stand-in uses the {what} of stand-in '{name}', which has no value at run time",
        "Nothing to do while both are stand-ins.",
        "The reference is kept in the stand-in's properties. Neither node creates anything."),
}  # fmt: skip
