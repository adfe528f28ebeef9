"""The positioned tree: plain dicts and lists that know where their entries stand, built as PyYAML's SafeLoader would.

Merge keys, tags, duplicate keys and unhashable keys follow PyYAML's ``constructor.py``, aliases its ``composer.py``."""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from operator import length_hint
from typing import Any, SupportsIndex

from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.events import Event, source_error
from bpconvert.yamlio.scalars import CORE, DEFAULT, MERGE, PLAIN, SCALAR_TAGS, TAG_PREFIX, Indicator, Unreadable

Place = tuple[int, int]
Path = tuple[Any, ...]
Entry = tuple[Any, Event, Event, Any]  # key, event of the key, event of the value, value

PLAIN_TAGS = (None, "!")
PAIRS_TAGS = (TAG_PREFIX + "omap", TAG_PREFIX + "pairs")
COLLECTION_TAGS = (TAG_PREFIX + "map", TAG_PREFIX + "seq", TAG_PREFIX + "set", *PAIRS_TAGS)
OPEN = object()  # stands for an anchored collection until it is complete
UNPLACED = (1, 1)
#: values that the aliases of a document may stand for; more would fill the memory
MOST_ALIASED = 1_000_000


def event_place(event: Event) -> Place:
    """Line and column of an event's start, from 1."""
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


class _Placed:
    """What both have that stand somewhere."""

    __slots__ = ()
    first: Event

    @property
    def flow(self) -> bool:
        """Whether it is written ``{in: braces}`` or ``[in, brackets]``."""
        return hasattr(self, "first") and bool(self.first.flow_style)


class Map(dict[Any, Any], _Placed):
    """A mapping as a plain dict, and where it and its entries stand (line and column, from 1).

    It compares, dumps and validates as a dict; a copy or pickle is a plain dict. One made by hand has no places."""

    __slots__ = ("entries", "first", "index", "inherited", "last")
    entries: list[Entry]  # as written: repeated keys, merge keys too
    first: Event
    last: Event
    inherited: dict[Any, Map]  # merged keys, each with the mapping that wrote it
    index: dict[Any, Entry]

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return dict, (dict(self),)

    @property
    def merged(self) -> KeysView[Any]:
        """The keys that came through ``<<`` and were not written here."""
        inherited: dict[Any, Map] = getattr(self, "inherited", {})
        return inherited.keys()

    def entry(self, key: Any) -> Entry:
        """The entry as written: (key, event of the key, event of the value, value); the last one of a repeated key."""
        if not hasattr(self, "index"):
            self.index = {entry[0]: entry for entry in getattr(self, "entries", ())}
        if key in self.index:
            return self.index[key]
        inherited: dict[Any, Map] = getattr(self, "inherited", {})
        return inherited[key].entry(key)


class Seq(list[Any], _Placed):
    """A sequence as a plain list, and where it and its items stand (line and column, from 1); else as :class:`Map`."""

    __slots__ = ("first", "items", "last")
    items: list[Event]
    first: Event
    last: Event

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return list, (list(self),)


def written(node: Any) -> Iterator[tuple[Any, Event, Event, Any]]:
    """(step, event of the key or item, event of the value, value) of all that is written in a node, in its order.

    Repeated keys that lost are among them, and what stands behind ``<<`` (the step then). Nothing for a scalar."""
    if type(node) is Map:
        for key, key_event, event, value in node.entries:
            yield (key.text if key is MERGE else key), key_event, event, value
    elif type(node) is Seq:
        for number, (event, value) in enumerate(zip(node.items, node, strict=False)):
            yield number, event, event, value


def nested(node: Any) -> Iterator[tuple[Any, Event, Map | Seq]]:
    """(step, event, node) of the mappings and sequences written in ``node``; aliases are not followed."""
    for step, _, event, value in written(node):
        if type(value) in (Map, Seq) and type(event) is not AliasEvent:
            yield step, event, value


