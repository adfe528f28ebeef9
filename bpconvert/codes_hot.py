"""Diagnostics of writing HOT; part of the registry in :mod:`bpconvert.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.code import Code

CODES: Final[dict[str, Code]] = {
    # -- 24x functions (FUNCTIONS) ---------------------------------------------------------------------------
    # -- 38x resources (LOWER) -------------------------------------------------------------------------------
    "BPC380": Code(
        "node type without counterpart", "warning", "carried",
        "{type} has no counterpart; '{name}' is an OS::Heat::None that creates nothing",
        "Create what the node stands for by other means, or replace the resource in the template.",
        "The stand-in keeps the node visible, its references checked and the order of deployment; it does nothing."),
    "BPC381": Code(
        "several instances", "info", "rewritten", "'{name}' is an OS::Heat::ResourceGroup of {type}", "Nothing to do.",
        "How many instances of a node are created is the count of a group in Heat."),
    "BPC382": Code(
        "number of instances of a stand-in", "warning", "carried", "the number of instances of '{name}' means nothing to its stand-in",
        "Give the resource that takes the place of the stand-in this number.",
        "A stand-in creates nothing, so there is nothing to count."),
    "BPC383": Code(
        "existing resource named in place", "info", "rewritten",
        "'{name}' exists already and has no resource of its own; what uses it names it", "Nothing to do.",
        "Heat takes the name or the id of an existing resource wherever it takes a reference to one of the template."),
    "BPC384": Code(
        "dependency on what exists already", "info", "rewritten",
        "'{source}' does not wait for '{target}', which exists already", "Nothing to do.",
        "There is no resource to wait for."),
    "BPC385": Code(
        "existing resource waits for nothing", "info", "approximated", "'{name}' exists already and waits for nothing: '{target}' is left out",
        "Nothing to do.", "Heat takes no depends_on for a resource with external_id."),
    "BPC386": Code(
        "property without a value", "info", "rewritten", "'{name}' is null and left out", "Nothing to do.",
        "A property that is null counts as not given in Cloudify. Heat would take null for an empty value."),
    "BPC387": Code(
        "circle of references", "warning", "approximated", "'{name}' uses a value of '{target}', which waits for '{name}': {instead}",
        "Check the use of this value.",
        "Cloudify looks runtime values up when they are needed; Heat makes a resource wait for all whose values it uses, and accepts no circles."),
    "BPC388": Code(
        "circle of dependencies", "warning", "approximated", "the dependency of '{name}' on '{target}' would close a circle and is left out",
        "Check the order of deployment.", "Heat makes a resource wait for all whose values it uses, and accepts no circles."),
    "BPC389": Code(
        "dependency on an unknown node", "error", "carried", "'{source}' depends on '{target}', which is no node of the blueprint",
        "Correct the name.", "Cloudify refuses the blueprint too."),
    "BPC390": Code(
        "operation as a deployment", "info", "rewritten", "operation {name} runs as software deployment '{deployment}' on '{server}'", "Nothing to do.",
        "Heat runs scripts on servers through OS::Heat::SoftwareConfig and OS::Heat::SoftwareDeployment; the inputs are environment variables in both. The server needs an image with the Heat agent."),
    "BPC391": Code(
        "operation without counterpart", "warning", "carried", "operation {name} ({implementation}) does not run: {why}",
        "Do by other means what the operation does.",
        "Heat runs scripts on servers of the template, when they are created and deleted, and nothing else."),
    "BPC392": Code(
        "script that may need changes", "warning", "approximated", "script '{script}' {why}", "Change the script.",
        "Cloudify's script plugin gives scripts the command (in Python: the object) ctx and runs each kind with its interpreter. The Heat agent runs the file itself, with its inputs as environment variables."),
    "BPC393": Code(
        "Heat agent on the server", "info", "approximated", "'{name}' gets user_data_format: SOFTWARE_CONFIG, for the deployments on it",
        "Use an image with the Heat agent.",
        "Deployments reach a server through the agent, which is configured by the server's user data."),
    "BPC394": Code(
        "deployments cannot reach the server", "warning", "approximated", "deployments cannot reach '{name}': {why}",
        "Set up the Heat agent on the server by other means.",
        "Deployments reach a server through the agent, which is configured by the server's user data of format SOFTWARE_CONFIG."),
    "BPC395": Code(
        "value in the environment of a script", "info", "approximated", "input '{name}' may be written in another way in the script's environment",
        "Check how the script reads it.",
        "Cloudify's script plugin writes true, false, lists and maps as JSON; the Heat agent writes them as Python does."),
    "BPC396": Code(
        "setting of an operation", "info", "carried", "'{name}' of the operation has no counterpart", "Nothing to do.",
        "Heat does not repeat a deployment, and it always runs on the server."),
    # -- 53x parameters and outputs (LOWER) ------------------------------------------------------------------
    "BPC530": Code(
        "input without a type", "info", "approximated", "nothing says of what type '{name}' is: it is a {type}",
        "Correct the type if other values are meant.",
        "A parameter needs a type. An input without one takes any value; a text is what most are given."),
    "BPC531": Code(
        "part of an input without counterpart", "info", "carried", "{what} has no counterpart",
        "Nothing to do; values are checked less strictly.",
        "HOT has no such constraint or key for a parameter of this type. Valid values mean the same; some invalid ones are not refused."),
    "BPC532": Code(
        "default against a constraint", "warning", "carried", "the constraint is left out, as Heat refuses the default: {problem}",
        "Correct the default or the constraint.",
        "Heat refuses a template in which a default breaks a constraint, even when another value is given."),
    "BPC533": Code(
        "default of the wrong type", "error", "carried", "the default does not fit and is left out: {problem}",
        "Correct the default.", "Heat cannot read it as the parameter's type."),
    "BPC534": Code(
        "type narrowed to that of the default", "info", "approximated", "'{name}' is a {type}, like its default", "Nothing to do.",
        "The type of an input takes more than it says, and Cloudify leaves the values as they are. A text parameter would make text of the default."),
    "BPC535": Code(
        "input that may be left out", "info", "approximated", "'{name}' is {value!r} when it is not given", "Nothing to do.",
        "An input with required: false is null when it is not given. A parameter needs a default then, which cannot be null."),
    "BPC536": Code(
        "input that may be left out", "warning", "approximated", "'{name}' has to be given: {why}",
        "Give the parameter a default.",
        "An input with required: false is null when it is not given. A parameter needs a default then, and there is none that stands for null."),
    "BPC537": Code(
        "hidden input", "info", "approximated", "Cloudify leaves '{name}' out of the deployment's form, Heat masks its value", "Nothing to do.",
        "hidden of an input takes it out of the user interface; hidden of a HOT parameter shows asterisks instead of the value."),
    "BPC538": Code(
        "capability as an output", "info", "rewritten", "capability '{name}' is output '{output}'", "Nothing to do.",
        "HOT publishes all values of a stack as outputs."),
    "BPC539": Code(
        "default that is computed", "warning", "carried", "the default of '{name}' is computed; the parameter has none",
        "Give the value when creating the stack.", "HOT takes defaults as they are, without calling functions."),
    "BPC540": Code(
        "HOT version too low", "error", "exact",
        "heat_template_version {wanted} cannot say {reason}; {needed} is written",
        "Ask for {needed} or leave --hot-version out.",
        "The template needs something that the requested version does not have."),
    "BPC541": Code(
        "value as Heat reads it", "info", "rewritten", "written as {value!r}, which is what Heat makes of it", "Nothing to do.",
        "Heat converts the values of a parameter to its type; Cloudify takes them as they are."),
    # -- 60x names (LOWER) -----------------------------------------------------------------------------------
}  # fmt: skip
