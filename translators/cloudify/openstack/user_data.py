"""User data of servers, as the plugin hands it to Nova.

The plugin wraps user data into a MIME message, by what it begins with, and refuses what begins in another way
(openstack_plugin/utils.py, handle_userdata; cloudify/compute, create_multi_mimetype_userdata). A message of several
parts is taken as it is, and with ``encode_user_data: false`` so is everything, which then has to be base64 already.
cloud-init looks at the text of a part whose type is text/plain, as it looks at user data that is no message.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import re
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.openstack.property_paths import Reading
from bpconvert.translators.cloudify.openstack.protocols import Rewriter, Writing
from bpconvert.translators.passes.expressions.choices import each_outcome, outcomes
from bpconvert.translators.passes.software.texts import IN_8BIT, IN_BASE64, Part, message

#: what the plugin recognises user data by
STARTS: Final = (
    "#include", "#cloud-config", "#upstart-job", "#part-handler", "#cloud-boothook", "#!", "rem cmd", "#ps1_sysnative",
    "#ps1_x86",
)  # fmt: skip
WANTED: Final = "a script, a cloud-config or a MIME message of several parts"
#: header lines, of which only the end of the text says whether they begin a message of several parts
_HEADER: Final = r"(From |[A-Za-z-]+:)"
_MESSAGE: Final = r"Content-Type: multipart/"
#: what is in the message that frames one text of any type
_FRAMED: Final = (
    r"Content-Type: multipart/mixed; boundary=\"(?P<boundary>=+bpconvert==)\"\nMIME-Version: 1\.0\n\n--(?P=boundary)\n"
    r"Content-Type: text/plain; charset=\"[\w-]+\"\nMIME-Version: 1\.0\nContent-Transfer-Encoding: \w+\n\n"
)
#: where the settings are that tell whether the plugin wraps
ENCODE: Final = "encode_user_data"
_BEYOND_ASCII: Final = "cloud-init takes what is beyond ASCII in the parts of a message for other characters"
_ENCODED: Final = "user data is always encoded, also this, which is in base64 already"


def takes(value: Value) -> bool | None:
    """Whether the plugin takes ``value`` as user data that it has to wrap; None where its beginning is not known."""
    if value is None or value == "":
        return True
    if isinstance(value, str):
        return value.startswith(STARTS) or _is_message(value)
    if isinstance(value, ex.Attribute) and value.name == "cloud_config":
        return True  # the utilities plugin writes '#cloud-config' before it
    start = beginning(value)
    if start.startswith(STARTS) or any(beginning_known.startswith(start) for beginning_known in STARTS):
        return True if start.startswith(STARTS) else None
    return True if re.match(_MESSAGE, start) else None if re.match(_HEADER, start) else False


def _is_message(text: str) -> bool:
    """True for a MIME message of several parts."""
    import email  # needed for few documents

    return email.message_from_string(text).is_multipart()


def beginning(value: Value) -> str:
    """The text that ``value`` is sure to begin with."""
    if isinstance(value, str):
        return value
    if not isinstance(value, ex.Concat) or not value.items:
        return ""
    text = ""
    for item in value.items:
        if not isinstance(item, str):
            return text or beginning(item)
        text += item
    return text


# -- writing ------------------------------------------------------------------------------------------------


def is_wrapped(rewriter: Rewriter, value: Value, source: Path) -> bool:
    """True for user data that is not handed on in base64: the plugin adds what installs Cloudify's agent."""
    return all(_judged(rewriter, leaf, source) for leaf in _texts(value))


