"""Diagnostics of groups of resources; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    # -- 740-749 groups of Heat ------------------------------------------------------------------------------
    "BPC740": Code("scaling group", "info", "rewritten",
        "the members of {type} '{name}' are the instances of one node, in scaling group '{group}'",
        "Nothing to do; 'cfy executions start scale -p scalable_entity_name={group}' changes their number.",
        "A group of resources becomes the definition of its member as a node, and a scaling group with as many instances."),
    "BPC741": Code("group as single nodes", "info", "rewritten",
        "the members of {type} '{name}' are single nodes ({nodes}): {why}",
        "Nothing to do. To scale the group later, write a scaling group with one of the nodes by hand.",
        "The instances of a scaled node are all alike and none can be addressed. As the number of members is written in the template, each of them became a node of its own, with the same values as in Heat."),
    "BPC742": Code("group that cannot be converted", "warning", "carried",
        "{type} '{name}' is a stand-in node that creates nothing: {why}",
        "Write the definition of the members into the template as it is, or make the nodes in the blueprint by hand.",
        "Which resources the group has, or how many, is not known before it is deployed, or cannot be said."),
    "BPC743": Code("setting of a group without counterpart", "warning", "carried",
        "'{name}' of the group has no counterpart: {why}", "Nothing to do unless the group is scaled later.",
        "It says how Heat changes the group after it was created."),
    "BPC744": Code("values of all instances", "info", "approximated",
        "the values of all instances of '{name}', in the order in which the manager has them",
        "Check that nothing depends on their order.",
        "get_attributes_list yields one value for each instance, as the group's attribute in Heat does. Heat orders them by the members' names; the manager promises no order."),
    "BPC745": Code("policy that scales a group", "info", "carried",
        "what '{name}' did: cfy executions start scale -d DEPLOYMENT -p scalable_entity_name={group} -p delta={delta}",
        "Run it by hand, or let what called the policy's URL start the execution by the manager's REST API.",
        "Cloudify has no URL that scales. The built-in workflow 'scale' adds instances to a scaling group, or removes some; delta is the number to add."),
    "BPC746": Code("values by instance", "warning", "approximated",
        "the keys are the ids of the instances of '{name}', each with a map of its own; Heat has the members' names and the value",
        "Check what reads this map.",
        "get_attributes_dict yields {instance id: {attribute: value}}, Heat {member's name: value}."),
    "BPC747": Code("size of a group", "warning", "approximated",
        "the number of instances of '{name}' at first; scaling does not change the value",
        "Count the items of a get_attributes_list if the number is needed later.",
        "Nothing in the DSL yields the current number of instances."),
    "BPC748": Code("number of instances", "info", "approximated",
        "'{name}' says how many instances there are, so only whole numbers are accepted", "Nothing to do.",
        "A Heat number may be a fraction, of which the group takes the whole part. The input is declared as an integer."),
    "BPC749": Code("number of an instance", "warning", "approximated",
        "the number of the instance of '{name}' is written here; Cloudify counts from 1, Heat from 0",
        "Check what depends on the number. Where the template itself says how many members there are (100 at most), they have Heat's numbers.",
        "The members are the instances of one node, and get_attribute node_instance_index is the number of each. An instance that is added later gets the next number."),
    # -- 750-759 scaling groups of Cloudify --------------------------------------------------------------------
    "BPC750": Code("group with limits", "info", "rewritten", "'{name}' is an OS::Heat::AutoScalingGroup of {type}",
        "Nothing to do; an OS::Heat::ScalingPolicy with the group's id changes the number of members.",
        "A greatest number of instances is what an AutoScalingGroup has and a ResourceGroup has not. Nothing scales it by itself."),
    "BPC751": Code("group as a nested template", "info", "rewritten",
        "the members of group '{name}' ({members}) are in nested template '{file}'",
        "Keep the file beside the template.",
        "A group of Heat has one kind of resource. Several nodes that are scaled together are a template of their own, which gets what it needs as parameters and gives what others use as outputs."),
    "BPC752": Code("values of one member of the group", "warning", "approximated",
        "only the instances of '{name}' that are in the same member of the group give their values here",
        "Read the list outside of the group, where all instances are seen.",
        "get_attributes_list yields the values of all instances of a node. In Heat each member of a group is a nested stack, which does not see what is in the others."),
}  # fmt: skip
