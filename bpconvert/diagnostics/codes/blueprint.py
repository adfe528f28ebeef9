"""Diagnostics of reading blueprints; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import BACK, Code

CODES: Final[dict[str, Code]] = {
    # -- 14x reading (READ) ----------------------------------------------------------------------------------
    "BPC140": Code(
        "imported file", "info", "rewritten", "'{name}' is read: what it defines is part of the result", "Nothing to do.",
        "HOT has no imports of this kind. All files of the blueprint become one template."),
    "BPC141": Code(
        "types unknown", "info", "carried", "the types of '{name}' are unknown",
        "Nothing to do for types that are not converted anyway.",
        "Nothing is fetched. Known are Cloudify's own types and those of its OpenStack plugin; defaults and ancestors of other types are not."),
    "BPC142": Code(
        "import cannot be read", "warning", "carried", "'{name}' is not read: {why}",
        "Put the file where the import looks for it, below the folder of the blueprint.",
        "What the file defines (types, nodes, inputs, ...) is missing in the result."),
    "BPC143": Code(
        "broken import", "error", "carried", "'{name}' is not read: {problem}", "Correct the imported file.",
        "The file is there, but it is no blueprint; the parser refuses it too."),
    "BPC144": Code(
        "defined twice", "error", "carried", "{what} is defined before '{name}' is read; the first definition counts",
        "Rename one of them, or import the file with a namespace.",
        "The parser refuses files that define the same thing. Only Cloudify's own types may be defined anew."),
    "BPC145": Code(
        "definition replaced by an import", "info", "exact", "'{name}' is replaced by the definition in '{library}'",
        "Rename the type if the blueprint's own definition is meant: names of types must not start with 'cloudify.'.",
        "Of a type whose name starts with 'cloudify.' the parser silently takes the definition that is read last."),
    "BPC146": Code(
        "settings of a plugin", "info", "carried", "the settings for '{name}' are not converted", "Nothing to do.",
        "They tell the plugin how to work. There are no plugins in Heat."),
    "BPC147": Code(
        "without effect", "info", "carried", "{what} is not converted: {why}", "Nothing to do.",
        "It changes nothing of what is deployed."),
    "BPC148": Code(
        "would run something", "warning", "carried", "{what} is not converted: {why}",
        "Do by other means what it does for the deployment.", "Heat creates, updates and deletes; it runs nothing else."),
    "BPC149": Code(
        "definition", "info", "rewritten", "'{name}' is resolved where it is used", "Nothing to do.",
        "HOT has no definitions of types. Defaults and operations are written into the resources that have them."),
    "BPC150": Code(
        "properties of a relationship", "info", "carried", "the properties of the relationship to '{target}' are not converted",
        "Nothing to do.", "They tell Cloudify how instances are connected. Heat has no relationships."),
    "BPC151": Code(
        "group is not scaled", "warning", "carried", "one of each is created: group '{name}' ({members}) is not scaled, {why}",
        "Scale its members by hand.", "The members of a group move to a nested template, which works for nodes whose operations run on members, and that have no nested template of their own."),
    "BPC152": Code(
        "limit of scaling", "info", "carried", "'{name}' is not converted: there is no greatest number beside it", "Nothing to do.",
        "It limits what the scale workflow may do later. The number of instances at first is converted."),
    "BPC153": Code(
        "settings of a built-in operation", "warning", "carried",
        "what is given for '{name}' is not converted: it is for the operation of the type",
        "Check whether the resource needs it.",
        "The operation's implementation is that of the plugin; Heat's resource has its own and takes no such inputs."),
    "BPC154": Code(
        "scaling group of one", "info", "carried", "that group '{name}' can be scaled is not converted", "Nothing to do.",
        "There is one instance of the group at first, which is converted."),
    "BPC155": Code(
        "part of a relationship that is left out", "warning", "carried",
        "'{name}' of the relationship to '{target}' is left out with it", "Correct the target of the relationship.",
        "The relationship has no target that it could be with; the parser refuses it too."),
    "BPC156": Code(
        "call that Cloudify refuses", "error", "carried", "{problem}", "Correct the call; Cloudify refuses it too.",
        "The function exists, but not with these arguments."),
    # -- 35x nodes and their properties (NODES) --------------------------------------------------------------
    "BPC350": Code(
        "credentials", "info", "rewritten", "the credentials are not converted: Heat uses those of whoever creates the stack",
        "Create the stack in the project that the credentials are for.",
        "A blueprint tells the plugin how to reach OpenStack. Heat is part of OpenStack and acts for its user."),
    "BPC351": Code(
        "only for Cloudify", "info", "carried", "'{name}' is not converted: {why}", "Nothing to do.",
        "The property has no effect on the resource that is created."),
    "BPC352": Code(
        "property without counterpart in Heat", "warning", "carried", "'{name}' of {type} has no counterpart: {why}",
        "Check whether the stack works without it.", "The catalogue says that the Heat resource has nothing like it."),
    "BPC353": Code(
        "settings that are not written out", "warning", "carried",
        "'{name}' is not converted: it is a call, and its parts have other names in {target_engine}",
        "Write the parts out, each with a call of its own.",
        "Properties are converted one by one. Those of a map or list that only a call yields are not known.", BACK),
    "BPC354": Code(
        "property unknown to the catalogue", "warning", "carried", "{type} has no property '{name}' that can be converted",
        "Remove or correct the property.", "Neither the plugin nor the catalogue has such a property."),
    "BPC355": Code(
        "further settings", "info", "approximated", "'{name}' is passed on to OpenStack with value_specs",
        "Check that the service's API knows it.",
        "The plugin's kwargs go to openstacksdk, value_specs go to the API as they are."),
    "BPC356": Code(
        "property of a resource that exists", "info", "carried", "{what} is not used for a resource that exists already",
        "Nothing to do.", "Neither engine changes anything about a resource that it did not create."),
    "BPC357": Code(
        "filled in by the 2.x plugin", "info", "rewritten", "the rule has what the 2.x plugin fills in", "Nothing to do.",
        "The plugin takes protocol tcp and the ports 1 to 65535 where a rule says nothing."),
    "BPC358": Code(
        "default rules of a group, written out", "info", "rewritten",
        "the two default egress rules of '{name}' are written out", "Nothing to do.",
        "Heat removes the default egress rules of a group that has an egress rule of its own, the plugin only when asked to."),
    "BPC359": Code(
        "default rules of a group stay", "warning", "approximated",
        "whether the default egress rules of '{name}' stay cannot be said in {target_engine}: {why}",
        "Write the egress rules that are wanted.",
        "Heat removes the default egress rules of a group exactly when the template has an egress rule.", BACK),
    "BPC360": Code(
        "attribute of another shape", "warning", "approximated", "'{name}' of '{node}' has another shape in {target_engine}: {why}",
        "Take the part that is needed.", "What the plugin keeps as a list of texts Heat hands out as maps.", BACK),
    "BPC361": Code(
        "address", "info", "approximated", "'{name}' of '{node}' is read as {what}",
        "Check this if there are several addresses.",
        "The plugin keeps addresses by version and interface; Heat has them by network or by port."),
    "BPC362": Code(
        "given in two places", "warning", "carried", "'{name}' is given in two places; this one does not count",
        "Delete one of the two.", "Several properties of the node type mean the same."),
    "BPC363": Code(
        "setting of the connection", "info", "carried", "'{name}' of the connection to OpenStack is not converted", "Nothing to do.",
        "How the plugin reaches OpenStack has no counterpart: Heat is part of OpenStack."),
    "BPC364": Code(
        "private key is kept", "info", "rewritten", "save_private_key is set: the private key of '{name}' is kept",
        "Nothing to do.", "Heat keeps a private key only when asked to, the plugin always."),
    "BPC365": Code(
        "what happens without a property", "warning", "approximated",
        "without '{name}' the plugin means {what}; Heat takes '{default}'", "Write the property.",
        "The Heat resource has a default of its own, and no way to say what the plugin does."),
    "BPC366": Code(
        "input of the plugin's operation", "info", "rewritten", "the operation's '{name}' goes before the node's properties",
        "Nothing to do.", "The plugin merges the args of its operations into the settings of the resource."),
    "BPC367": Code(
        "input of the plugin's operation without counterpart", "warning", "carried",
        "input '{name}' of operation '{operation}' has no counterpart", "Check whether the stack works without it.",
        "Heat creates its resources by itself and takes only their properties."),
    "BPC368": Code(
        "characters of a password, approximated", "info", "approximated", "{problem}", "Nothing to do.",
        "RandomString draws at least one character of every class that it has, and has no class of symbols."),
    "BPC369": Code(
        "rules that are not written out", "info", "approximated",
        "the rules that '{name}' yields are completed as the 2.x plugin does, except for remote_group_node and remote_group_name",
        "Give rules without remote_group_node and remote_group_name.",
        "The plugin takes protocol tcp and the ports 1 to 65535 where a rule says nothing. A query (yaql) does the same."),
    "BPC370": Code(
        "resource that stays", "info", "rewritten", "deletion_policy is set: '{name}' stays when the stack is deleted",
        "Nothing to do.", "The blueprint replaces the plugin's operation that deletes the resource by nothing."),
    "BPC371": Code(
        "operation of the plugin switched off", "warning", "carried",
        "'{operation}' of '{name}' is switched off; Heat's resource does it nevertheless",
        "Check whether the stack works with it.",
        "The blueprint replaces an operation of the plugin by nothing. Heat's resources cannot leave out a part of their work."),
    "BPC372": Code(
        "another cloud", "warning", "carried", "'{name}' differs from that of nodes before: a stack has one cloud, region and project",
        "Make a template of its own of what belongs elsewhere (OS::Heat::Stack takes a region).",
        "Each node of a blueprint can have credentials of its own. All resources of a stack belong to whoever creates it."),
    "BPC373": Code(
        "image and bootable volume", "warning", "approximated",
        "'{name}' has an image to boot from; '{target}' is attached, but not booted from",
        "Take the image off the server if it is to boot from the volume.",
        "Heat takes one thing to boot from. The plugin hands both to the compute service."),
    "BPC374": Code(
        "name where an id is needed", "warning", "approximated",
        "'{name}' is known by its name, but Heat takes only an id here", "Give the id of the resource.",
        "The plugin looks existing resources up by name. Heat does so for most properties, but not for this one."),
    "BPC375": Code(
        "nothing to connect", "info", "carried",
        "the relationship to '{target}' is not converted: '{name}' has no instances at first", "Nothing to do.",
        "What connects two nodes is a resource of its own in Heat, which needs both."),
    "BPC389": Code(
        "settings that are an input", "warning", "approximated",
        "'{name}' is taken apart: the resource has the parts of '{input}' that its default has",
        "Give '{input}' a value with the same keys.",
        "Heat has the properties one by one, each a part of the parameter. Parts that only a given value has are not used, and those that it lacks are empty."),
    "BPC379": Code(
        "security groups of ports", "info", "rewritten", "the security groups of '{name}' are written into its ports",
        "Nothing to do.",
        "The plugin adds the groups that a server is connected to to every port of the server. Heat refuses security_groups"
        " beside ports."),
    # -- 41x relationships (NODES) ---------------------------------------------------------------------------
    "BPC408": Code(
        "security groups without effect", "warning", "carried",
        "the security groups given here have no effect on the ports of '{name}'; they are not converted",
        "If they are wanted, add them to the security_groups of the ports.",
        "OpenStack gives a server's groups only to the ports that it makes for the server. Heat refuses security_groups"
        " beside ports."),
    "BPC409": Code(
        "management network", "info", "rewritten", "'{name}' has an interface on its management network", "Nothing to do.",
        "The 2.x plugin connects a server to the network that management_network_name names."),
    "BPC410": Code(
        "property and relationship", "warning", "approximated",
        "the relationship to '{target}' and '{name}' say different things; the property is converted",
        "Keep one of the two.", "The plugin refuses to take both."),
    "BPC411": Code(
        "relationship without counterpart", "warning", "carried",
        "the relationship '{type}' to '{target}' has no counterpart; only the order remains",
        "Check whether the stack works without it.",
        "The plugin does something for this relationship that is not in the catalogue."),
    "BPC412": Code(
        "name of another node", "info", "rewritten", "'{name}' is the name of '{target}', which is referred to",
        "Nothing to do.",
        "There is a relationship to a node of this name. Heat looks names up before anything is created, and would not find it."),
    "BPC413": Code(
        "relationship as a resource", "info", "rewritten", "the relationship to '{target}' became {type} '{name}'",
        "Nothing to do.", "What the plugin does for the relationship is a resource of its own in Heat."),
    "BPC414": Code(
        "floating IP without a port", "warning", "carried",
        "'{target}' is not associated with '{name}': {why}",
        "Associate the address by hand, or give a server that the stack creates a port node.",
        "Heat associates a floating IP with a port, or with a server that it finds by its id."),
    "BPC415": Code(
        "depends on the target", "info", "approximated", "the relationship to '{target}' is read as '{name}', which holds if {what}",
        "Check the target.", "The plugin looks at the target when the deployment runs."),
    "BPC416": Code(
        "security groups that ports do not get", "warning", "carried",
        "{what} of '{name}' does not get the server's security groups: Heat takes none for a server with ports",
        "Add the groups to the security_groups of the port.",
        "The plugin adds the groups that a server is connected to to every port of the server, and OpenStack gives the others"
        " to the ports that it makes. Heat refuses security_groups beside ports."),
    "BPC417": Code(
        "gateway that depends on a value", "warning", "approximated",
        "'{target}' becomes the gateway of '{name}'; the plugin does so only if the network is external",
        "Remove external_gateway_info if it is not.",
        "Whether the network is an external one is a call; the plugin looks when the deployment runs."),
    "BPC418": Code(
        "relationship of a resource that exists", "warning", "carried",
        "the relationship to '{target}' is not converted: '{name}' exists already",
        "Check whether the two are connected.", "Heat changes nothing about a resource that it did not create."),
    "BPC419": Code(
        "only the first instance is connected", "warning", "approximated",
        "only the first of '{name}' is connected; the others are not", "Connect the others by hand, or write out the nodes.",
        "The plugin connects every instance. In Heat that is a resource of its own, which is there once."),
    # -- 42x choices among the items of an input (BRANCHES) --------------------------------------------------
    "BPC420": Code(
        "numbers compared as text", "info", "approximated",
        "Heat compares the numbers; Cloudify compares their texts, where 2 and 2.0 differ",
        "Nothing to do if the input is given whole numbers.",
        "The blueprint looks for the text of a number in another text. In Heat 2 and 2.0 are equal, in Cloudify their texts are not."),
    "BPC421": Code(
        "texts compared between separators", "info", "approximated",
        "Heat compares the whole texts; Cloudify could take one with '{fence}' for another", "Nothing to do.",
        "The blueprint finds one text in the other, with a separator around each. Values without the separator compare the same."),
    "BPC422": Code(
        "table of choices written in place", "warning", "approximated",
        "the items of input '{name}' are written where the template chooses among them; they can no longer be given",
        "Change the template where other values are needed.",
        "A Heat parameter cannot hold functions, and a resource's condition cannot be given. Hidden inputs of this kind are taken for part of the template."),
    "BPC423": Code(
        "node without instances", "info", "rewritten",
        "'{name}' has no instances at first: its resource has a condition that is false", "Nothing to do.",
        "Cloudify can scale the node up later. The resource is created when the condition is changed and the stack updated."),
    # -- 52x inputs and outputs (READ) -----------------------------------------------------------------------
    "BPC520": Code(
        "check of an input is looser", "info", "approximated", "input '{name}', of type {type}, becomes {neutral}: {difference}",
        "Give values of the right type.", "The types of the two languages do not check the same."),
    "BPC521": Code(
        "constraint without counterpart", "warning", "carried", "the constraint '{name}' is not converted: {why}",
        "Give values that fulfil it.", "Heat has nothing like it, or not for the type of this parameter."),
    "BPC522": Code(
        "default that Cloudify refuses", "error", "carried", "the default of '{name}' is left out: {problem}",
        "Correct the default.", "The parser refuses the blueprint, even when another value is given."),
}  # fmt: skip
