"""Diagnostics of reading TOSCA service templates, their imports and their archives; part of the registry in
:mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC850": Code("unknown version of TOSCA", "warning", "approximated",
        "no engine takes the version '{version}'; it is read as {like}",
        "Write a version of the standard, and check what is not of that version.",
        "Drafts and the dialects of single engines (Alien4Cloud, vintner, unfurl) have extensions; what is not of the standard is reported."),
    "BPC851": Code("topology of an imported file", "warning", "carried",
        "the topology in '{name}' is no part of this one", "Convert the file by itself, or copy its nodes.",
        "The standard imports definitions of types. One engine merges an imported topology, others ignore or refuse it."),
    "BPC852": Code("types unknown", "warning", "carried", "the types of '{name}' are unknown: {why}",
        "Read its URL from a checkout with --map URL=DIR, or put the file beside the document and import it from there.",
        "Nothing is fetched. Of a type that is not known, nobody knows its parents, the defaults of its properties and its operations.", causes="types"),
    "BPC853": Code("constraint that is not checked", "warning", "carried",
        "the constraints of '{name}' are not converted: {why}", "Check given values by hand.",
        "Functions that compute a condition, and constraints of single engines, have no counterpart."),
    "BPC854": Code("part of a document that is not converted", "warning", "carried", "{what} is not converted: {why}",
        "Do by other means what it does for the deployment.",
        "The target has nothing of the kind."),
    "BPC855": Code("archive that is not read", "error", "carried", "the archive is not read: {problem}",
        "Make it anew, with Entry-Definitions in TOSCA-Metadata/TOSCA.meta.",
        "An archive has TOSCA-Metadata/TOSCA.meta, which names the service template, or one YAML file at its root. Encrypted ones, links, names that lead out of it, and files that unpack to far more than they should are refused. Nothing is unpacked to disk."),
    "BPC856": Code("unknown type", "error", "exact", "there is no {kind} '{name}'{guess}",
        "Correct the name, or import the file that defines the type.",
        "Engines refuse a type that neither the standard nor the document and its imports define."),
    "BPC857": Code("requirement that is not fulfilled", "warning", "exact",
        "'{node}' names nothing that fulfils its requirement '{name}'", "Name a node for it.",
        "Engines refuse a node without what its type requires, but for one that looks for a node that fits."),
    "BPC858": Code("unknown requirement", "warning", "exact", "{type} has no requirement '{name}'{guess}",
        "Correct the name.",
        "Some engines refuse a requirement that the type does not have, others take it for an order."),
    "BPC859": Code("software of which nothing runs", "info", "carried",
        "'{name}' ({type}) has no operation: nothing of it is created",
        "Give it an operation if something is to be installed.",
        "What depends on it waits for what it depends on."),
    "BPC861": Code("types of the standard", "info", "exact", "the types of '{name}' are those of the standard",
        "Nothing to do.", "They are known; nothing is fetched."),
    "BPC882": Code("profile that is not there", "warning", "exact", "'{name}' is not read: {why}; its types are known",
        "Put the file beside the service template: 'bpconvert types --format tosca' prints it.",
        "What the types of OpenStack's resources mean is known from their names. Engines need the file."),
    "BPC880": Code("what was kept is damaged", "warning", "approximated",
        "what this metadata kept cannot be read", "Convert the source again, or take the metadata out.",
        "A conversion keeps here, as JSON, what the language has no words for. Without it the document means what is written in it only."),
    "BPC878": Code("version that is a number", "warning", "approximated",
        "'{name}: {text}' without quotes is the number {value}", "Write \"{text}\", in quotes, if that is the version.",
        "YAML reads a version of two parts as a number, and a number has no zeros at its end: 1.10 is 1.1. Engines do the same."),
    "BPC893": Code("node that nothing substitutes", "warning", "carried",
        "'{node}' of type {type} is to be substituted, and {why}", "Import the service template whose substitution_mappings have this type.",
        "An orchestrator looks for a topology that stands for the node. Known here are those of imported documents; where one does not fit, or several do, there is only a stand-in for the node."),
}  # fmt: skip
