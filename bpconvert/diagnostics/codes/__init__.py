"""The registry of diagnostics. docs/diagnostics.md is generated from it.

Hundreds say the area: 1 reading, mappings and checking, 2 functions, 3 types and properties, 4 dependencies, 5 inputs
and outputs, 6 text and files, 7 more about types: kinds, software, groups, nesting, values that cannot fit, stand-ins.
A code is never given a second meaning; texts may change.
"""

from __future__ import annotations

from bpconvert.diagnostics.code import Code
from bpconvert.diagnostics.codes.blueprint import CODES as _BLUEPRINT
from bpconvert.diagnostics.codes.check import CODES as _CHECK
from bpconvert.diagnostics.codes.functions import CODES as _FUNCTIONS
from bpconvert.diagnostics.codes.groups import CODES as _GROUPS
from bpconvert.diagnostics.codes.hot import CODES as _HOT
from bpconvert.diagnostics.codes.nested import CODES as _NESTED
from bpconvert.diagnostics.codes.software import CODES as _SOFTWARE
from bpconvert.diagnostics.codes.types import CODES as _TYPES

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = {
    # -- 1xx reading -----------------------------------------------------------------------------------------
    "BPC101": Code(
        "not YAML", "error", "carried", "{problem}", "Correct the text at this place.",
        "No scanner that the engines use accepts the text."),
    "BPC102": Code(
        "duplicate key", "warning", "exact", "key '{key}' occurs twice; the last one wins, as in the engine",
        "Delete one of the two.",
        "Both engines silently keep the last value of a repeated key; so does the conversion."),
    "BPC103": Code(
        "several documents", "error", "carried", "a second YAML document begins here",
        "Put each document in a file of its own.", "Both engines read exactly one document from a file."),
    "BPC104": Code(
        "unknown tag", "error", "carried", "the tag '{tag}' is unknown to the engines",
        "Delete the tag, or quote the text.",
        "Both engines read with PyYAML's SafeLoader, which knows the tags of YAML 1.1 (!!str, !!int, ...) and no others."),
    "BPC105": Code(
        "anchor or alias that leads nowhere", "error", "carried", "{problem}", "Correct the anchor or the alias.",
        "An alias needs one finished anchor before it, and an anchor's name may be given once. The engines refuse the first and the last; a value that contains itself cannot be written in a template."),
    "BPC106": Code(
        "not a value", "error", "carried", "{problem}", "Quote the text if text is meant.",
        "The text is YAML, but both engines fail to make a value of it."),
    "BPC107": Code(
        "not text", "error", "carried", "{problem}", "Save the file as UTF-8 text without control characters.",
        "YAML is UTF-8 text, or UTF-16 with a byte order mark, and has no control characters but tab and line breaks."),
    "BPC120": Code(
        "refused by the source engine, left out", "error", "carried", "{problem}",
        "Correct the template; the engine it was written for refuses it too.",
        "The template has a mistake that its engine refuses. The fragment is not converted, everything else is."),
    "BPC121": Code(
        "refused by the source engine", "error", "exact", "{problem}",
        "Correct the template; the engine it was written for refuses it too.",
        "The template has a mistake that its engine refuses, but what it means is clear and is converted."),
    "BPC130": Code(
        "DSL version too low", "error", "exact",
        "cloudify_dsl_{wanted} cannot say {reason}; cloudify_dsl_{needed} is written",
        "Ask for {needed} or leave --dsl-version out.",
        "The blueprint needs something that the requested DSL version does not have."),
    "BPC131": Code(
        "another language", "error", "carried", "this is no {title} document: {what}",
        "Name the right command for this file.", "Every language is known by its version key."),
    "BPC190": Code(
        "template for the layout fails", "error", "exact", "{problem}",
        "Correct the template in the folder of --templates.",
        "The text of the result is laid out by jinja2 templates. One that was given with --templates cannot be compiled or fails; it runs in a sandbox, where undefined names, changes of the data and access to Python's internals are errors."),
    # -- 2xx functions ---------------------------------------------------------------------------------------
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
        "a map with the only key '{name}' would be a call in Cloudify; written as JSON text",
        "Nothing to do: no node uses the value.",
        "The DSL has no way to write a literal map whose only key is the name of a function."),
    "BPC206": Code(
        "data that looks like a call, to be given", "warning", "carried",
        "a map with the only key '{name}' would be a call in Cloudify; asked for as input '{input}'",
        "Give the value as input '{input}' in a form that is no call.",
        "The DSL has no way to write a literal map whose only key is the name of a function; given values are evaluated too."),
    "BPC207": Code(
        "comparison as text", "info", "approximated",
        "compared as texts; Heat compares without conversion", "Check that both sides are written alike and of the same type.",
        "Cloudify compares the text forms of both values: 1 and '1' are equal there and 1 and 1.0 are not; in Heat it is the other way round."),
    "BPC208": Code(
        "no such resource", "error", "carried", "there is no resource '{name}'", "Correct the name.",
        "Heat refuses the template too."),
    "BPC209": Code(
        "key missing in the default", "info", "approximated",
        "the default of '{name}' has no such part: Heat yields an empty text, which the blueprint's default now has",
        "Values given for '{name}' must have the part.",
        "get_param of a missing part is an empty text, get_input refuses it. The input's default got the empty text; a given value has to have it."),
    "BPC210": Code(
        "parameter not declared", "error", "approximated",
        "parameter '{name}' is not declared; it became a required input", "Declare the parameter.",
        "Heat refuses the template too."),
    "BPC211": Code(
        "pseudo parameter as input", "warning", "approximated",
        "Cloudify does not know this; it is asked for as input '{input}'", "Give '{input}' when deploying.",
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
        "nested too deeply", "info", "approximated", "nested deeper than Cloudify evaluates; written as JSON text", "Nothing to do: no node uses the value.",
        "The engine's evaluation of functions stops at 50 levels of nesting."),
    "BPC225": Code(
        "separator of a comparison", "info", "approximated", "compared as texts between '{fence}': the values given must not contain it", "Nothing to do if they do not.",
        "Cloudify finds one text in the other, with a separator around each; a value with that separator could be taken for another."),
    "BPC226": Code(
        "not given", "error", "carried", "{problem}", "Give it.",
        "A value was to be computed, but something that it needs was not given."),
    "BPC229": Code(
        "package yaql missing", "warning", "carried", "'yaql' is not computed: the Python package yaql is not installed",
        "{install}, then try again: everything that the query needs is known.",
        "Queries are computed by the package that Heat itself uses. With it the result is written (BPC222); without it the query is treated as one over values that are only known at run time."),
    # -- 3xx types and properties ----------------------------------------------------------------------------
    "BPC300": Code(
        "type without counterpart", "warning", "carried",
        "{type} has no counterpart; '{name}' is a stand-in node that creates nothing",
        "Say with --types what it becomes (docs/guide.md), create the resource by other means, or replace the node.",
        "The stand-in keeps the resource visible, its references checked and the order of deployment; it does nothing."),
    "BPC301": Code(
        "property unknown", "warning", "carried", "{type} has no property '{name}' that can be converted",
        "Remove or correct the property.", "The property is not in the type's schema, or not in the catalogue."),
    "BPC302": Code(
        "property without counterpart", "warning", "carried",
        "property '{name}' of {type} has no counterpart: {why}", "Check whether the deployment works without it.",
        "The catalogue says that the node type has nothing like it."),
    "BPC303": Code(
        "resource absorbed by another node", "info", "rewritten",
        "{type} '{name}' is part of node '{target}' in Cloudify", "Nothing to do.",
        "What Heat says with a resource of its own, the plugin says with a relationship or a property."),
    "BPC304": Code(
        "identity of an absorbed resource", "warning", "approximated",
        "'{name}' has no id of its own; the id of '{target}' is used", "Check the use of this value.",
        "The resource is part of another node, which has another id."),
    "BPC305": Code(
        "value of a stand-in", "warning", "approximated", "the {what} of stand-in '{name}' has no value at run time; in a text it is the word None",
        "Replace the stand-in or this use of it.",
        "A stand-in node creates nothing, so nothing sets its attributes: they are null, and concat writes the word None."),
    "BPC306": Code(
        "setting that needs no counterpart", "info", "rewritten", "'{name}: {value}' is what the plugin does anyway",
        "Nothing to do.", "The property has the value that corresponds to the plugin's behaviour."),
    "BPC307": Code(
        "null", "info", "rewritten", "'{name}' is null, which means the default or nothing; left out", "Nothing to do.",
        "Heat reads a null property as its default, else as the empty value of its type: an empty text, list or map, 0 or false. Without the property the plugin leaves the choice to OpenStack."),
    "BPC308": Code(
        "difference of the type", "info", "approximated", "{type}: {note}",
        "Nothing to do if the difference does not matter.",
        "The catalogue names a difference between the two types that always applies."),
    "BPC309": Code(
        "difference of the property", "info", "approximated", "{note}",
        "Nothing to do if the difference does not matter.",
        "The catalogue names a difference between the two properties."),
    "BPC310": Code(
        "address of a server", "info", "approximated",
        "the first fixed address of the matching interface of '{name}' is used",
        "Check this if the interface has several addresses.",
        "Heat finds addresses by network name; the plugin keeps them by port."),
    "BPC311": Code(
        "interface as a port of its own", "info", "rewritten", "the interface of '{name}' became node '{port}'",
        "Nothing to do.",
        "The plugin attaches ports and networks; an interface with a subnet or an address of its own needs a port."),
    "BPC312": Code(
        "name or id", "info", "approximated",
        "Heat accepts a name for '{name}' and looks it up, the plugin wants the id",
        "Give the id of the existing resource, which 'openstack ... show NAME -c id' prints, in the blueprint or as the value of the input.",
        "Heat resolves names of existing resources in this property. The plugin passes the value on as it is."),
    "BPC313": Code(
        "settings passed on", "info", "approximated", "the keys of '{name}' became settings of the resource",
        "Check that openstacksdk knows the keys.",
        "The plugin hands the settings to openstacksdk, which drops keys it does not know."),
    "BPC314": Code(
        "characters of a password", "info", "approximated",
        "'{name}' of a class of several kinds of characters has no counterpart", "Nothing to do.",
        "PasswordSecret has minimum numbers for upper case, lower case, digits and symbols only."),
    "BPC315": Code(
        "property given twice", "error", "carried", "'{name}' means '{other}', which is given too",
        "Delete one of the two.", "Heat refuses the template too."),
    "BPC317": Code(
        "resource that cannot be absorbed", "warning", "carried", "{type} '{name}' is a stand-in node that creates nothing: {why}",
        "Connect the two resources in the blueprint by hand.",
        "In Cloudify the resource would be a relationship between two nodes, which cannot say this."),
    "BPC316": Code(
        "setting in other words", "info", "rewritten", "'{name}: {value}' is said in other words", "Nothing to do.",
        "The node type says the same with another property."),
    "BPC320": Code(
        "key of a resource without counterpart", "warning", "carried", "'{name}' of a resource has no counterpart",
        "Check whether it is needed.", "Cloudify's node templates have nothing like it."),
    "BPC321": Code(
        "key of a resource without effect", "info", "carried",
        "'{name}' of a resource has no counterpart and no effect on the deployment", "Nothing to do.",
        "It is a description, or says what happens anyway."),
    "BPC322": Code(
        "resource deleted when uninstalling", "warning", "carried",
        "'{name}: {value}' has no counterpart: uninstalling deletes the resource",
        "Take what has to stay out of the blueprint before uninstalling, or keep a copy.",
        "Cloudify deletes every resource that it created. Heat keeps it, or makes a snapshot first."),
    "BPC330": Code(
        "part of an interface without counterpart", "warning", "carried",
        "'{name}' of a network interface has no counterpart", "Check whether the interface works without it.",
        "The interface is a relationship to a port or a network, which says nothing else; the plugin does not take relationships and the property together."),
    "BPC331": Code(
        "property of an existing resource", "info", "carried", "'{name}' is not used for an existing resource",
        "Nothing to do.", "Heat only looks up a resource with an external_id and changes nothing about it; the node does the same."),
    "BPC332": Code(
        "number as a text", "info", "rewritten", "written as a text, which is what Heat makes of the value", "Nothing to do.",
        "The property takes a text, and Heat converts numbers and booleans to it; concat writes the same text."),
    "BPC333": Code(
        "default rules of a security group", "warning", "approximated",
        "whether '{name}' keeps the two default egress rules depends on a value: it keeps them",
        "Set disable_default_egress_rules to true if one of the rules is an egress rule.",
        "Heat removes the default egress rules of a group when the template has one of its own. The plugin does so by a setting, and the direction is only known when deploying."),
    "BPC334": Code(
        "metadata that is no text", "warning", "approximated", "Heat sends this value as JSON text, the plugin as it is",
        "Give the value as a text.", "The compute API takes only texts as metadata."),
    "BPC335": Code(
        "part of a block device without effect", "info", "carried", "'{name}' is not used beside '{other}'",
        "Delete one of the two.", "Heat takes the first of volume, snapshot, image, swap and ephemeral disk, and ignores the others."),
    "BPC336": Code(
        "name in place of an id", "warning", "approximated",
        "Heat looks up the name {value!r} of '{name}', the plugin wants the id", "Write the id of the resource in place of its name.",
        "Heat resolves names of existing resources in this property. The plugin passes the value on as it is, and OpenStack refuses a name."),
    "BPC337": Code(
        "private key is kept", "info", "approximated",
        "the private key of '{name}' is kept in the node's runtime properties", "Nothing to do if that is acceptable.",
        "The plugin keeps the private key of every key pair that OpenStack generates; Heat keeps it only with save_private_key."),
    "BPC338": Code(
        "default made explicit", "info", "rewritten", "'{name}' names the project's '{value}' group, which OpenStack takes by itself for Heat",
        "Nothing to do.",
        "The plugin sends an empty list of security groups for a port that names none, and the port would have none."),
    "BPC339": Code(
        "user data without Heat's tools", "info", "approximated", "'{name}' gets its user data as it is, without Heat's tools around it",
        "Write user_data_format: RAW if Heat is to do the same.",
        "Without user_data_format Heat wraps user data in a multipart text with its own tools (HEAT_CFNTOOLS). The plugin passes it on as it is."),
    # -- 4xx dependencies and conditions ---------------------------------------------------------------------
    "BPC401": Code(
        "conditional resource always created", "warning", "carried", "'{name}' is created always: {reason}",
        "Remove the node from the blueprint, or give the condition a form that compares inputs.",
        "The condition has no form in Cloudify."),
    "BPC402": Code(
        "conditional resource", "info", "rewritten", "'{name}' has 1 or 0 instances, by its condition",
        "Nothing to do.", "A node with no instances is not deployed."),
    "BPC403": Code(
        "dependency left out", "warning", "approximated",
        "the dependency of '{source}' on '{target}' would close a circle and is left out",
        "Check the order of deployment.",
        "Absorbed resources can turn a dependency around; Cloudify accepts no circles."),
    "BPC404": Code(
        "second relationship to one node", "warning", "approximated",
        "a second relationship ({type}) to '{target}' is left out", "Check whether both are needed.",
        "Of two relationships to the same target a node instance keeps only the last."),
    "BPC405": Code(
        "order kept by a barrier", "info", "rewritten", "'{source}' waits for '{target}' through '{barrier}'",
        "Nothing to do.",
        "Any relationship between these types is an instruction to the OpenStack plugin, so mere order goes through a node between."),
    "BPC406": Code(
        "conditional output always there", "warning", "carried", "output '{name}' is there always: {reason}",
        "Nothing to do if that does not matter.", "The condition has no form in Cloudify."),
    "BPC407": Code(
        "value that is not there yet", "warning", "approximated",
        "'{source}' uses a value of '{target}', but waiting for it would close a circle: the value is null when '{source}' is created",
        "Take the value out of '{source}', or take the resources apart.",
        "Absorbed resources can turn a dependency around; Cloudify accepts no circles, and a value of a node that does not exist yet is null."),
    # -- 5xx inputs and outputs ------------------------------------------------------------------------------
    "BPC501": Code(
        "structure as an input", "info", "approximated",
        "a json parameter takes any structure, the input only a {type}", "Nothing to do.",
        "The type is taken from the default."),
    "BPC502": Code(
        "part of a declaration without counterpart", "info", "carried", "{what} has no counterpart",
        "Nothing to do; values are checked less strictly.",
        "The DSL has no such constraint or key. Valid values mean the same; some invalid ones are not refused before deployment."),
    "BPC504": Code(
        "default of the wrong type", "error", "carried", "the default does not fit and is left out: {problem}",
        "Correct the default.", "Heat refuses the template too."),
    "BPC505": Code(
        "hidden input without default", "info", "carried", "'{name}' has no default, so it cannot be hidden",
        "Nothing to do.", "The parser refuses a hidden input that has to be given."),
    "BPC506": Code(
        "default that cannot be written", "warning", "carried",
        "the default of '{name}' cannot be written in a blueprint; it is in the inputs file",
        "Deploy with the inputs file.",
        "The parser refuses non-ASCII characters in every string, but values given when deploying may have them."),
    "BPC507": Code(
        "output without a value", "info", "carried", "output '{name}' is null; it has no counterpart",
        "Nothing to do.", "A null value counts as missing."),
    "BPC508": Code(
        "number as an index", "info", "approximated",
        "'{name}' selects a place in a list, so only whole numbers are accepted", "Nothing to do.",
        "get_param of a place that is no whole number is an empty text, get_input refuses it."),
    "BPC509": Code(
        "value as Heat reads it", "info", "rewritten", "written as {value!r}, which is what Heat makes of it", "Nothing to do.",
        "Heat converts the values of a parameter to its type; Cloudify takes them as they are."),
    "BPC510": Code(
        "default that looks like a call", "warning", "carried", "the default of '{name}' has a map that Cloudify takes for a call; it is left out",
        "Give '{name}' another form when deploying.",
        "The DSL has no way to write a literal map whose only key is the name of a function; given values are evaluated too."),
    "BPC511": Code(
        "hidden parameter", "info", "approximated",
        "Heat masks the value of '{name}', Cloudify leaves the input out of the deployment's form",
        "Use a secret for what nobody may see.",
        "hidden of a HOT parameter shows asterisks instead of the value; hidden of an input takes it out of the user interface, and whoever may see the deployment sees the value."),
    "BPC512": Code(
        "value refused", "error", "carried", "the value given for '{name}' is refused: {problem}; it stays open",
        "Give a value that its type and constraints take.",
        "A parameter was to be decided, but the engine would not accept the value."),
    "BPC513": Code(
        "no such parameter", "warning", "exact", "a value is given for '{name}', which this document does not have",
        "Correct the name, if it is meant for this document.", "Of several documents each takes the values that it has parameters for."),
    "BPC514": Code(
        "decided", "info", "rewritten", "'{name}' is decided: its value stands where it was used", "Nothing to do.",
        "The document is specialised for the values given: conditions are decided and values computed."),
    "BPC515": Code(
        "no values of parameters", "error", "carried", "{problem}", "Write one map of names and values.",
        "A file of --params-file is a map of names and values, a file of inputs, or a Heat environment."),
    # -- 6xx text, names and files ---------------------------------------------------------------------------
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
    "BPC625": Code(
        "reference that leads nowhere", "error", "carried", "{place} names '{name}', which the edit took away",
        "Take the reference out of the result, or bring back what it names.",
        "An entry was deleted or renamed in the generated document. Another one, which was not edited, still refers to what it came from."),
    "BPC624": Code(
        "record that cannot be read", "warning", "approximated", "the record of what this document was made from is damaged: {problem}",
        "Delete the record, or restore it from an older version of the document.",
        "The record is written by the conversion and not meant to be edited. Without it the document is translated like any other."),
}  # fmt: skip
CODES = dict(sorted((CODES | _BLUEPRINT | _HOT | _CHECK | _TYPES | _SOFTWARE | _GROUPS | _NESTED | _FUNCTIONS).items()))
