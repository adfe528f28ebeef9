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
    "BPC835": Code("policy without an effect", "warning", "carried",
        "policy '{name}' of type {type} has no effect: {why}", "Do by hand what it asks for.",
        "Policies are for an orchestrator. Where servers are to be placed and how many there are, other engines can be asked for; the rest they cannot."),
    "BPC836": Code("group without an effect", "info", "carried", "group '{name}' has no effect",
        "Nothing to do unless a tool looks for it.",
        "A group of nodes is only a name for them, unless a policy is about it."),
    "BPC837": Code("workflow that nothing runs", "warning", "carried",
        "workflow '{name}' has no counterpart", "Do its steps by hand, or write them for the engine.",
        "Engines have workflows of their own that install and remove; those of a service template are for its orchestrator."),
    "BPC838": Code("substitution of nodes", "info", "carried",
        "that the topology stands for nodes of type {type} has no effect here", "Nothing to do.",
        "Which node of another document a topology replaces is decided by an orchestrator that has both."),
    "BPC839": Code("trigger that nothing fires", "warning", "carried",
        "trigger '{name}' of policy '{policy}' has no counterpart", "Write an alarm for the engine.",
        "A trigger names an event of an orchestrator and what to do then. No other engine has the same events."),
    "BPC840": Code("target of a policy", "warning", "approximated",
        "policy '{policy}' has no effect on '{name}'", "Check where it has to be.",
        "A server group has servers that are created with it as their only group."),
    "BPC844": Code("output of an operation", "warning", "approximated",
        "'{name}' of '{node}' is a runtime property, which the program of the operation has to set",
        "Let the program set it: ctx instance runtime-properties {name} VALUE.",
        "How a program publishes a value is a matter of the engine that runs it."),
    "BPC845": Code("program for another tool", "warning", "approximated",
        "'{name}' is run by {tool}, which the script plugin does not know",
        "Let the plugin for {tool} run the file, or a script that calls it.",
        "The file is part of the bundle and named by the operation. Its first line decides what runs it."),
}
