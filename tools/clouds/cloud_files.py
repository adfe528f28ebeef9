"""``cloud.json``: the cloud that the real OpenStack plugin made of a case's blueprint, small and readable.

What exists is named by its kind and by the node that made it (``port web``), and references are such names in angle
brackets, so that neither ids nor allocated addresses nor generated names are in the file. :func:`shrunk` makes this
form of an answer of the oracle, :func:`restored` makes of it an answer again that the oracle compares.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from bpconvert.diagnostics import SourceError
from bpconvert.translators.provenance import metadata_text
from bpconvert.translators.provenance.carry import KEY
from bpconvert.yamlio.document import load

NAME: Final = "cloud.json"
NOTHING: Final[tuple[Any, ...]] = (None, "", [], {})
#: the fake cloud's only project
PROJECT: Final = "f0000000000040008000000000000001"
FIRST_ADDRESSES: Final = {
    "address": ipaddress.ip_address("198.18.128.0"),
    "address6": ipaddress.ip_address("2001:db8:fa::8000"),
}
_NAMESPACE: Final = uuid.UUID("6f7c1c6e-0000-4000-8000-00000000c10d")
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ADDRESS: Final = re.compile(r"198\.1[89]\.\d+\.\d+|2001:db8:fa::[0-9a-f:]*[0-9a-f]")
_MAC: Final = re.compile(r"fa:16:3e(?::[0-9a-f]{2}){3}")
#: keys of the metadata that bpconvert writes
_OURS: Final = (KEY, metadata_text.KEY)
#: what belongs to a case but is neither its blueprint nor a file that the blueprint comes with
_NOT_THE_BUNDLE: Final = {"hot.yaml", "diagnostics.txt", "options.json", "engines.json", NAME}

Json = dict[str, Any]


class Comparer(Protocol):
    """What is used of the oracle's ``compare_clouds.py``."""

    DERIVED: Mapping[str, set[str]]
    UNORDERED: set[tuple[str, str]]

    def user_data(self, value: str) -> list[str]: ...

    def unpacked(self, text: str) -> str: ...


def digest(blueprint: Path, files: Path | None) -> str:
    """The digest of a blueprint and of what stands beside it: in ``files``, or in its own folder. Comments and what
    bpconvert keeps in the metadata do not count: they deploy nothing."""
    folder = files or blueprint.parent
    found = hashlib.sha256(_deployed(blueprint))
    for path in sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else ():
        name = path.relative_to(folder).as_posix()
        if files is None and (name in _NOT_THE_BUNDLE or name.startswith("files/")):
            continue
        found.update(name.encode() + b"\0" + _deployed(path))
    return found.hexdigest()


def _deployed(path: Path) -> bytes:
    """What counts of a file for a deployment: the data of a document, all of any other file."""
    text = path.read_bytes()
    if path.suffix not in (".yaml", ".yml", ".template"):
        return text
    try:
        data = load(text).data
    except SourceError:
        return text
    metadata = data.get("metadata") if isinstance(data, dict) else None
    if isinstance(metadata, dict) and not metadata.keys().isdisjoint(_OURS):
        others = {key: value for key, value in metadata.items() if key not in _OURS}
        data = {key: value for key, value in data.items() if key != "metadata"}
        data |= {"metadata": others} if others else {}
    return json.dumps(data, default=str).encode()


