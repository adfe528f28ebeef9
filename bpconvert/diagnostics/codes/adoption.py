"""Taking over what runs: ``adopt``."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC671": Code("resource that is not taken over", "error", "exact", "'{name}' is not taken over: {why}",
        "Take it out of the template and of the stack before, or create it anew without 'adopt'.",
        "What is taken over must neither be created nor changed nor run again. Where that cannot be promised, nothing is written."),
    "BPC672": Code("record of what runs that cannot be used", "error", "exact", "{problem}",
        "Export the stack again when it is complete, or give the template that it was made from.",
        "The record lists the resources that exist. One that contradicts the template, or is about a stack that is not complete, would take over something else."),
    "BPC673": Code("value that is asked for as a secret", "warning", "approximated",
        "the text of '{name}' is the secret '{secret}'", "Create the secret with the text that the running stack has.",
        "The engine has drawn the text once. It is never written into a result; a secret of the manager has it."),
    "BPC674": Code("connection that is there already", "info", "rewritten",
        "'{name}' is not related to '{target}': both exist, and are connected", "Nothing to do.",
        "The plugin refuses a server that exists and is related to a port or network that it has already (resources/compute/server.py)."),
    "BPC675": Code("setting that would change what exists", "info", "rewritten",
        "'{setting}' of '{name}' is {done}", "Nothing to do; it is in the cloud as it was created.",
        "Of a few settings of resources that exist the plugin makes requests that change them, or refuses them."),
    "BPC676": Code("value of a hidden parameter", "warning", "exact",
        "the value of '{name}' is not written: it is hidden", "Give it when deploying.",
        "Values of hidden parameters stand in no file but those that they are asked for in."),
    "BPC678": Code("stand-in of something that runs", "warning", "carried",
        "'{name}' of type {type} stays with its engine: the result has a stand-in for it",
        "Keep it in a stack of its own, or create its counterpart by hand.",
        "What has no counterpart cannot be taken over. It goes on to exist; whoever deletes the stack deletes it."),
    "BPC691": Code("work that has been done", "warning", "exact",
        "what '{name}' does has been done: it is not in the result",
        "Write it into the result if it has to be done again, at an update for instance.",
        "Programs on machines are not run again, and signals are not waited for again. Machines that ask the first engine for their programs go on asking there."),
    "BPC692": Code("output that is left out", "warning", "approximated",
        "output '{name}' is left out: it reads what is not done again", "Read it from the stack that runs.",
        "What a program yielded is known to the engine that ran it alone."),
    "BPC693": Code("part that is left out", "info", "exact",
        "'{name}' of '{owner}' is left out: nothing records which it is", "Nothing to do; it stays a part of what exists.",
        "Nova makes the port of a server that names only a network. Heat keeps its id for some of them alone."),
    "BPC694": Code("programs of another stack", "warning", "exact",
        "'{name}' is adopted as done: its machine goes on asking the stack that has made it", "Let machines ask the new stack before its programs change.",
        "A machine asks for its programs where it was made to ask when it was created."),
}  # fmt: skip
