"""Diagnostics of TOSCA service templates; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC801": Code("type without a counterpart in TOSCA", "warning", "carried",
        "'{name}' of type {type} became a node that creates nothing", "Replace the node by what creates the resource.",
        "No node type is known for it. A visible node shows its type and properties, with references translated."),
    "BPC802": Code("type without a counterpart in TOSCA, with a known loss", "warning", "carried",
        "'{name}' of type {type} became a node that creates nothing: {lost}", "{todo}",
        "No node type is known for it. A visible node shows its type and properties, with references translated."),
    "BPC803": Code("condition kept, without effect", "warning", "carried",
        "TOSCA has no conditions: '{name}' is there in any case", "Delete the entry where it must not be created.",
        "The condition is kept in the metadata, and has its meaning again on the way back."),
    "BPC804": Code("existing resource kept, without effect", "warning", "carried",
        "TOSCA has no word for a resource that exists already: '{name}' would be created",
        "Write its id where it is used.",
        "The id is kept in the metadata, and has its meaning again on the way back."),
    "BPC805": Code("data that looks like a call of TOSCA", "warning", "carried",
        "a map with the only key '{name}' would be a call in TOSCA; written as JSON text",
        "Read the text as JSON where the value is used.",
        "TOSCA has no way to write a literal map whose only key is the name of a function."),
    "BPC806": Code("key kept, without effect", "warning", "carried", "TOSCA has no place for '{name}'",
        "Check whether it is needed.",
        "It is kept in the metadata, and has its meaning again on the way back."),
    "BPC807": Code("default kept, without effect", "warning", "carried",
        "the default of input '{name}' is computed, which engines read differently; the input has to be given",
        "Give the value of '{name}' when deploying.",
        "It is kept in the metadata, and has its meaning again on the way back."),
    "BPC808": Code("constraint kept, without effect", "warning", "carried",
        "TOSCA has no constraint '{name}' of this form", "Check given values by hand.",
        "It is kept in the metadata, and has its meaning again on the way back."),
    # -- 87x-88x what is written -----------------------------------------------------------------------------------
    "BPC871": Code("what only the source's engine knows is asked for", "warning", "carried",
        "{what}: asked for as input '{input}'", "Give the value of '{input}' when deploying.",
        "TOSCA has no function for a secret or a fact about the deployment. One input asks for it; the call is kept in the metadata."),
    "BPC872": Code("number in a text", "warning", "approximated",
        "'concat' is given a number: some engines of TOSCA refuse that, and write numbers with a point in different ways",
        "Give the number as a text.",
        "'concat' takes texts (Simple Profile 1.3, 4.3.1). puccini writes a number as JavaScript does, opera refuses it."),
    "BPC873": Code("input takes whole numbers", "info", "approximated",
        "'{name}' is an integer in TOSCA: numbers with a point are refused", "Change the type to 'float' for others.",
        "TOSCA has no type for numbers of both kinds: engines refuse a whole number for a float. Nothing in the source has a point."),
    "BPC874": Code("type of the default", "info", "approximated",
        "the default of input '{name}' is not of its type; the input is of type {type}",
        "Change the type and the default if others are to be given.",
        "Engines of TOSCA refuse a default that is not of the input's type. The source's engine does not look at it."),
    "BPC875": Code("number or boolean as a text", "info", "rewritten",
        "input '{name}' ({type}) is a text in TOSCA: it is used in texts only", "Nothing to do.",
        "Engines of TOSCA write numbers and booleans into texts in different ways. A constraint sees to it that the text is one that the source's engine would write."),
    "BPC885": Code("capability of the deployment renamed", "info", "rewritten", "'{name}' is called '{new}' in TOSCA",
        "Nothing to do.", "A service template has outputs only, and there is one of that name."),
}  # fmt: skip