# ------------------------------------------------------------------ the file
def written(data: Json) -> str:
    """The file's text: every entity, and every other entry, on a line of its own."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(value: Any, depth: int) -> list[str]:
    """Opened up to the entries of a cloud and the entries of those; what is deeper stays on one line."""
    opened = {0, 1, 2, 3}
    if depth not in opened or not isinstance(value, dict | list) or not value:
        return [json.dumps(value, ensure_ascii=False, sort_keys=depth > 3)]
    pad = "  " * (depth + 1)
    out: list[str] = []
    rows = value.items() if isinstance(value, dict) else [(None, item) for item in value]
    for key, item in rows:
        first, *rest = _lines(item, depth + 1)
        out.append(f"{pad}{json.dumps(key, ensure_ascii=False)}: {first}" if key is not None else pad + first)
        out += rest
        out[-1] += ","
    out[-1] = out[-1][:-1]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return [left, *out, "  " * depth + right]


# ------------------------------------------------------------------ from an answer of the oracle
def shrunk(answer: Json, comparer: Comparer) -> Json:
    """What a comparison needs of an answer: what waits for what, and what exists."""
    return _Shrinking(answer, comparer).all()


@dataclass(frozen=True)
class _Thing:
    entity: Json
    content: Json
    loose: str


class _Shrinking:
    """One answer. Names come first, by what is alike in every run; then every reference is such a name."""

    def __init__(self, answer: Json, comparer: Comparer) -> None:
        self.answer, self.comparer = answer, comparer
        cloud = answer["cloud"]
        self.entities: dict[str, Json] = {entity["id"]: entity for entity in cloud["entities"]}
        self.generated: dict[str, str] = cloud["generated"]
        names = sorted((name for name in self.generated if len(name) > 5), key=len, reverse=True)
        self.name_pattern = re.compile("|".join(map(re.escape, names))) if names else None
        self.labels: dict[str, str] = {}
        self.addresses: dict[str, str] = {}
        self.macs: dict[str, str] = {}

    def all(self) -> Json:
        kept = [e for e in self.entities.values() if e["origin"] != "preexisting" or e["changes"]]
        self._label([e for e in self.entities.values() if e["origin"] != "preexisting"])
        for entity in self.entities.values():
            asked = entity["asked"]
            if entity["origin"] == "preexisting" and asked and asked != entity["id"]:
                self.labels[entity["id"]] = f"existing {entity['kind']} {asked}"
        self._label_addresses()
        self.macs = {
            e["attributes"]["mac_address"]: f"<mac {self.labels[e['id']]}>"
            for e in kept
            if e["kind"] == "port" and e["id"] in self.labels and not e["attributes"].get("mac_given")
        }
        found = {self.labels.get(e["id"]) or f"existing {e['kind']} {e['asked']}": self._shown(e) for e in kept}
        text = json.dumps(found)
        keys = {e["attributes"].get("key_name") for e in kept}
        for ident, label in self.labels.items():
            entity = self.entities[ident]
            key = entity["kind"] == "keypair" and entity["attributes"].get("name") in keys
            if label not in found and (f"<{_escaped(label)}>" in text or key):
                found[label] = self._existing(entity)
        out: Json = {"depends": self._depends("depends"), "explicit": self._depends("explicit")}
        if self.answer.get("random"):
            out["random"] = dict(sorted(self.answer["random"].items()))
        if self.answer["cloud"]["races"]:
            out["races"] = self._plain(self.answer["cloud"]["races"])
        out["entities"] = dict(sorted(found.items()))
        return out

    def _depends(self, name: str) -> Json:
        return {node: targets for node, targets in sorted((self.answer.get(name) or {}).items()) if targets}

    def _label(self, entities: list[Json]) -> None:
        """``port web``; several of one kind and node are counted in an order that is the same every time."""
        groups: dict[str, list[Json]] = {}
        for entity in entities:
            groups.setdefault(f"{entity['kind']} {entity['actor']}", []).append(entity)
        for label, group in groups.items():
            group.sort(key=lambda e: (e["origin"], self._loose(e), e["seq"]))
            for number, entity in enumerate(group):
                self.labels[entity["id"]] = f"{label} #{number + 1}" if number else label

    def _loose(self, entity: Json) -> str:
        """The content of an entity without anything that is another in every run."""
        text = json.dumps(self._content(entity, entity["attributes"]), sort_keys=True, default=str)
        text = _UUID.sub(lambda m: f"<{(self.entities.get(m[0]) or {'kind': '?'})['kind']}>", text)
        return _MAC.sub("<mac>", _ADDRESS.sub("<address>", text))

    def _label_addresses(self) -> None:
        count: dict[str, int] = {}
        for address, owner in sorted(self.answer["cloud"]["addresses"].items(), key=lambda item: _sortable(item[0])):
            if owner in self.labels:
                kind = "address6" if ":" in address else "address"
                label = f"{kind} {self.labels[owner]}"
                count[label] = count.get(label, 0) + 1
                self.addresses[address] = f"<{label}>" if count[label] == 1 else f"<{label} no. {count[label]}>"

    def _shown(self, entity: Json) -> Json:
        if entity["origin"] == "preexisting":
            return self._existing(entity)
        out: Json = {}
        if entity["origin"] != "created":
            out["origin"] = entity["origin"]
        if entity["modified_by"]:
            out["modified_by"] = entity["modified_by"]
        if entity["actor"] is None:
            out["actor"] = None
        out["is"] = self._content(entity, entity["attributes"])
        return out

    def _existing(self, entity: Json) -> Json:
        out: Json = {"origin": "preexisting", "asked": entity["asked"]}
        if entity["changes"]:
            out["changes"] = self._content(entity, entity["changes"])
            out["modified_by"] = entity["modified_by"]
        if entity["kind"] == "keypair":
            out["is"] = {"name": entity["attributes"].get("name")}
        return {key: value for key, value in out.items() if value not in NOTHING}

    def _content(self, entity: Json, attributes: Json) -> Json:
        kind = entity["kind"]
        derived = self.comparer.DERIVED["*"] | self.comparer.DERIVED.get(kind, set())
        out: Json = {}
        for key, value in sorted(attributes.items()):
            if key == "mac_given" and value:
                out[key] = True
            if key in derived or value in NOTHING or (key == "mac_address" and not attributes.get("mac_given")):
                continue
            if key == "user_data":
                value = self.comparer.user_data(value)
            if key == "personality" and all(isinstance(item, dict) for item in value):
                value = [dict(item, contents=self.comparer.unpacked(item.get("contents") or "")) for item in value]
            value = self._plain(value)
            if (kind, key) in self.comparer.UNORDERED and isinstance(value, list):
                value.sort(key=lambda item: json.dumps(item, sort_keys=True, default=str))
            if value not in NOTHING:
                out[key] = value
        return out

    def _plain(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {self._text(str(key)): self._plain(item) for key, item in value.items() if item not in NOTHING}
        if isinstance(value, list):
            return [self._plain(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        def named(found: re.Match[str]) -> str:
            return f"<{self.labels[found[0]]}>" if found[0] in self.labels else found[0]

        text = _UUID.sub(named, text)
        text = _ADDRESS.sub(lambda m: self.addresses.get(m[0], m[0]), text)
        text = _MAC.sub(lambda m: self.macs.get(m[0], m[0]), text)
        if self.name_pattern is not None:
            text = self.name_pattern.sub(lambda m: f"<name of {self.generated[m[0]]}>", text)
        return text.replace(PROJECT, "<project>")


def _sortable(address: str) -> tuple[int, int]:
    found = ipaddress.ip_address(address)
    return found.version, int(found)


def _escaped(label: str) -> str:
    return json.dumps(label)[1:-1]


# ------------------------------------------------------------------ and back
def restored(cloud: Json) -> Json:
    """An answer of the oracle that is compared as the recorded one was."""
    texts = {f"<{label}>": _ident(label, entity) for label, entity in cloud["entities"].items()}
    addresses: dict[str, str] = {}
    for token, label in sorted(set(_tokens(cloud["entities"], r"<address6? (.*?)(?: no\. \d+)?>"))):
        first = FIRST_ADDRESSES["address6" if token.startswith("<address6") else "address"]
        addresses[str(first + len(addresses))] = _ident(label, cloud["entities"][label])
        texts[token] = list(addresses)[-1]
    for label, entity in cloud["entities"].items():
        if label.startswith("port ") and not entity.get("is", {}).get("mac_given"):
            texts[f"<mac {label}>"] = _mac(label)
    generated = {f"generated-{name}-name": name for _, name in _tokens(cloud["entities"], r"<name of (.*?)>")}
    texts |= {f"<name of {name}>": text for text, name in generated.items()} | {"<project>": PROJECT}
    pattern = re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))))

    def back(value: Any) -> Any:
        if isinstance(value, dict):
            return {back(key): back(item) for key, item in value.items()}
        if isinstance(value, list):
            return [back(item) for item in value]
        return pattern.sub(lambda m: texts[m[0]], value) if isinstance(value, str) else value

    return {
        "ok": True,
        "engine": "cloudify",
        "stage": "done",
        "error": None,
        "random": cloud.get("random", {}),
        "depends": cloud["depends"],
        "explicit": cloud["explicit"],
        "components": cloud.get("components", []),
        "cloud": {
            "entities": [_entity(name, one, at, back) for at, (name, one) in enumerate(cloud["entities"].items())],
            "addresses": addresses,
            "generated": generated,
            "races": back(cloud.get("races", [])),
            "unknown": [],
            "refused": [],
        },
    }


def _entity(label: str, recorded: Json, number: int, back: Callable[[Any], Any]) -> Json:
    words = label.removeprefix("existing ").split(" ", 1)
    existing = recorded.get("origin") == "preexisting"
    actor = None if existing or "actor" in recorded else re.sub(r" #\d+$", "", words[1])
    attributes = back(recorded.get("is", {}))
    if words[0] == "port":
        attributes.setdefault("fixed_ips", [])
        attributes.setdefault("mac_address", _mac(label))
    if "user_data" in attributes:
        attributes["user_data"] = base64.b64encode("\n---\n".join(attributes["user_data"]).encode()).decode()
    for item in attributes.get("personality", ()):
        if isinstance(item, dict):
            item["contents"] = base64.b64encode(item.get("contents", "").encode()).decode()
    return {
        "kind": words[0],
        "id": _ident(label, recorded),
        "origin": recorded.get("origin", "created"),
        "asked": recorded.get("asked"),
        "actor": actor,
        "seq": number,
        "changes": back(recorded.get("changes", {})),
        "modified_by": recorded.get("modified_by", []),
        "attributes": dict(sorted(attributes.items())),
    }


def _ident(label: str, recorded: Json) -> str:
    """What was asked for by its id has that id, everything else one that follows from its name."""
    asked = recorded.get("asked")
    return asked if asked and _UUID.fullmatch(asked) else str(uuid.uuid5(_NAMESPACE, label))


def _mac(label: str) -> str:
    return "fa:16:3e:" + hashlib.sha256(label.encode()).digest()[:3].hex(":")


def _tokens(value: Any, pattern: str) -> Iterator[tuple[str, str]]:
    """Every such token in the texts inside of a value, whole and what is named in it."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _tokens(key, pattern)
            yield from _tokens(item, pattern)
    elif isinstance(value, list):
        for item in value:
            yield from _tokens(item, pattern)
    elif isinstance(value, str):
        yield from ((m[0], m[1]) for m in re.finditer(pattern, value))
