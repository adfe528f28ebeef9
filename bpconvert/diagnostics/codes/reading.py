"""Diagnostics of reading any document: its text, its language, and what its own engine would refuse; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC101": Code("not YAML", "error", "carried", "{problem}", "Correct the text at this place.",
        "No scanner that the engines use accepts the text."),
    "BPC102": Code("duplicate key", "warning", "exact", "key '{key}' occurs twice; the last one wins, as in the engine",
        "Delete one of the two.",
        "Both engines silently keep the last value of a repeated key; so does the conversion."),
    "BPC103": Code("several documents", "error", "carried", "a second YAML document begins here",
        "Put each document in a file of its own.", "Both engines read exactly one document from a file."),
    "BPC104": Code("unknown tag", "error", "carried", "the tag '{tag}' is unknown to the engines",
        "Delete the tag, or quote the text.",
        "Both engines read with PyYAML's SafeLoader, which knows the tags of YAML 1.1 (!!str, !!int, ...) and no others."),
    "BPC105": Code("anchor or alias that leads nowhere", "error", "carried", "{problem}",
        "Correct the anchor or the alias.",
        "An alias needs one finished anchor before it, and an anchor's name may be given once. The engines refuse the first and the last; a value that contains itself cannot be written in a template."),
    "BPC106": Code("not a value", "error", "carried", "{problem}", "Quote the text if text is meant.",
        "The text is YAML, but both engines fail to make a value of it."),
    "BPC107": Code("not text", "error", "carried", "{problem}",
        "Save the file as UTF-8 text without control characters.",
        "YAML is UTF-8 text, or UTF-16 with a byte order mark, and has no control characters but tab and line breaks."),
    "BPC120": Code("refused by the source engine, left out", "error", "carried", "{problem}",
        "Correct the template; the engine it was written for refuses it too.",
        "The template has a mistake that its engine refuses. The fragment is not converted, everything else is."),
    "BPC121": Code("refused by the source engine", "error", "exact", "{problem}",
        "Correct the template; the engine it was written for refuses it too.",
        "The template has a mistake that its engine refuses, but what it means is clear and is converted."),
    "BPC130": Code("DSL version too low", "error", "exact",
        "cloudify_dsl_{wanted} cannot say {reason}; cloudify_dsl_{needed} is written",
        "Ask for {needed} or leave --dsl-version out.",
        "The blueprint needs something that the requested DSL version does not have."),
    "BPC131": Code("another language", "error", "carried", "this is no {title} document: {what}",
        "Name the right command for this file.", "Every language is known by its version key."),
    "BPC190": Code("template for the layout fails", "error", "exact", "{problem}",
        "Correct the template in the folder of --templates.",
        "The text of the result is laid out by jinja2 templates. One that was given with --templates cannot be compiled or fails; it runs in a sandbox, where undefined names, changes of the data and access to Python's internals are errors."),
}  # fmt: skip
