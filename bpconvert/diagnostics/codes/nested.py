"""Diagnostics of nested templates; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC760": Code(
        "document that nests itself", "error", "carried", "'{name}' nests itself: {way}", "Break the circle; the engine refuses it too.",
        "A document that is part of itself has no end. The resource or node is a stand-in."),
    "BPC761": Code(
        "nested document not converted", "error", "carried", "'{name}' cannot be converted: {problem}", "Correct the file.",
        "The nested file is no document of the source's language, or is broken. The resource or node is a stand-in."),
    "BPC762": Code(
        "nested document missing on the way back", "warning", "carried",
        "'{name}' is not beside the document, so '{original}' does not come back",
        "Put '{name}' beside the document and convert again.",
        "Each nested document carries what it was made from. The document itself comes back, but without this file."),
    "BPC763": Code(
        "property that the nested template does not have", "error", "carried", "'{file}' has no parameter '{name}'",
        "Correct the template; Heat refuses it too.",
        "The properties of a nested template are its parameters. The value is not given to the blueprint."),
    "BPC764": Code(
        "required input not given", "error", "carried", "'{file}' needs a value for '{name}'",
        "Give the value; the engine refuses the document too.",
        "A parameter or an input without a default has to be given by the document that nests the file."),
    "BPC765": Code(
        "nested template as a deployment of its own", "warning", "approximated",
        "'{name}' is a deployment of the blueprint '{id}', which is '{file}'",
        "Upload it before you deploy: cfy blueprints upload -b {id} {file}",
        "A nested stack is a component: a deployment that is created, installed and removed with this one. The manager has to have its blueprint; the name of the blueprint changes with its content."),
    "BPC766": Code(
        "input handed on to a nested document", "warning", "approximated",
        "'{file}' asks for '{name}', which the input '{input}' of this document gives it",
        "Give the value when deploying.",
        "The converted file needs a value that its source did not ask for. The document that nests it asks for the value in its place."),
    "BPC767": Code(
        "value that does not fit the nested parameter", "error", "carried", "'{name}' of '{file}' is refused: {problem}",
        "Correct the template; Heat refuses it too.",
        "A property of a nested template has to have the type of the parameter. The value is not given to the blueprint."),
    "BPC768": Code(
        "nested parameter of another type", "warning", "approximated",
        "'{name}' of '{file}' takes a {type} and gets a {given}; {source_engine} converts the value, {target_engine} does not",
        "Give a {type}.",
        "Heat makes a value what the parameter's type is. A deployment's inputs have to have the right type already."),
    "BPC769": Code(
        "not said about a nested deployment", "info", "approximated", "'{name}' is not in the template: {why}", "Nothing to do.",
        "Heat names and runs nested stacks by itself. The setting is kept in the metadata."),
    "BPC770": Code(
        "part of an environment without a use here", "info", "approximated", "'{name}' of the environment is not used: the values are given when deploying",
        "Give the values as inputs when deploying, or decide them now with --params-file.",
        "Of an environment file the resource_registry says what types mean. Parameters belong to a deployment."),
    "BPC771": Code(
        "type of the environment", "info", "rewritten", "'{type}' is '{other}': the environment says so", "Nothing to do.",
        "The resource_registry of an environment maps the name of a type to a template file or to another type."),
    "BPC772": Code(
        "mistake in an environment", "error", "carried", "{problem}", "Correct the environment; Heat refuses it too.",
        "An environment is a map with parameters, parameter_defaults and resource_registry."),
    "BPC773": Code(
        "stack without a template file", "warning", "carried", "'{name}' is not converted: {why}",
        "Put the template into a file and refer to it with get_file.",
        "A stack becomes a component when its template is a file beside this one. Else the resource is a stand-in."),
    "BPC774": Code(
        "component without a blueprint here", "info", "carried", "the blueprint of '{name}' is not converted: {why}",
        "Put the blueprint beside this one and name it with main_file_name or blueprint_archive, or write an OS::Heat::Stack.",
        "A component becomes a nested template when its blueprint is a file below this one's folder. Else the node is a stand-in."),
    "BPC775": Code(
        "deployment of its own as a nested template", "info", "approximated", "'{name}' is the nested template '{file}'",
        "Keep the file beside the template.",
        "A component is a deployment that is created, installed and removed with this one; Heat does so with a nested stack."),
    "BPC776": Code(
        "input that the nested blueprint does not have", "error", "carried", "'{file}' has no input '{name}'",
        "Correct the blueprint; Cloudify refuses it too.",
        "A deployment is only given the inputs that its blueprint has. The value is not in the template."),
    "BPC778": Code(
        "time limit of a nested stack", "info", "approximated", "the limit is that of starting the deployment, in seconds",
        "Nothing to do.",
        "Heat's limit in minutes covers the whole stack. The component has one for its start operation."),
    "BPC779": Code(
        "required parameter of a nested template", "warning", "approximated",
        "nothing here gives '{name}' of '{file}' a value; it is asked for as input '{input}'",
        "Give the value when deploying.",
        "Heat refuses a nested template without a required parameter, unless the environment's parameter_defaults have it, which reach all nested stacks."),
}  # fmt: skip
