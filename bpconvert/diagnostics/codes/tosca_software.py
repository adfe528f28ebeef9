"""Diagnostics of TOSCA's software, policies, groups and nesting; part of the registry in
:mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC830": Code("property of software", "info", "carried",
        "property '{name}' of '{node}' is only used where something refers to it",
        "Nothing to do unless a program outside of the template looks at it.",
        "Software is its operations and their order in other languages. References to the property have its value."),
    "BPC832": Code("artifact that no operation runs", "warning", "carried",
        "artifact '{name}' of '{node}' is not used by any operation",
        "Put the file to where it is needed by hand, or let an operation do so.",
        "Other languages have no files beside those that operations run and that values name."),
    "BPC831": Code("operation that is not run", "warning", "carried",
        "operation {name} of '{node}' is not run: {why}",
        "Run it by hand, or let the program be a file beside the document.",
        "Operations of the interfaces of both languages run files on the servers of the template. Everything else is for a single engine."),
    "BPC833": Code("setting of an operation", "warning", "carried",
        "'{name}' of the operation has no counterpart", "Check whether the program needs it.",
        "Files that a program needs beside itself, limits of time and other hosts than the node's are matters of one engine."),
    "BPC834": Code("program that is not there", "warning", "approximated",
        "'{name}' cannot be read; '{place}' stands for it, which fails",
        "Put the program in the place of '{place}'.",
        "The engine refuses operations whose files are not there. What stands for the program says so and fails, so that nothing seems to be installed."),
    "BPC844": Code("output of an operation", "warning", "approximated",
        "'{name}' of '{node}' is a runtime property, which the program of the operation has to set",
        "Let the program set it: ctx instance runtime-properties {name} VALUE.",
        "How a program publishes a value is a matter of the engine that runs it."),
    "BPC845": Code("program for another tool", "warning", "approximated",
        "'{name}' is run by {tool}, which the script plugin does not know",
        "Let the plugin for {tool} run the file, or a script that calls it.",
        "The file is part of the bundle and named by the operation. Its first line decides what runs it."),
}
