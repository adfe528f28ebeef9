"""A YAML document: its values as the engines see them, where each was written, and the comments beside them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from bpconvert.yamlio.events import Event, decode, scan
from bpconvert.yamlio.tree import Builder, Map, Seq
class Document:
    def __init__(self,name,text,data,events): self.name=name;self.text=text;self.data=data;self.events=events
def load(source: str | bytes, name: str = "<input>", *, timestamps: bool = False) -> Document:
    text = decode(source, name)
    events = scan(text, name)
    builder = Builder(events, name, timestamps)
    data = builder.build()
    return Document(name, text, data, events)
