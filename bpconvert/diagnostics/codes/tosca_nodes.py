"""Diagnostics of what nodes of TOSCA become in OpenStack; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC810": Code("part of a service template without counterpart", "warning", "carried",
        "'{name}' of '{node}' has no counterpart in {target_engine}{why}", "Check whether the deployment works without it.",
        "Nothing in the result is like it. It stays in the record of the source, and comes back on the way back."),
    "BPC811": Code("size that becomes a number", "warning", "approximated",
        "input '{name}' takes a size with a unit; in {target_engine} it is a number of GiB",
        "Give a number of GiB when deploying.",
        "Neither language has sizes with units. The default and the constraints are converted, rounded up to GiB."),
    "BPC812": Code("machine that is asked for", "warning", "approximated",
        "'{node}' asks for {words}: input '{input}' takes the name of the {what}",
        "Give the name when deploying.",
        "TOSCA describes what a machine needs, OpenStack wants the names of a flavor and of an image. They differ from cloud to cloud, so nothing is guessed. What is asked for stands in the description of the input. Memory is counted in MiB and disks in GiB, rounded up."),
    "BPC813": Code("request that is not needed", "info", "carried",
        "'{name}' of '{node}' is not used: the {what} is given by its name", "Nothing to do.",
        "A name decides, what is asked for beside it does not."),
    "BPC814": Code("image by its file", "warning", "approximated",
        "the image of '{node}' is the file {file}: {what}", "Check that Glance has the image, or can fetch the file.",
        "OpenStack boots images that Glance has. A file at an address becomes an image of Glance; of any other, only the name is known."),
    "BPC815": Code("resource that exists", "info", "rewritten",
        "'{name}' exists already: this value stands where it is referred to", "Nothing to do.",
        "A network or volume with an id, or a network with a name and nothing else, is not created."),
    "BPC816": Code("value that is asked for", "warning", "approximated",
        "'{node}' has no {what}: input '{input}' asks for it", "Give the value when deploying.",
        "OpenStack cannot do without it, and the service template leaves it open."),
    "BPC817": Code("size that is rounded up", "info", "approximated",
        "'{name}' of '{node}': {given} is {made}", "Nothing to do.",
        "OpenStack counts memory in whole MiB and disks in whole GiB."),
    "BPC818": Code("attribute that is nearly the same", "warning", "approximated",
        "'{name}' of '{node}' is only nearly what {target_engine} has: {why}", "Check the value.",
        "Without a network, port or floating IP in the service template, the address is the first one that the server has."),
    "BPC819": Code("reference that leads nowhere", "error", "carried", "{why}", "Correct the call.",
        "get_property and get_attribute name something that the node, what it is hosted on, or what fulfils its requirement does not have."),
    "BPC820": Code("range of addresses completed", "info", "approximated",
        "'{name}' of '{node}' is one end of a range: addresses from {start} to {end} are given away", "Nothing to do.",
        "Neutron wants both ends. The other one is the first or the last address of the subnet that is not the gateway."),
    "BPC821": Code("order that is decided", "warning", "approximated",
        "the place of port '{node}' is that of the default: {target_engine} cannot change the order of ports",
        "Check the order of the ports.",
        "The order of a server's ports is that of a list, which no value can change."),
    "BPC822": Code("state of a node", "warning", "approximated",
        "'{name}' of '{node}' is null: {target_engine} has no such attribute", "Write the value by hand if it is needed.",
        "The states of the standard are not those of a resource."),
    "BPC823": Code("description that stays behind", "info", "carried",
        "'{name}' of '{node}' describes it{why}, and has no counterpart in {target_engine}", "Nothing to do.",
        "It tells people something, and no engine. It stays in the record of the source."),
}  # fmt: skip