def fitting(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> Value:
    """User data that the plugin takes."""
    judged = [_judged(writing.rewriter, leaf, source) for leaf in _texts(value)]
    if writing.generation2 or all(judged):
        return value
    if False not in judged:  # in base64 the plugin takes whatever is given, and the server gets what Heat gives it
        return _in_base64(writing, draft, value, source) or value
    value = each_outcome(value, lambda leaf: _text(writing, leaf, source))
    leaves = _texts(value)
    reason = "the plugin takes such user data in base64 only"
    if all(isinstance(leaf, str) for leaf in leaves):
        writing.report("BPC700", source)
        draft.put((ENCODE,), False, source)
        return each_outcome(value, _encoded)
    encoded = _in_base64(writing, draft, value, source)
    if encoded is not None:
        return encoded
    if len(leaves) == 1 and _is_data(writing, value, source):
        draft.put((ENCODE,), False, source)
        usual = writing.rewriter.by_default(value)
        return writing.rewriter.asked(value, source, reason, _encoded(usual) if isinstance(usual, str) else MISSING)
    return each_outcome(value, lambda leaf: _framed(writing, leaf, source))


def _in_base64(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> ex.Base64 | None:
    """The user data in base64, which the plugin hands on as it is; None where no node can compute that."""
    encoded = ex.Base64(value, path=source)
    is_text = all(writing.rewriter.kind(leaf) == "text" for leaf in _texts(value))
    if not is_text or not writing.rewriter.is_computed_elsewhere(encoded):
        return None
    draft.put((ENCODE,), False, source)
    return encoded


def _text(writing: Writing, leaf: Value, source: Path) -> Value:
    """A value that is one text, whatever is given, as that text."""
    computed = writing.rewriter.tried(leaf, source)
    return computed if isinstance(computed, str) else leaf


def _judged(rewriter: Rewriter, leaf: Value, source: Path) -> bool | None:
    """Whether the plugin takes a text, or the one that it is where every parameter has its default."""
    if isinstance(leaf, str):
        return takes(leaf)
    verdict = takes(rewriter.tried(leaf, source))
    if verdict is not None:
        return verdict
    usual = rewriter.by_default(leaf)
    return takes(usual) if isinstance(usual, str) else None


def _is_data(writing: Writing, value: Value, source: Path) -> bool:
    """True for JSON, which is for programs that know no MIME message. What is known at run time only nobody can give
    in base64."""
    if any(expr.NEEDS == "deployment" for expr in ex.walk(value)):
        return False
    usual = writing.rewriter.by_default(value)
    start = usual if isinstance(usual, str) else beginning(writing.rewriter.tried(value, source))
    return start.lstrip().startswith(("{", "["))


def _framed(writing: Writing, leaf: Value, source: Path) -> Value:
    """A text in a message, where the plugin takes no other form of it."""
    if _judged(writing.rewriter, leaf, source) is not False:
        return leaf
    path = leaf.path if isinstance(leaf, ex.Expr) and leaf.path else source
    writing.report("BPC701", path)
    framed = message([Part(leaf, "plain", "")])
    return replace(framed, path=path) if isinstance(framed, ex.Expr) else framed


def _texts(value: Value) -> list[Value]:
    """What a choice chooses from."""
    return [outcome for outcome in outcomes(value) if outcome is not MISSING]


def _encoded(text: Value) -> Value:
    return base64.b64encode(str(text).encode()).decode("ascii")


# -- reading ------------------------------------------------------------------------------------------------


def read(reading: Reading, name: str, rule: PropertyRule) -> None:
    """The user data as a template has it: Heat always encodes it, and puts no frame around it."""
    entry, kept = reading.entry(rule), reading.written.entries.get(ENCODE)
    if entry is None:
        return
    value = entry.value
    if kept is not None and kept.value is False:
        decoded = [_decoded(leaf) for leaf in _texts(value)]
        reading.written.take(ENCODE)
        if None not in decoded:
            value = each_outcome(value, _decoded)
        else:
            reading.report("BPC352", entry.place, name=ENCODE, type=reading.node.source_type, why=_ENCODED)
    in_8bit = each_outcome(value, _in_8bit)
    if in_8bit != value:
        reading.report("BPC352", entry.place, name="base64", type=reading.node.source_type, why=_BEYOND_ASCII)
    plain = each_outcome(in_8bit, _unframed)
    if plain != entry.value:
        reading.report("BPC708", entry.place, name=reading.node.name)
    reading.put(name, plain, entry.place)


def _decoded(text: Value) -> Value:
    """The text that is in base64; None where there is none."""
    if isinstance(text, ex.Base64):
        return text.text
    if not isinstance(text, str):
        return None
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None


def _in_8bit(value: Value) -> Value:
    """A message whose parts have their texts as they are, which no language has in base64."""
    if not isinstance(value, ex.Concat):
        return value
    items, coded = list(value.items), f"{IN_BASE64}\n\n"
    for index, (head, item) in enumerate(itertools.pairwise(value.items)):
        if isinstance(head, str) and head.endswith(coded) and isinstance(item, ex.Base64):
            items[index] = f"{head.removesuffix(coded)}{IN_8BIT}\n\n"
            items[index + 1] = item.text
    return ex.Concat(tuple(items), path=value.path)


def _unframed(value: Value) -> Value:
    """What :func:`_framed` has put into a frame, which is one part; a message of several parts stays one."""
    if not isinstance(value, ex.Concat) or not isinstance(next(iter(value.items), None), str):
        return value
    match, last = re.match(_FRAMED, value.items[0]), value.items[-1]
    end = match and f"\n--{match['boundary']}--\n"
    if match is None or not isinstance(last, str) or not last.endswith(str(end)):
        return value
    inner = [value.items[0][match.end() :], *value.items[1:-1], last.removesuffix(str(end))]
    if any(isinstance(item, str) and f"\n--{match['boundary']}" in item for item in inner):
        return value
    left = tuple(item for item in inner if item != "")
    return left[0] if len(left) == 1 else ex.Concat(left, path=value.path)
