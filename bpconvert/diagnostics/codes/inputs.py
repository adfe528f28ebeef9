"""Diagnostics of inputs and outputs, and of values given for them; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC501": Code("structure as an input", "info", "approximated",
        "a json parameter takes any structure, the input only a {type}", "Nothing to do.",
        "The type is taken from the default."),
    "BPC502": Code("part of a declaration without counterpart", "info", "carried", "{what} has no counterpart",
        "Nothing to do; values are checked less strictly.",
        "The DSL has no such constraint or key. Valid values mean the same; some invalid ones are not refused before deployment."),
    "BPC504": Code("default of the wrong type", "error", "carried",
        "the default does not fit and is left out: {problem}", "Correct the default.",
        "Heat refuses the template too."),
    "BPC505": Code("hidden input without default", "info", "carried", "'{name}' has no default, so it cannot be hidden",
        "Nothing to do.", "The parser refuses a hidden input that has to be given."),
    "BPC506": Code("default that cannot be written", "warning", "carried",
        "the default of '{name}' cannot be written in a blueprint; it is in the inputs file",
        "Deploy with the inputs file.",
        "The parser refuses non-ASCII characters in every string, but values given when deploying may have them."),
    "BPC507": Code("output without a value", "info", "carried", "output '{name}' is null; it has no counterpart",
        "Nothing to do.", "A null value counts as missing."),
    "BPC508": Code("number as an index", "info", "approximated",
        "'{name}' selects a place in a list, so only whole numbers are accepted", "Nothing to do.",
        "get_param of a place that is no whole number is an empty text, get_input refuses it."),
    "BPC509": Code("value as Heat reads it", "info", "rewritten",
        "written as {value!r}, which is what Heat makes of it", "Nothing to do.",
        "Heat converts the values of a parameter to its type; Cloudify takes them as they are."),
    "BPC510": Code("default that looks like a call", "warning", "carried",
        "the default of '{name}' has a map that {target_engine} takes for a call; it is left out",
        "Give '{name}' another form when deploying.",
        "The DSL has no way to write a literal map whose only key is the name of a function; given values are evaluated too."),
    "BPC511": Code("hidden parameter", "info", "approximated",
        "{source_engine} masks the value of '{name}', {target_engine} leaves the input out of the deployment's form",
        "Use a secret for what nobody may see.",
        "hidden of a HOT parameter shows asterisks instead of the value; hidden of an input takes it out of the user interface, and whoever may see the deployment sees the value."),
    "BPC512": Code("value refused", "error", "carried",
        "the value given for '{name}' is refused: {problem}; it stays open",
        "Give a value that its type and constraints take.",
        "A parameter was to be decided, but the engine would not accept the value."),
    "BPC513": Code("no such parameter", "warning", "exact",
        "a value is given for '{name}', which this document does not have",
        "Correct the name, if it is meant for this document.",
        "Of several documents each takes the values that it has parameters for."),
    "BPC514": Code("decided", "info", "rewritten", "'{name}' is decided: its value stands where it was used",
        "Nothing to do.",
        "The document is specialised for the values given: conditions are decided and values computed."),
    "BPC515": Code("no values of parameters", "error", "carried", "{problem}", "Write one map of names and values.",
        "A file of --params-file is a map of names and values, a file of inputs, or a Heat environment."),
}  # fmt: skip
