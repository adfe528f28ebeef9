"""The diagnostics about kinds of resources and files of mappings (BPC160-169, BPC340-349)."""

from __future__ import annotations

from bpconvert.code import Code

CODES: dict[str, Code] = {
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
}  # fmt: skip
