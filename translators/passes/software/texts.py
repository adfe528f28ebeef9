"""The texts of software configurations, as they stand in user data and in the parts of others; and the text that
OS::Heat::MultipartMime makes of its parts (heat: multi_part.py), with a boundary of its own."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Node
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.passes.work import Refused, Work
from bpconvert.translators.support.places import texts
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from email.mime.text import MIMEText

_KEYS = frozenset({"config", "filename", "type", "subtype"})
_BOUNDARY = "===============bpconvert=="
#: how the text of a part is transferred
IN_8BIT, IN_BASE64 = "Encoding: 8bit", "Encoding: base64"


class Part(NamedTuple):
    """One part: its text (a text, or an expression), the subtype of its type ``text``, and the name of its file."""

    text: Value
    subtype: str
    filename: str


def message(parts: list[Part]) -> Value:
    """The whole text, or an expression that yields it."""
    written = [_written(part) for part in parts]
    boundary = _BOUNDARY
    while any(boundary in text for pieces in written for text in pieces if isinstance(text, str)):
        boundary = f"={boundary}"
    items: list[Value] = [f'Content-Type: multipart/mixed; boundary="{boundary}"\nMIME-Version: 1.0\n\n--{boundary}\n']
    for index, pieces in enumerate(written):
        items += [f"\n--{boundary}\n", *pieces] if index else pieces
    items.append(f"\n--{boundary}--\n")
    texts = [item for item in items if isinstance(item, str)]
    return "".join(texts) if len(texts) == len(items) else ex.Join("", (items,))


def _written(part: Part) -> list[Value]:
    """Headers and text of a part. A text that is not known may be beyond ASCII; where it is, cloud-init reads it in
    base64 alone, as it takes the whole message for a text (cloud-init: user_data.py, ``convert_string``)."""
    if isinstance(part.text, str):
        return [_mime(part.text, part).as_string()]
    is_ascii = _is_ascii(part.text)
    headers = _mime("", part).as_string()
    for old, new in (('charset="us-ascii"', 'charset="utf-8"'), ("Encoding: 7bit", IN_8BIT if is_ascii else IN_BASE64)):
        headers = headers.replace(old, new, 1)
    return [headers, part.text if is_ascii else ex.Base64(part.text, path=getattr(part.text, "path", ()))]


def _is_ascii(value: Value) -> bool:
    """True where every text in an expression is ASCII; what it yields may be beyond all the same."""
    fields = (getattr(expr, name) for expr in ex.walk(value) for name in ex.field_names(type(expr)))
    return all(text.isascii() for field in fields for text in texts(field))


def _mime(text: str, part: Part) -> MIMEText:
    from email.mime.text import MIMEText  # needed for few documents

    charset = "us-ascii" if text.isascii() else "utf-8"
    part_text = MIMEText(text, _subtype=part.subtype or "plain", _charset=charset)
    if part.filename:
        part_text.add_header("Content-Disposition", "attachment", filename=part.filename)
    return part_text


def parts_of(work: Work, node: Node, text_of: Callable[[Node], Value]) -> list[Part]:
    """The parts of a resource; raises :class:`Refused`. ``text_of``: the text of a configuration of the template."""
    rows = node.properties.get("parts") if isinstance(node.properties, dict) else MISSING
    if rows is MISSING or node.external_id is not MISSING or not isinstance(rows, (list, type(None))):
        raise Refused("its parts are only known when deploying")
    parts: list[Part] = []
    for index, item in enumerate(rows or ()):
        if not isinstance(item, dict) or not item.keys() <= _KEYS:
            raise Refused(f"part {index} is computed or has unknown keys")
        words = {key: item.get(key) or "" for key in ("filename", "type", "subtype")}
        if not all(isinstance(word, str) and word.isascii() for word in words.values()):
            raise Refused(f"the file name or type of part {index} is computed")
        path = node.origin("parts", index, "config")
        if words["type"] == "multipart":
            parts += _nested(work, item.get("config"), index, text_of)
            continue
        subtype = words["subtype"] or posixpath.splitext(words["filename"])[0]
        parts.append(Part(_part_text(work, item.get("config"), index, path, text_of), subtype, words["filename"]))
    return parts


def _part_text(work: Work, value: Value, index: int, path: Any, text_of: Callable[[Node], Value]) -> Value:
    if isinstance(value, ex.Identity):
        node = work.topology.node(value.node)
        if node is not None and node.kind == "cloud_config":
            return ex.Attribute(node.name, "config", path=value.path)
        if node is None or node.kind not in ("software_config", "multipart_mime"):
            raise Refused(f"part {index} is no configuration of this template")
        return text_of(node)
    if is_uuid(value):
        raise Refused(f"part {index} is a configuration that exists already")
    if value is None or not isinstance(value, (str, int, float, ex.Expr)):
        raise Refused(f"part {index} has no text")
    if isinstance(value, ex.Input):
        problem = f"taken for a text; {work.request.source.title} also takes the id of a configuration here"
        work.report("BPC737", value.path or path, problem=problem)
    return value if isinstance(value, ex.Expr) else str(value)


def _nested(work: Work, value: Value, index: int, text_of: Callable[[Node], Value]) -> list[Part]:
    """The parts of a part that is a multipart text itself. Heat takes them as they are transferred."""
    node = work.topology.node(value.node) if isinstance(value, ex.Identity) else None
    if node is not None and node.kind == "multipart_mime":
        return [_transferred(part) for part in parts_of(work, node, text_of)]
    text = text_of(node) if node is not None and node.kind == "software_config" else value
    if not isinstance(text, str) or is_uuid(text):
        raise Refused(f"part {index} is a multipart text that is only known when deploying")
    import email

    whole = email.message_from_string(text)
    parts = []
    payloads: Any = whole.get_payload() if whole.is_multipart() else ()
    for part in payloads:
        payload = part.get_payload()
        if not isinstance(payload, str):
            raise Refused(f"part {index} has multipart texts in its parts")
        parts.append(Part(payload, part.get_content_subtype(), part.get_filename() or ""))
    return parts


def _transferred(part: Part) -> Part:
    text = str(_mime(part.text, part).get_payload()) if isinstance(part.text, str) else part.text
    return Part(text, part.subtype or "plain", part.filename)


class Texts:
    """The texts of one topology's configurations."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._known: dict[str, Value] = {}
        #: configurations whose texts are being made
        self._reading: set[str] = set()

    def own(self, expr: ex.Expr) -> Value:
        """The text itself for ``get_attr: [config, config]``; any other expression as it is."""
        if not isinstance(expr, ex.Attribute) or expr.name != "config" or expr.keys:
            return expr
        node = self.work.topology.node(expr.node)
        if node is None or node.kind not in CONFIGS:
            return expr
        try:
            return self.text_of(node)
        except Refused:
            return expr

    def text_of(self, node: Node) -> Value:
        """The text of a configuration: known, or an expression. Raises :class:`Refused`."""
        if node.name not in self._known:
            if node.name in self._reading:
                raise Refused(f"'{node.name}' is a part of itself")
            self._reading.add(node.name)
            try:
                if node.kind == "multipart_mime":
                    text = message(parts_of(self.work, node, self.text_of))
                else:
                    text = ex.transform(self._written(node), self.own)
            finally:
                self._reading.discard(node.name)
            self._known[node.name] = text
        return self._known[node.name]

    def _written(self, node: Node) -> Value:
        properties = node.properties
        if not isinstance(properties, dict) or node.external_id is not MISSING:
            raise Refused(f"the text of '{node.name}' is not written in the template")
        text = properties.get("config")
        if isinstance(text, ex.File):
            return self.work.fold(text, text.path)
        if not isinstance(text, (str, int, float, ex.Expr, type(None))):
            raise Refused(f"the text of '{node.name}' is no text")
        return text if isinstance(text, ex.Expr) else "" if text is None else str(text)
