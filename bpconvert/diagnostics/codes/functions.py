"""Diagnostics of functions on the way to Cloudify; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
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
}
