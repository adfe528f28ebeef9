"""Diagnostics of functions on the way to Cloudify; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC201": Code(
        "value to be given when deploying", "warning", "carried",
        "not converted, asked for as input '{input}': {reason}",
        "Give the value of '{input}' when deploying, or write the expression in the blueprint by hand.",
        "Cloudify cannot compute the value. It is a required input of the blueprint, so that nothing is deployed with a wrong value; the expression itself is kept in the blueprint's metadata."),
    "BPC202": Code(
        "value replaced by a visible text", "warning", "carried", "not converted: {reason}",
        "Write the value by hand if it is needed.",
        "Cloudify cannot compute the value and no node uses it. A text 'not converted: ...' stands in its place."),
    "BPC203": Code(
        "assumed to be a text", "info", "approximated",
        "assumed to yield a text or a number; Heat writes other values as JSON, concat as Python",
        "Check that the value is never a list, a map or null.",
        "The kind of a value inside a text is only known at run time. For texts and numbers both engines write the same."),
    "BPC204": Code(
        "Heat refuses to compute this", "error", "carried", "{problem}",
        "Correct the template; Heat refuses it too.",
        "The arguments are known, and Heat's function raises an error for them."),
    "BPC205": Code(
        "data that looks like a call", "info", "approximated",
        "a map with the only key '{name}' would be a call in {target_engine}; written as JSON text",
        "Nothing to do: no node uses the value.",
        "The DSL has no way to write a literal map whose only key is the name of a function."),
    "BPC206": Code(
        "data that looks like a call, to be given", "warning", "carried",
        "a map with the only key '{name}' would be a call in {target_engine}; asked for as input '{input}'",
        "Give the value as input '{input}' in a form that is no call.",
        "The DSL has no way to write a literal map whose only key is the name of a function; given values are evaluated too."),
    "BPC207": Code(
        "comparison as text", "info", "approximated",
        "compared as texts; {source_engine} compares without conversion", "Check that both sides are written alike and of the same type.",
        "Cloudify compares the text forms of both values: 1 and '1' are equal there and 1 and 1.0 are not; in Heat it is the other way round."),
    "BPC208": Code(
        "no such resource", "error", "carried", "there is no resource '{name}'", "Correct the name.",
        "Heat refuses the template too."),
    "BPC209": Code(
        "key missing in the default", "info", "approximated",
        "the default of '{name}' has no such part: {source_engine} yields an empty text, which the blueprint's default now has",
        "Values given for '{name}' must have the part.",
        "get_param of a missing part is an empty text, get_input refuses it. The input's default got the empty text; a given value has to have it."),
    "BPC210": Code(
        "parameter not declared", "error", "approximated",
        "parameter '{name}' is not declared; it became a required input", "Declare the parameter.",
        "Heat refuses the template too."),
    "BPC211": Code(
        "pseudo parameter as input", "warning", "approximated",
        "{target_engine} does not know this; it is asked for as input '{input}'", "Give '{input}' when deploying.",
        "OS::project_id and OS::region have no counterpart among Cloudify's functions."),
    "BPC213": Code(
        "parts of a parameter", "info", "approximated",
        "values given for '{name}' must have all parts that the template takes of them", "Give complete values.",
        "get_param of a missing part is an empty text, get_input refuses it when deploying."),
    "BPC220": Code(
        "call that Heat refuses", "error", "carried", "{problem}", "Correct the call; Heat refuses it too.",
        "The function exists, but not with these arguments or not in this version or place."),
    "BPC221": Code(
        "part of a call without effect", "info", "exact", "{problem}", "Delete the part.",
        "Heat ignores it, so does the conversion."),
    "BPC222": Code(
        "computed", "info", "rewritten", "'{name}' was computed: everything it needs is in the template", "Nothing to do.",
        "Cloudify has no such function, but its arguments are known, so the result is written. The call is kept in the metadata."),
    "BPC223": Code(
        "said in other words", "info", "rewritten", "'{name}' is written as {how}", "Nothing to do.",
        "Both engines compute the same value. The call is kept in the metadata."),
    "BPC224": Code(
        "nested too deeply", "info", "approximated", "nested deeper than {target_engine} evaluates; written as JSON text", "Nothing to do: no node uses the value.",
        "The engine's evaluation of functions stops at 50 levels of nesting."),
    "BPC225": Code(
        "separator of a comparison", "info", "approximated", "compared as texts between '{fence}': the values given must not contain it", "Nothing to do if they do not.",
        "Cloudify finds one text in the other, with a separator around each; a value with that separator could be taken for another."),
    "BPC226": Code(
        "not given", "error", "carried", "{problem}", "Give it.",
        "A value was to be computed, but something that it needs was not given."),
    "BPC227": Code(
        "list as text", "info", "approximated",
        "made with the text that Python writes for the list '{name}': its items must have no quotes and no backslashes",
        "Nothing to do if they have none.",
        "Cloudify has no join. concat writes a list as Python does, string_replace makes of that what Heat writes. Items with an apostrophe, a quote, a backslash or an unprintable character are written by Python in another way."),
    "BPC228": Code(
        "part of a URL as it is", "warning", "approximated",
        "the URL's {part} is written as it is; Heat quotes it",
        "Check that it is not empty and has no characters that a URL quotes, and that a host is no IPv6 address.",
        "The value is only known when deploying, and Cloudify has no function that quotes. Heat leaves an empty part out, begins the path with a slash, and puts an IPv6 address in brackets."),
    "BPC229": Code(
        "package yaql missing", "warning", "carried", "'yaql' is not computed: the Python package yaql is not installed",
        "{install}, then try again: everything that the query needs is known.",
        "Queries are computed by the package that Heat itself uses. With it the result is written (BPC222); without it the query is treated as one over values that are only known at run time."),
}  # fmt: skip
