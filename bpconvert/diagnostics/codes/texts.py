"""Diagnostics of texts, names and files, and of records in documents; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

CODES: Final[dict[str, Code]] = {
    "BPC600": Code(
        "description beyond ASCII", "info", "approximated",
        "the text is written in ASCII; the original is kept in the metadata", "Nothing to do.",
        "Cloudify's parser refuses non-ASCII characters in every string."),
    "BPC601": Code(
        "text beyond ASCII", "warning", "approximated",
        "non-ASCII text cannot be written in a blueprint; it is asked for as input '{input}'",
        "Deploy with the inputs file, which has the text.",
        "Cloudify's parser refuses non-ASCII characters in every string, but values given when deploying may have them."),
    "BPC602": Code(
        "text beyond ASCII, escaped", "info", "approximated", "non-ASCII text is written with escapes",
        "Nothing to do: no node uses the value.", "Cloudify's parser refuses non-ASCII characters in every string."),
    "BPC603": Code(
        "key beyond ASCII", "warning", "approximated", "key '{key}' is written in ASCII",
        "Check the use of this map.",
        "Cloudify's parser refuses non-ASCII characters in every string, and keys have no other form."),
    "BPC604": Code(
        "renamed", "info", "rewritten", "'{name}' is called '{new}' in the blueprint", "Nothing to do.",
        "The DSL cannot refer to SELF, SOURCE and TARGET, reads -- as a namespace, and takes ASCII only."),
    "BPC610": Code(
        "file not found", "warning", "carried", "file '{name}' is not there", "Put the file beside the template.",
        "get_file names a file that cannot be read."),
    "BPC611": Code(
        "file outside the template's folder", "warning", "carried",
        "file '{name}' is not below the template's folder and is not read",
        "Use --allow-outside if you trust the template.", "Files are read only below the folder of the template."),
    "BPC612": Code(
        "file is no text", "warning", "carried", "file '{name}' is not UTF-8 text",
        "Give its content when deploying.", "Only text can be put into a blueprint."),
    "BPC613": Code(
        "nested template not converted", "info", "carried", "'{name}' is a template of its own",
        "Convert it on its own.",
        "The resource's type is a template file. The resource is a stand-in; the file is converted like any other template."),
    "BPC614": Code(
        "file written in place", "info", "rewritten", "the text of the file is written here", "Nothing to do.",
        "A blueprint cannot refer to a file in a property; its text is part of the blueprint. The reference is kept in the metadata."),
    "BPC620": Code(
        "entry that was edited", "info", "exact", "'{name}' was edited after it had been generated; it is translated anew",
        "Nothing to do.", "The document carries what it was made from. An entry that still is as it was generated goes back word for word."),
    "BPC621": Code(
        "entry that was deleted", "info", "exact", "'{name}' was deleted after it had been generated; what it came from is left out",
        "Nothing to do.", "The document carries what it was made from. What became the deleted entry does not come back."),
    "BPC622": Code(
        "edit without effect", "warning", "carried", "'{name}' was edited or added, and has nothing of its own in the result",
        "Make the same change in the result by hand, if it has to be there.",
        "The result is the document that this one was made from. It has no entry for what was edited."),
    "BPC623": Code(
        "entry that was added", "info", "exact", "'{name}' was added after the rest had been generated", "Nothing to do.",
        "The document carries what it was made from; the new entry is translated and added to it."),
    "BPC624": Code(
        "record that cannot be read", "warning", "approximated", "the record of what this document was made from is damaged: {problem}",
        "Delete the record, or restore it from an older version of the document.",
        "The record is written by the conversion and not meant to be edited. Without it the document is translated like any other."),
    "BPC625": Code(
        "reference that leads nowhere", "error", "carried", "{place} names '{name}', which the edit took away",
        "Take the reference out of the result, or bring back what it names.",
        "An entry was deleted or renamed in the generated document. Another one, which was not edited, still refers to what it came from."),
}  # fmt: skip
