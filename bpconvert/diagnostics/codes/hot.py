"""Diagnostics of writing HOT; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import BACK, Code

CODES: Final[dict[str, Code]] = {
    # -- 23x-25x functions (FUNCTIONS) -----------------------------------------------------------------------
    "BPC230": Code(
        "value to be given when deploying", "warning", "carried",
        "not converted, asked for as parameter '{parameter}': {reason}",
        "Give the value of '{parameter}' when deploying, or write the expression in the template by hand.",
        "Heat cannot compute the value. It is a required parameter of the template, so that nothing is deployed with a wrong value."),
    "BPC231": Code(
        "call kept as data", "info", "carried", "not converted, kept as data of the stand-in: {reason}",
        "Nothing to do: no resource uses the value.",
        "Heat cannot compute the value, and the resource is a stand-in that creates nothing. The call stands there as data, which Heat does not evaluate."),
    "BPC232": Code(
        "value replaced by a visible text", "warning", "carried", "not converted, written as text: {reason}",
        "Write the value by hand if it is needed.",
        "Heat cannot compute the value and no resource uses it. The call stands in its place as JSON text."),
    "BPC233": Code(
        "said in other words", "info", "rewritten", "'{name}' is written as {how}", "Nothing to do.",
        "Both engines compute the same value. The call is kept in the metadata."),
    "BPC234": Code(
        "secret as parameter", "info", "approximated", "the secret '{name}' is the hidden parameter '{parameter}'",
        "Give the secret's value when deploying.",
        "Heat has no store of secrets. A hidden parameter is not shown, and stands for the secret."),
    "BPC235": Code(
        "computed", "info", "rewritten", "'{name}' was computed: everything it needs is in the blueprint", "Nothing to do.",
        "The arguments are known, so the result is written. The call is kept in the metadata."),
    "BPC236": Code(
        "Cloudify refuses to compute this", "error", "carried", "{problem}", "Correct the blueprint; Cloudify refuses it too.",
        "The arguments are known, and Cloudify's function raises an error for them."),
    "BPC237": Code(
        "data that looks like a call", "info", "rewritten", "a map with the only key '{name}' would be a call in {target_engine}; written with 'map_replace'", "Nothing to do.",
        "Heat takes a map whose only key is the name of a function for a call. The map is written with another key, which map_replace exchanges when it is too late to be a call.", BACK),
    "BPC238": Code(
        "assumed to be a text", "info", "approximated",
        "assumed to yield a text, a number or a boolean; Heat writes other values as JSON, concat as Python",
        "Check that the value is never a list, a map or null.",
        "The kind of a value inside a text is only known at run time. For texts, numbers and booleans both engines write the same."),
    "BPC239": Code(
        "computed default", "info", "approximated",
        "the default of '{name}' is said where '{name}' is used and not given; an empty value counts as not given",
        "Nothing to do unless an empty value is to be given.",
        "Heat evaluates no functions in defaults. The parameter has an empty default, and a condition tells whether it was given."),
    "BPC240": Code(
        "attribute of a stand-in", "warning", "approximated", "'{node}' is a stand-in without attributes: '{name}' is null",
        "Replace the stand-in, or write the value by hand.",
        "The node's type has no counterpart. Its stand-in takes get_attr of any attribute and yields null."),
    "BPC241": Code(
        "attribute read from the properties", "info", "approximated",
        "attribute '{name}' of '{node}' is written as the value of the property of that name",
        "Check that nothing sets the runtime property '{name}'.",
        "get_attribute gives the property where there is no runtime property of that name, and Heat has no such attribute."),
    "BPC242": Code(
        "property that cannot be read", "error", "carried", "{problem}", "Correct the blueprint; Cloudify refuses it too.",
        "get_property names a property that the node does not have, or one that refers to itself."),
    "BPC243": Code(
        "one of several instances", "warning", "approximated", "'{name}' has several instances; this is the value of the first",
        "Check which instance is meant.",
        "Cloudify chooses the instance that is related to the one that asks; a resource group does not."),
    "BPC244": Code(
        "type of a result not checked", "info", "approximated", "nothing checks that the result is of type {type}", "Nothing to do.",
        "The DSL takes a type beside a call, and refuses results of other types when deploying. HOT has no such check."),
    "BPC245": Code(
        "condition to be given when deploying", "warning", "carried",
        "condition not converted, asked for as parameter '{parameter}': {reason}",
        "Give true or false for '{parameter}' when deploying.",
        "A condition of HOT compares parameters only."),
    "BPC246": Code(
        "computed default that nothing uses", "info", "carried",
        "the default of '{name}' is computed, and nothing uses '{name}': the parameter has an empty default",
        "Nothing to do.",
        "Heat evaluates no functions in defaults. They are said where the parameter is used; this one is not used."),
    "BPC247": Code(
        "default that Heat cannot know", "info", "approximated",
        "the default of '{name}' is {what}; {then}", "Give '{name}' when deploying if its value matters.",
        "The default is a value of the Cloudify manager. The parameter has no default, or an empty one where no resource needs it; that of a secret is hidden."),
    "BPC248": Code(
        "name instead of an id", "warning", "approximated",
        "this is the name of '{name}', which exists already; its id is not known", "Write the id where an id is needed.",
        "The blueprint names an existing resource, and Cloudify looks its id up. Most properties of Heat's resources take a name as well as an id; elsewhere (in texts, outputs, the inputs of scripts) the name stands as it is."),
    "BPC249": Code(
        "id of the deployment", "info", "approximated", "the id of a stack is a UUID, that of a deployment the text that its user chose",
        "Use the stack's name (OS::stack_name) if a readable text is meant.",
        "Both identify what was deployed, but they look different."),
    # -- 38x resources (LOWER) -------------------------------------------------------------------------------
    "BPC377": Code(
        "node that only its deployments do something for", "warning", "carried",
        "{type} has no counterpart; deployments run some operations of '{name}', the others are not run",
        "Do by other means what the other operations do.",
        "The scripts of the node run as software deployments on a server. Its other operations stand in the stand-in as data."),
    "BPC378": Code(
        "images with the Heat agent", "warning", "approximated",
        "scripts run on {servers}: the image needs the Heat agent", "Use an image with the Heat agent (os-collect-config and its hook for scripts).",
        "Cloudify installs its agent on a server or comes by SSH; Heat waits for the agent of the image to report that a script has run. Without it, the deployment never ends."),
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
        "A property that is null counts as not given in Cloudify. Heat would take null for an empty value, 0 or false."),
    "BPC387": Code(
        "circle of references", "warning", "approximated", "'{name}' cannot wait for '{target}', of which it uses a value: {instead}",
        "Check the use of this value.",
        "Cloudify looks runtime values up when they are needed; Heat makes a resource wait for all whose values it uses, and accepts no circles."),
    "BPC388": Code(
        "circle of dependencies", "warning", "approximated", "the dependency of '{name}' on '{target}' would close a circle and is left out",
        "Check the order of deployment.", "Heat makes a resource wait for all whose values it uses, and accepts no circles."),
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
        "Heat agent that has to be set up", "warning", "approximated", "the Heat agent on '{name}' has to be set up by hand: {why}",
        "Set up the agent; no deployment on the server ends before.",
        "Deployments reach a server through the agent, which is configured by the server's user data of format SOFTWARE_CONFIG."),
    "BPC395": Code(
        "value in the environment of a script", "info", "approximated", "input '{name}' may be written in another way in the script's environment",
        "Check how the script reads it.",
        "Cloudify's script plugin writes true, false, lists and maps as JSON; the Heat agent writes them as Python does."),
    "BPC396": Code(
        "setting of an operation", "info", "carried", "'{name}' of the operation has no counterpart", "Nothing to do.",
        "Heat does not repeat a deployment; its agent runs the script on the server itself, as root."),
    "BPC397": Code(
        "required property asked for", "warning", "approximated",
        "{type} needs a {property}, which '{name}' does not have; parameter '{parameter}' asks for it",
        "Give the parameter, or write the property.",
        "The OpenStack plugin does without the property or finds it in another place; Heat refuses a resource without it."),
    "BPC398": Code(
        "node that creates nothing itself", "info", "rewritten", "'{name}' ({type}) is an OS::Heat::None: {what}", "Nothing to do.",
        "Heat needs a resource that others can wait for."),
    "BPC399": Code(
        "variable that Heat sets itself", "warning", "approximated", "Heat gives scripts a variable '{name}' of its own, which replaces this one",
        "Give the variable another name here and in the script.",
        "Heat adds variables to each deployment whose names begin with deploy_: the server, the action, the stack, and how to signal the end. The agent takes them over inputs of the same name. Some are only set for certain ways of signalling."),
    # -- 53x parameters and outputs (LOWER) ------------------------------------------------------------------
    "BPC530": Code(
        "input without a type", "info", "approximated", "nothing says of what type '{name}' is: it is a {type}",
        "Correct the type if other values are meant.",
        "A parameter needs a type. An input without one takes any value; a text is what most are given."),
    "BPC531": Code(
        "part of an input without counterpart", "info", "carried", "{what} has no counterpart",
        "Nothing to do; values are checked less strictly.",
        "HOT has no such constraint or key for a parameter of this type, or refuses the default because of it. Valid values mean the same; some invalid ones are not refused."),
    "BPC532": Code(
        "default as a text", "info", "approximated", "'{name}' stays a text, and so does its default; it is used in texts only",
        "Nothing to do.",
        "The default is no text in the blueprint. In a text it reads the same, and as a text the parameter takes all that the input took."),
    "BPC533": Code(
        "default of the wrong type", "error", "carried", "the default does not fit and is left out: {problem}",
        "Correct the default.", "Heat cannot read it as the parameter's type."),
    "BPC534": Code(
        "type narrowed to that of the default", "warning", "approximated",
        "'{name}' takes only {values} now, like its default", "Change the type and the default if texts are to be given.",
        "The type of an input takes more than it says, and Cloudify leaves the values as they are. A text parameter would make text of the default, and other values than those of the default's type are now refused or changed."),
    "BPC535": Code(
        "type taken from the default", "info", "approximated", "nothing says of what type '{name}' is: it is a {type}, like its default",
        "Correct the type if other values are meant.",
        "A parameter needs a type. An input without one takes any value; most that are given are like the default."),
    "BPC536": Code(
        "optional number or boolean", "info", "approximated", "'{name}' is a json parameter in the template, so that it need not be given; it is a {type}",
        "Give a {type}, or nothing.",
        "A parameter of HOT that is a number or a boolean cannot be empty. json takes the empty text, but any other value as well."),
    "BPC537": Code(
        "hidden input", "info", "approximated", "{source_engine} leaves '{name}' out of the deployment's form, {target_engine} masks its value", "Nothing to do.",
        "hidden of an input takes it out of the user interface; hidden of a HOT parameter shows asterisks instead of the value.", BACK),
    "BPC538": Code(
        "capability as an output", "info", "rewritten", "capability '{name}' is output '{output}'", "Nothing to do.",
        "HOT publishes all values of a stack as outputs."),
    "BPC540": Code(
        "HOT version too low", "error", "exact",
        "heat_template_version {wanted} cannot say {reason}; {needed} is written",
        "Ask for {needed} or leave --hot-version out.",
        "The template needs something that the requested version does not have."),
    "BPC541": Code(
        "value as Heat reads it", "info", "rewritten", "written as {value!r}, which is what Heat makes of it", "Nothing to do.",
        "Heat converts the values of a parameter to its type; Cloudify takes them as they are."),
    "BPC542": Code(
        "parameter that nothing needs", "info", "approximated", "{what}: '{name}' has an empty default and need not be given",
        "Nothing to do, or take the parameter out.",
        "What the input was for is not in the template, the credentials for instance. Cloudify requires a value, Heat does not need one. Constraints that the empty default breaks are left out."),
    "BPC543": Code(
        "constraint of an optional input", "warning", "carried", "the constraint '{name}' is left out: the {type} is a json parameter, so that it need not be given",
        "Give values that fulfil it.",
        "A parameter of HOT that is a number or a boolean cannot be empty. json takes the empty text, but has no such constraint."),
    # -- 60x names (LOWER) -----------------------------------------------------------------------------------
    "BPC606": Code(
        "renamed", "info", "rewritten", "'{name}' is called '{new}' in the template", "Nothing to do.",
        "Heat refuses '/' in the name of a resource, a resource that is called like a parameter, and parameters called OS::...; capabilities are outputs, whose names are in use already."),
}  # fmt: skip
