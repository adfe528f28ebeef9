"""Diagnostics of resource types and properties on the way to Cloudify; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC300": Code(
        "type without counterpart", "warning", "carried",
        "{type} has no counterpart; '{name}' is a stand-in node that creates nothing",
        "Say with --types what it becomes (docs/guide.md), create the resource by other means, or replace the node.",
        "The stand-in keeps the resource visible, its references checked and the order of deployment; it does nothing."),
    "BPC301": Code(
        "property unknown", "warning", "carried", "{type} has no property '{name}' that can be converted",
        "Remove or correct the property.", "The property is not in the type's schema, or not in the catalogue."),
    "BPC302": Code(
        "property without counterpart", "warning", "carried",
        "property '{name}' of {type} has no counterpart: {why}", "Check whether the deployment works without it.",
        "The catalogue says that the node type has nothing like it."),
    "BPC303": Code(
        "resource absorbed by another node", "info", "rewritten",
        "{type} '{name}' is part of node '{target}' in {target_engine}", "Nothing to do.",
        "What Heat says with a resource of its own, the plugin says with a relationship or a property."),
    "BPC304": Code(
        "identity of an absorbed resource", "warning", "approximated",
        "'{name}' has no id of its own; the id of '{target}' is used", "Check the use of this value.",
        "The resource is part of another node, which has another id."),
    "BPC305": Code(
        "value of a stand-in", "warning", "approximated", "the {what} of stand-in '{name}' has no value at run time; in a text it is the word None",
        "Replace the stand-in or this use of it.",
        "A stand-in node creates nothing, so nothing sets its attributes: they are null, and concat writes the word None."),
    "BPC306": Code(
        "setting that needs no counterpart", "info", "rewritten", "'{name}: {value}' is what the plugin does anyway",
        "Nothing to do.", "The property has the value that corresponds to the plugin's behaviour."),
    "BPC307": Code(
        "null", "info", "rewritten", "'{name}' is null, which means the default or nothing; left out", "Nothing to do.",
        "Heat reads a null property as its default, else as the empty value of its type: an empty text, list or map, 0 or false. Without the property the plugin leaves the choice to OpenStack."),
    "BPC308": Code(
        "difference of the type", "info", "approximated", "{type}: {note}",
        "Nothing to do if the difference does not matter.",
        "The catalogue names a difference between the two types that always applies."),
    "BPC309": Code(
        "difference of the property", "info", "approximated", "{note}",
        "Nothing to do if the difference does not matter.",
        "The catalogue names a difference between the two properties."),
    "BPC310": Code(
        "address of a server", "info", "approximated",
        "the first fixed address of the matching interface of '{name}' is used",
        "Check this if the interface has several addresses.",
        "Heat finds addresses by network name; the plugin keeps them by port."),
    "BPC311": Code(
        "interface as a port of its own", "info", "rewritten", "the interface of '{name}' became node '{port}'",
        "Nothing to do.",
        "The plugin attaches ports and networks; an interface with a subnet or an address of its own needs a port."),
    "BPC312": Code(
        "name or id", "info", "approximated",
        "Heat accepts a name for '{name}' and looks it up, the plugin wants the id",
        "Give the id of the existing resource, which 'openstack ... show NAME -c id' prints, in the blueprint or as the value of the input.",
        "Heat resolves names of existing resources in this property. The plugin passes the value on as it is."),
    "BPC313": Code(
        "settings passed on", "info", "approximated", "the keys of '{name}' became settings of the resource",
        "Check that openstacksdk knows the keys.",
        "The plugin hands the settings to openstacksdk, which drops keys it does not know."),
    "BPC314": Code(
        "characters of a password", "info", "approximated",
        "'{name}' of a class of several kinds of characters has no counterpart", "Nothing to do.",
        "PasswordSecret has minimum numbers for upper case, lower case, digits and symbols only."),
    "BPC315": Code(
        "property given twice", "error", "carried", "'{name}' means '{other}', which is given too",
        "Delete one of the two.", "Heat refuses the template too."),
    "BPC316": Code(
        "setting in other words", "info", "rewritten", "'{name}: {value}' is said in other words", "Nothing to do.",
        "The node type says the same with another property."),
    "BPC317": Code(
        "resource that cannot be absorbed", "warning", "carried", "{type} '{name}' is a stand-in node that creates nothing: {why}",
        "Connect the two resources in the blueprint by hand.",
        "In Cloudify the resource would be a relationship between two nodes, which cannot say this."),
    "BPC320": Code(
        "key of a resource without counterpart", "warning", "carried", "'{name}' of a resource has no counterpart",
        "Check whether it is needed.", "Cloudify's node templates have nothing like it."),
    "BPC321": Code(
        "key of a resource without effect", "info", "carried",
        "'{name}' of a resource has no counterpart and no effect on the deployment", "Nothing to do.",
        "It is a description, or says what happens anyway."),
    "BPC322": Code(
        "resource deleted when uninstalling", "warning", "carried",
        "'{name}: {value}' has no counterpart: uninstalling deletes the resource",
        "Take what has to stay out of the blueprint before uninstalling, or keep a copy.",
        "Cloudify deletes every resource that it created. Heat keeps it, or makes a snapshot first."),
    "BPC330": Code(
        "part of an interface without counterpart", "warning", "carried",
        "'{name}' of a network interface has no counterpart", "Check whether the interface works without it.",
        "The interface is a relationship to a port or a network, which says nothing else; the plugin does not take relationships and the property together."),
    "BPC331": Code(
        "property of an existing resource", "info", "carried", "'{name}' is not used for an existing resource",
        "Nothing to do.", "Heat only looks up a resource with an external_id and changes nothing about it; the node does the same."),
    "BPC332": Code(
        "number as a text", "info", "rewritten", "written as a text, which is what Heat makes of the value", "Nothing to do.",
        "The property takes a text, and Heat converts numbers and booleans to it; concat writes the same text."),
    "BPC333": Code(
        "default rules of a security group", "warning", "approximated",
        "whether '{name}' keeps the two default egress rules depends on a value: it keeps them",
        "Set disable_default_egress_rules to true if one of the rules is an egress rule.",
        "Heat removes the default egress rules of a group when the template has one of its own. The plugin does so by a setting, and the direction is only known when deploying."),
    "BPC334": Code(
        "metadata that is no text", "warning", "approximated", "Heat sends this value as JSON text, the plugin as it is",
        "Give the value as a text.", "The compute API takes only texts as metadata."),
    "BPC335": Code(
        "part of a block device without effect", "info", "carried", "'{name}' is not used beside '{other}'",
        "Delete one of the two.", "Heat takes the first of volume, snapshot, image, swap and ephemeral disk, and ignores the others."),
    "BPC336": Code(
        "name in place of an id", "warning", "approximated",
        "Heat looks up the name {value!r} of '{name}', the plugin wants the id", "Write the id of the resource in place of its name.",
        "Heat resolves names of existing resources in this property. The plugin passes the value on as it is, and OpenStack refuses a name."),
    "BPC337": Code(
        "private key is kept", "info", "approximated",
        "the private key of '{name}' is kept in the node's runtime properties", "Nothing to do if that is acceptable.",
        "The plugin keeps the private key of every key pair that OpenStack generates; Heat keeps it only with save_private_key."),
    "BPC338": Code(
        "default made explicit", "info", "rewritten", "'{name}' names the project's '{value}' group, which OpenStack takes by itself for Heat",
        "Nothing to do.",
        "The plugin sends an empty list of security groups for a port that names none, and the port would have none."),
    "BPC339": Code(
        "user data without Heat's tools", "info", "approximated", "'{name}' gets its user data as it is, without Heat's tools around it",
        "Write user_data_format: RAW if Heat is to do the same.",
        "Without user_data_format Heat wraps user data in a multipart text with its own tools (HEAT_CFNTOOLS). The plugin passes it on as it is."),
}  # fmt: skip
