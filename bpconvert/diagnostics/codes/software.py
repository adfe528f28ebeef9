"""Diagnostics of software configurations and deployments; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC720": Code(
        "software that is not converted", "warning", "carried", "{type} '{name}' is a stand-in node that creates nothing: {why}",
        "Write an operation that runs the script, or the text into the user data, in the blueprint.",
        "A deployment of a script on a server becomes a node with operations, and a configuration is a part of what uses it. This one cannot, and the stand-in does nothing."),
    "BPC721": Code(
        "deployment as a node", "info", "rewritten", "node '{name}' runs {script} on '{server}' (operations: {operations})",
        "Nothing to do.",
        "A deployment runs a script at certain actions of the stack; the operations of a node inside the server do the same. They are not tried again when they fail, as in Heat."),
    "BPC722": Code(
        "script with values in its text", "info", "rewritten", "the text has values of the deployment in it; '{runner}' gets it as an input and runs it",
        "Nothing to do.",
        "Only a file of the bundle can be run, and this text is not known before. The script that is added writes it to a file and runs it."),
    "BPC723": Code(
        "Cloudify's agent on a server", "warning", "approximated", "Cloudify's agent is installed on '{name}' over SSH, for '{deployment}': it runs scripts as 'agent_user', Heat's agent as root",
        "Give agent_user and agent_private_key, let the manager reach port 22 of the server, and make sure that the user may do what the scripts do.",
        "Something has to run the scripts on the server. The image needs no Heat agent any more."),
    "BPC724": Code(
        "text of a variable", "info", "rewritten", "the script gets {value}, as from Heat's agent",
        "Nothing to do.",
        "Inputs of a script are of type String unless the configuration says another type, and the agent writes other values into them as Python does: True, ['a', 'b']."),
    "BPC725": Code(
        "variables that only Heat has", "warning", "approximated", "the script uses {names}, which only Heat gives it",
        "Give the values as inputs of the operation, or change the script.",
        "Heat adds variables about the deployment and how to signal its end. The variables named here are not set."),
    "BPC726": Code(
        "setting for the Heat agent", "info", "rewritten", "'{name}' is for the Heat agent, which nothing needs any more", "Nothing to do.",
        "The setting says how the agent gets its work or tells its results. Cloudify's agent does both in its own way."),
    "BPC727": Code(
        "deployment that nobody waits for", "warning", "approximated", "with NO_SIGNAL Heat does not wait for the script of '{name}'; Cloudify always does",
        "Start long work in the background in the script.",
        "With NO_SIGNAL Heat goes on at once and never learns whether the script fails. Cloudify waits for every operation, and a failure ends the workflow."),
    "BPC728": Code(
        "action UPDATE", "info", "approximated", "Cloudify's update workflow decides when operation 'update' of '{name}' runs", "Nothing to do unless updates matter.",
        "Heat runs the script again when an update changes the deployment or its configuration."),
    "BPC729": Code(
        "actions SUSPEND and RESUME", "info", "approximated", "the operations for SUSPEND and RESUME of '{name}' run in the workflows 'suspend' and 'resume' of the utilities plugin",
        "Import the plugin where these workflows are used.", "Cloudify has no such workflows of its own."),
    "BPC730": Code(
        "user data of a configuration", "info", "rewritten", "the text of '{name}' is written here", "Nothing to do.",
        "Heat replaces the id of a configuration by its text. In a blueprint the text stands where it is used."),
    "BPC731": Code(
        "one script at a time", "info", "rewritten", "'{name}' waits for '{other}', which runs on the same server", "Nothing to do.",
        "Heat's agent runs the deployments on a server one after the other, Cloudify's runs several at once. What nothing else orders is ordered here."),
    "BPC732": Code(
        "configuration without a group", "warning", "approximated", "'{name}' has no group; it is run as a script, Heat's agent does not run it at all",
        "Check that the script is to be run, and write 'group: script'.",
        "Heat's agent chooses the tool by the group and skips a configuration without one."),
    "BPC733": Code(
        "output that is not declared", "warning", "approximated", "'{config}' declares no output '{name}'", "Declare the output.",
        "Heat's agent reads declared outputs only, and Heat refuses the attribute. The runtime property is never set."),
    "BPC734": Code(
        "script without an interpreter", "warning", "approximated", "'{name}' does not begin with '#!'; Cloudify runs it with sh, Heat's agent not at all",
        "Begin the script with its interpreter, for example #!/bin/sh.", "Heat's agent executes the file itself, which fails without that line."),
    "BPC735": Code(
        "part without meaning for a script", "info", "carried", "'{name}' says nothing about how the script runs", "Nothing to do.",
        "The script gets its inputs as variables. Descriptions and options are for people and other tools."),
    "BPC736": Code(
        "member of a deployment group", "info", "rewritten", "the deployment for '{name}' is node '{node}'", "Nothing to do.",
        "A deployment group is a deployment for each of its servers."),
    "BPC737": Code(
        "text or id", "warning", "approximated", "{problem}", "Check what is meant.",
        "Heat takes a configuration for user data by its id, and in some places a text as well."),
    "BPC738": Code(
        "dependency on a configuration", "info", "rewritten", "'{name}' is no node; what it waits for is waited for here", "Nothing to do.",
        "Creating a configuration takes no time: who depends on it depends on its own dependencies."),
    "BPC739": Code(
        "variable that is no text", "info", "approximated", "'{name}' is of type {type}; the script gets the value as a text", "Write the value as a text.",
        "Heat's agent fails on values of type Number and Boolean that are no texts."),
}  # fmt: skip
