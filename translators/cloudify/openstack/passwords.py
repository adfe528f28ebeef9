"""Random texts: Heat draws them from classes of characters, the plugin for secrets from four sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import Reading

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import Draft
    from bpconvert.translators.cloudify.openstack.protocols import Writing

#: what a class of RandomString allows: (uppercase, lowercase, digits); None: no counterpart
_CLASSES: dict[str, tuple[bool, bool, bool] | None] = {
    "lettersdigits": (True, True, True),
    "letters": (True, True, False),
    "uppercase": (True, False, False),
    "lowercase": (False, True, False),
    "digits": (False, False, True),
    "hexdigits": (False, False, True),
    "octdigits": None,
}


def write_classes(writing: Writing, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """RandomString draws from the union of its classes with a minimum for each; PasswordSecret knows four sets."""
    classes = [{"class": value}] if isinstance(value, str) else value
    read = [_character_class(entry) for entry in classes] if isinstance(classes, list) else [None]
    listed = classes if isinstance(classes, list) else []
    if any(isinstance(item, dict) and item.get("class") == "hexdigits" for item in listed):
        note = "the text has no letters a to f: it is drawn from the digits, a hexadecimal number all the same"
        writing.report("BPC309", source, note=note)
    allowed, least = [False] * 3, [0] * 3
    for entry in read:
        if entry is None:
            why = "the characters cannot be said"
            writing.report("BPC302", source, name=source[-1], type=draft.node.source_type, why=why)
            return
        members, number = entry
        allowed = [a or m for a, m in zip(allowed, members, strict=True)]
        if sum(members) == 1:
            place = members.index(True)
            least[place] = max(least[place], number)
        elif number > 1:
            writing.report("BPC314", source, name="min")
    for name, is_allowed, number in zip(("uppercase", "lowercase", "digits"), allowed, least, strict=True):
        if not is_allowed or number:
            draft.put((name,), number if is_allowed else -1, source)


def _character_class(entry: Value) -> tuple[tuple[bool, bool, bool], int] | None:
    """The kinds of characters and the least number of them; None where there is no counterpart."""
    if not isinstance(entry, dict):
        return None
    given = {key: part for key, part in entry.items() if part is not None}
    name, number = given.get("class", "lettersdigits"), given.get("min", 1)
    members = _CLASSES.get(name) if isinstance(name, str) else None
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    return (members, number) if members and isinstance(number, int) and not isinstance(number, bool) else None


def read_classes(reading: Reading, name: str, rule: PropertyRule) -> None:
    """PasswordSecret has a minimum for each of four sets of characters (-1: none of them)."""
    if name != "character_classes":
        return
    least: dict[str, Any] = {}
    place: Path = (*reading.node.path, "properties")
    for key in ("uppercase", "lowercase", "digits", "symbols"):
        entries = reading.written.take(key)
        least[key] = entries[0].value if entries and entries[0].value is not None else 0
        if type(least[key]) is not int:
            why = "how many characters there are of a class has to be written out"
            reading.lost(key, entries[0].place, why)
            least[key] = 0
        if entries and entries[0].own:
            place = entries[0].place
    symbols = least.pop("symbols")
    classes = [{"class": key, "min": number} for key, number in least.items() if number > 0]
    loose = [key for key, number in least.items() if number == 0]
    union = _UNIONS.get(tuple(number >= 0 for number in least.values()))
    if loose and union is not None and (classes or union != "lettersdigits"):
        classes.append({"class": union})
    elif loose and union is None:
        classes += [{"class": key} for key in loose]
        reading.report("BPC368", place, problem="there is at least one character of each class")
    if classes:
        reading.put(name, classes, place)
    if symbols >= 0:
        many = {"min": symbols} if symbols > 1 else {}
        reading.put("character_sequences", [{"sequence": _SYMBOLS, **many}], place)
        reading.report("BPC368", place, problem=f"the symbols are drawn from {_SYMBOLS}")


_SYMBOLS = "!@#$%^&*()-_=+"
#: kinds of characters that are allowed -> the first class of all of them
_UNIONS: dict[tuple[bool, ...], str] = {members: name for name, members in reversed(_CLASSES.items()) if members}
