"""The diagnostics about types that have no counterpart by design (BPC790-799); part of the registry in
:mod:`bpconvert.codes`. What is lost and what to do are data: ``translators/catalogue/stand_ins.yaml``."""

from __future__ import annotations

from typing import Final

from bpconvert.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC790": Code(
        "type that Cloudify has nothing for", "warning", "carried",
        "{type} has no counterpart in Cloudify: {lost}; '{name}' is a stand-in node that creates nothing", "{todo}",
        "Nothing in Cloudify or its OpenStack plugin does what the resource does. The stand-in keeps it visible, its references checked and the order of deployment; it does nothing. The hint says what to do for this type."),
    "BPC791": Code(
        "type that Heat has nothing for", "warning", "carried",
        "{type} has no counterpart in Heat: {lost}; '{name}' is an OS::Heat::None that creates nothing", "{todo}",
        "Nothing in Heat does what the node does. The stand-in keeps it visible, its references checked and the order of deployment; it does nothing. The hint says what to do for this type."),
    "BPC792": Code(
        "resource that does nothing", "info", "rewritten", "'{name}' ({type}) is a stand-in node: {lost}", "Nothing to do.",
        "The resource is there to be seen and to order others. The stand-in node does the same."),
    "BPC793": Code(
        "text that looks like data", "info", "rewritten", "the text would be taken for data that is written as JSON; it is written as JSON itself",
        "Nothing to do.",
        "In a stand-in, data that would be a call in Cloudify is JSON text. A text that has this form already is written so that it is a text again on the way back."),
}