class Builder:
    """Builds the tree of one document: ``Builder(events, name).build()``.

    ``core``: plain scalars are read by the core schema of YAML 1.2."""

    def __init__(self, events: list[Event], name: str, *, core: bool = False) -> None:
        self.all = events
        self.rest = iter(events)
        self.next = self.rest.__next__
        self.name = name
        self.core = core
        self.plain = CORE if core else PLAIN
        self.anchors: dict[str, Any] = {}
        self.repeats: list[Map] = []  # the mappings that repeat a key
        self.sizes: dict[int, int] = {}  # how many values an anchor stands for
        self.aliased = 0
        self.unstored: list[Event] = []  # what the engines read but cannot store: bytes and sets

    def build(self) -> Any:
        """The value of the only document; None when there is none.

        Raises SourceError: BPC103 for a second document, BPC104 for an unknown tag, BPC105 for an anchor or alias that
        leads nowhere, BPC106 for what the engines make no value of, BPC101 for too deep nesting and for aliases that
        stand for more values than any document has."""
        try:
            self.next()
            if type(self.next()) is StreamEndEvent:
                return None
            value = self.value(self.next())
            self.next()
            if type(self.next()) is DocumentStartEvent:
                raise self.error("BPC103")
            return value
        except Unreadable as error:
            raise self.error("BPC106", problem=str(error)) from None
        except RecursionError:
            raise self.error("BPC101", problem="nested too deeply") from None

    def error(self, code: str, event: Event | None = None, **texts: Any) -> SourceError:
        """The error at ``event``, or at the event read last."""
        at = event or self.all[len(self.all) - length_hint(self.rest) - 1]
        return source_error(code, self.name, *event_place(at), **texts)

    # -- what nearly all of a document is made of; written for speed ----------------------------------------

    def mapping(self, start: Event) -> Map:
        """The mapping behind its start event, up to and with its end event."""
        node = Map()
        node.first = start
        node.entries = entries = []
        sources: list[Map] = []
        plain, following = self.plain, self.next
        for key_event in self.rest:
            kind = type(key_event)
            if kind is MappingEndEvent:
                node.last = key_event
                break
            if kind is ScalarEvent and key_event.implicit[0] and key_event.anchor is None:
                key = plain[key_event.value]
            else:
                key = self.node(key_event)
                if key.__hash__ is None:
                    key = self.compound_key(key, key_event)
            event = following()
            if type(key) is Indicator:
                if key is MERGE:
                    value = self.merge(event, sources)
                    entries.append((key, key_event, event, value))
                    continue
                key = self.default_key(key, key_event)
            if type(event) is ScalarEvent and event.implicit[0] and event.anchor is None:
                value = plain[event.value]
            else:
                value = self.node(event)
            if type(value) is Indicator:
                raise self.no_value(value, event)
            node[key] = value
            entries.append((key, key_event, event, value))
        if len(entries) != len(node):
            self.irregular(node, sources)
        return node

    def sequence(self, start: Event) -> Seq:
        """The sequence behind its start event, up to and with its end event."""
        node = Seq()
        node.first = start
        node.items = items = []
        plain = self.plain
        for event in self.rest:
            kind = type(event)
            if kind is SequenceEndEvent:
                node.last = event
                break
            if kind is ScalarEvent and event.implicit[0] and event.anchor is None:
                value = plain[event.value]
            else:
                value = self.node(event)
            if type(value) is Indicator:
                raise self.no_value(value, event)
            node.append(value)
            items.append(event)
        return node

    def node(self, event: Event) -> Any:
        """The node that begins with ``event``; an :class:`Indicator` too."""
        kind = type(event)
        if kind is AliasEvent:
            return self.alias(event)
        if event.anchor is not None:
            return self.anchored(event)
        return self.untied(event)

    def untied(self, event: Event) -> Any:
        """The node that begins with ``event``, whatever its anchor."""
        kind = type(event)
        if kind is ScalarEvent:
            return self.scalar(event)
        if event.ctag is not None and event.tag not in PLAIN_TAGS:
            return self.tagged(event)
        return self.mapping(event) if kind is MappingStartEvent else self.sequence(event)

    def scalar(self, event: Event) -> Any:
        """A scalar of any style and tag."""
        if event.implicit[0]:
            return self.plain[event.value]
        tag = event.tag
        if event.implicit[1] or tag == "!":
            return event.value
        if tag in SCALAR_TAGS:
            if tag == TAG_PREFIX + "binary":
                self.unstored.append(event)
            return SCALAR_TAGS[tag](event.value)
        raise self.unknown_tag(event)

    # -- the rare things ------------------------------------------------------------------------------------

    def value(self, event: Event) -> Any:
        """The node that begins with ``event``, which must be a value."""
        node = self.node(event)
        if type(node) is Indicator:
            raise self.no_value(node, event)
        return node

    def no_value(self, indicator: Indicator, event: Event) -> SourceError:
        return self.error("BPC106", event, problem=f"a bare '{indicator.text}' is no value; quote it")

    def default_key(self, key: Indicator, event: Event) -> str:
        """The key ``=``, which is plain text as a key."""
        if key is DEFAULT:
            return key.text
        raise self.no_value(key, event)

    def compound_key(self, key: Any, event: Event) -> tuple[Any, ...]:
        """A list or a mapping that is a key, as a tuple: YAML 1.2 has them, the engines of YAML 1.1 do not."""
        key_tuple = tuple(key.items() if isinstance(key, dict) else key)
        try:
            hash(key_tuple)
        except TypeError:
            key_tuple = (repr(key_tuple),)
        if not self.core:
            raise self.error("BPC106", event, problem="a list or mapping cannot be a key")
        return key_tuple

    def alias(self, event: Event) -> Any:
        """The very object that the anchor stands for."""
        anchored_node = self.anchors.get(event.anchor, self)
        if anchored_node is self:
            raise self.error("BPC105", event, problem=f"there is no anchor '&{event.anchor}' before this alias")
        if anchored_node is OPEN:
            raise self.error("BPC105", event, problem=f"'*{event.anchor}' stands inside of what it refers to")
        self.aliased += self.size(anchored_node)
        if self.aliased > MOST_ALIASED:
            raise self.error("BPC101", event, problem=f"the aliases stand for more than {MOST_ALIASED} values")
        return anchored_node

    def size(self, node: Any) -> int:
        """How many values ``node`` is, each alias counted as what it stands for."""
        if type(node) not in (Map, Seq):
            return 1
        size = self.sizes.get(id(node))
        if size is None:
            inner = node.values() if type(node) is Map else node
            size = self.sizes[id(node)] = 1 + sum(map(self.size, inner))
        return size

    def anchored(self, event: Event) -> Any:
        """A node with an anchor. Both engines refuse an anchor that is given twice."""
        if event.anchor in self.anchors:
            raise self.error("BPC105", event, problem=f"the anchor '&{event.anchor}' is given twice")
        self.anchors[event.anchor] = OPEN
        self.anchors[event.anchor] = node = self.untied(event)
        return node

    def tagged(self, event: Event) -> Any:
        """A mapping or sequence with a tag, as PyYAML constructs it."""
        tag, is_map = event.tag, type(event) is MappingStartEvent
        if tag == TAG_PREFIX + "map" and is_map:
            return self.mapping(event)
        if tag == TAG_PREFIX + "set" and is_map:
            self.unstored.append(event)
            return set(self.mapping(event))
        if tag == TAG_PREFIX + "seq" and not is_map:
            return self.sequence(event)
        if tag in PAIRS_TAGS and not is_map:
            return self.pairs(event)
        raise self.unknown_tag(event)

    def pairs(self, event: Event) -> list[tuple[Any, Any]]:
        """``!!omap`` and ``!!pairs``: a list of (key, value), one for each one-key mapping of the sequence."""
        node = self.sequence(event)
        for item, item_event in zip(node, node.items, strict=True):
            if type(item) is not Map or len(item.entries) != 1 or len(item) != 1:
                raise self.error("BPC106", item_event, problem="each item here must be a mapping with one key")
        return [pair for item in node for pair in item.items()]

    def unknown_tag(self, event: Event) -> SourceError:
        tag = str(event.tag).replace(TAG_PREFIX, "!!")
        if event.tag in SCALAR_TAGS or event.tag in COLLECTION_TAGS:
            return self.error("BPC106", event, problem=f"the tag '{tag}' does not fit this value")
        return self.error("BPC104", event, tag=tag)

    def merge(self, event: Event, sources: list[Map]) -> Any:
        """The value of ``<<``. Adds its mappings to ``sources``, those that give way first."""
        value = self.node(event)
        merged: list[Any] = [value] if type(value) is Map else value[::-1] if type(value) is Seq else [None]
        if any(type(source) is not Map for source in merged):
            raise self.error("BPC106", event, problem="'<<' takes a mapping or a list of mappings")
        sources.extend(merged)
        return value

    def irregular(self, node: Map, sources: list[Map]) -> None:
        """Finish a mapping that repeats a key or merges others: merged keys come first, keys written here win."""
        if len(node) != sum(entry[0] is not MERGE for entry in node.entries):
            self.repeats.append(node)
        if sources:
            own = dict(node)
            node.clear()
            for source in sources:
                node.update(source)
            node.inherited = {key: source for source in sources for key in source if key not in own}
            node.update(own)
