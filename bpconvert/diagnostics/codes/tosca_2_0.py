"""Diagnostics of checking TOSCA 2.0 files; part of the registry in :mod:`bpconvert.diagnostics.codes`."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics.code import Code

_SPECIFICATION: Final = "The specification of TOSCA 2.0 refuses it. Processors of 2.0 are expected to do so as well."

CODES: Final[dict[str, Code]] = {
    # -- 90x the form of a file --------------------------------------------------------------------------------------
    "BPC900": Code("unknown keyname", "error", "exact", "{what} has no '{name}'{guess}", "Correct or delete the key.",
        "Each place of a TOSCA 2.0 file has its keynames; others are refused (5.2, and the tables of keynames)."),
    "BPC901": Code("mandatory keyname missing", "error", "exact", "{what} needs '{name}'", "Add '{name}'.",
        "A keyname that is mandatory has to be there, where it is not inherited (5.2)."),
    "BPC902": Code("value of another kind", "error", "exact", "{what} must be {wanted}, not {found}", "Correct the value.",
        "Each keyname takes one kind of value. A section without content is null, which is no map."),
    "BPC904": Code("name that is no text", "error", "exact", "a name in {what} must be a text, not {name!r}", "Write the name in quotes.",
        "Names of types, templates, parameters and properties are texts that are not empty."),
    "BPC905": Code("version that does not come first", "error", "exact", "'tosca_definitions_version' must be the first line",
        "Move it to the top of the file.", "The key must be the first line of each TOSCA file (6.1)."),
    "BPC903": Code("unknown version", "error", "exact", "there is no version '{name}' of TOSCA", "Write 'tosca_2_0', or a version of the Simple Profile.",
        "The file is read with the grammar of its version (6.2). Names of products and drafts that are known to be like a version are read as that one."),
    "BPC906": Code("name that is given twice", "error", "exact", "there are two of the {what} '{name}'", "Rename or delete one of them.",
        "Names are unique in their namespace and in their section, and keys of a map are (6.8.4, 6.9.1, YAML 1.2)."),
    "BPC907": Code("rule of the grammar", "error", "exact", "{problem}", "Correct the definition.", _SPECIFICATION),
    # -- 91x types ---------------------------------------------------------------------------------------------------
    "BPC910": Code("unknown type", "error", "exact", "there is no {kind} '{name}'{guess}", "Correct the name, or import what defines it.",
        "TOSCA 2.0 has no types but the built-in data types: every other one is defined in the file or imported (6.7.2)."),
    "BPC911": Code("type derived from itself", "error", "exact", "'{name}' is derived from itself", "Correct 'derived_from'.",
        "A chain of parents ends (6.4.2)."),
    "BPC912": Code("name of a built-in type", "error", "exact", "'{name}' is a built-in type, and cannot be defined", "Choose another name.",
        "The names of the built-in data types are reserved (9.1)."),
    "BPC913": Code("refinement that is not allowed", "error", "exact", "{problem}", "Correct the refinement, or define something new.",
        "A derived type may restrict what its parent defines, not change or widen it (6.4.2, and the rules of each definition)."),
    "BPC914": Code("abstract type", "error", "exact", "'{name}' is of type scalar, which is abstract", "Define a data type with units that is derived from scalar.",
        "A scalar has units, which the type that is derived from it defines (9.1.2.2)."),
    # -- 92x values --------------------------------------------------------------------------------------------------
    "BPC923": Code("value of what is fixed", "error", "exact", "'{name}' of {owner} has a fixed value, and cannot be given another one", "Delete the value.",
        "Where the definition has 'value', nothing can be assigned (9.4, 9.5)."),
    "BPC924": Code("condition that does not hold", "error", "exact", "'{name}' breaks the condition {clause}", "Correct the value.",
        "Conditions of the definition, of its type, and of what they refine must all hold (9.10)."),
    "BPC925": Code("unit that a scalar does not have", "error", "exact", "'{name}' is of {kind}, which {problem}", "Correct the unit.",
        "Units are those of the type and their prefixes; upper and lower case differ (9.1.2.2)."),
    # -- 93x functions and references --------------------------------------------------------------------------------
    "BPC930": Code("malformed function", "error", "exact", "'{name}' is a call, and stands beside other keys", "Write '$$' for a text that begins with '$'.",
        "A key that begins with '$' is the only one of its map (10.1)."),
    "BPC931": Code("function with wrong arguments", "error", "exact", "'${name}' {problem}", "Correct the call.", "Each function takes its arguments (10.2)."),
    "BPC932": Code("function of an earlier version", "error", "exact", "TOSCA 2.0 has no function '${name}'", "Write it with the functions of 2.0, such as $greater_or_equal and $length.",
        "Functions that neither the language has nor the file defines are those of a processor; these are of earlier versions and drafts (10.2)."),
    "BPC933": Code("name of what is not there", "error", "exact", "there is no {what} '{name}'{guess}", "Correct the name, or add what is missing.", _SPECIFICATION),
    # -- 94x the service template ------------------------------------------------------------------------------------
    "BPC940": Code("against the specification, accepted by others", "warning", "exact", "{problem}", "Correct it: processors may refuse it.",
        "The text of the specification rules it out, and the committee's own test suite or an engine accepts it."),
    "BPC941": Code("number of relationships", "error", "exact", "the requirement '{name}' has {number} assignments, and takes {range}", "Correct the assignments or their 'count'.",
        "The counts of all assignments, and of those that are not optional, are within the 'count_range' of the definition (8.5.4)."),
    "BPC942": Code("of another type", "error", "exact", "{problem}", "Choose one that fits.", "What is referred to must be of the type that is asked for, or derived from it."),
    "BPC943": Code("substitution mapping", "error", "exact", "{problem}", "Correct the mapping.", "What is mapped to has to be free for it, and what needs a value has to have one (15.2, 15.5)."),
}  # fmt: skip
