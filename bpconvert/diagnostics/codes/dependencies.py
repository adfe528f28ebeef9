"""Diagnostics of dependencies, conditions and instances on the way to Cloudify; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC401": Code("conditional resource always created", "warning", "carried", "'{name}' is created always: {reason}",
        "Remove the node from the blueprint, or give the condition a form that compares inputs.",
        "The condition has no form in Cloudify."),
    "BPC402": Code("conditional resource", "info", "rewritten", "'{name}' has 1 or 0 instances, by its condition",
        "Nothing to do.", "A node with no instances is not deployed."),
    "BPC403": Code("dependency left out", "warning", "approximated",
        "the dependency of '{source}' on '{target}' would close a circle and is left out",
        "Check the order of deployment.",
        "Absorbed resources can turn a dependency around; Cloudify accepts no circles."),
    "BPC404": Code("second relationship to one node", "warning", "approximated",
        "a second relationship ({type}) to '{target}' is left out", "Check whether both are needed.",
        "Of two relationships to the same target a node instance keeps only the last."),
    "BPC405": Code("order kept by a barrier", "info", "rewritten",
        "'{source}' waits for '{target}' through '{barrier}'", "Nothing to do.",
        "Any relationship between these types is an instruction to the OpenStack plugin, so mere order goes through a node between."),
    "BPC406": Code("conditional output always there", "warning", "carried", "output '{name}' is there always: {reason}",
        "Nothing to do if that does not matter.", "The condition has no form in Cloudify."),
    "BPC407": Code("value that is not there yet", "warning", "approximated",
        "'{source}' uses a value of '{target}', but waiting for it would close a circle: the value is null when '{source}' is created",
        "Take the value out of '{source}', or take the resources apart.",
        "Absorbed resources can turn a dependency around; Cloudify accepts no circles, and a value of a node that does not exist yet is null."),
}  # fmt: skip
