"""Random texts: Heat draws them from classes of characters, the plugin for secrets from four sets."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import Reading

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
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


def write_classes(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
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
            why = "the characters cannot be expressed"
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
    parts = {key: part for key, part in entry.items() if part is not None}
    name, number = parts.get("class", "lettersdigits"), parts.get("min", 1)
    members = _CLASSES.get(name) if isinstance(name, str) else None
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    return (members, number) if members and isinstance(number, int) and not isinstance(number, bool) else None


def read_classes(reading: Reading, name: str, rule: PropertyRule) -> None:
    """PasswordSecret has a minimum for each of four sets of characters (-1: none of them), and draws what is left of
    its length from all (cloudify-manager: password_secret/operations.py, ``create``). Heat demands at least one of
    each class, and that the length has room for all."""
    if name != "character_classes":
        return
    least: dict[str, Value] = {}
    place: Path = (*reading.node.path, "properties")
    for key in _SETS:
        entries = reading.written.take(key)
        least[key] = entries[0].value if entries and entries[0].value is not None else 0
        if entries and entries[0].own:
            place = entries[0].place
    length = reading.node.properties.get("length", 32)
    sets: list[Value] = [{"sequence": _SETS[key], "min": number} for key, number in least.items()]
    if any(type(number) is not int for number in least.values()):
        reading.put(name, [], place)
        reading.put("character_sequences", ex.Query(_COMPUTED, {"length": length, "sets": sets}), place)
        return
    numbers = {key: int(str(number)) for key, number in least.items()}
    classes, sequences = _demanded(numbers)
    more_classes, more_sequences = _any_of(numbers)
    filled, filling = (classes, sequences), ([*classes, *more_classes], [*sequences, *more_sequences])
    total = sum(number for number in numbers.values() if number > 0)
    if isinstance(length, int) and length < total:  # the minimums count
        reading.put("length", total, reading.node.origin("length"))
        reading.report("BPC351", reading.node.origin("length"), name="length", why="its minimums make the text longer")
        length = total
    if isinstance(length, ex.Expr) and total > 1:
        reading.report("BPC757", reading.node.origin("length"), least=total)
    for key, least_of_all, all_of_them in zip((name, "character_sequences"), filled, filling, strict=True):
        value: Value = all_of_them if 0 in numbers.values() else least_of_all
        if least_of_all != value and total and isinstance(length, ex.Expr):
            value = ex.If(ex.Equals(length, total), least_of_all, value)
        elif total == length:
            value = least_of_all
        if value not in (_HEATS if key == name else ()) and (value or key == name):
            reading.put(key, value, place if value == all_of_them else reading.node.origin("length"))


def _demanded(numbers: dict[str, int]) -> tuple[list[Value], list[Value]]:
    """The classes, and the sequences, that the minimums are."""
    classes: list[Value] = [{"class": key, "min": numbers[key]} for key in _NAMED if numbers[key] > 0]
    number = numbers["symbols"]
    return classes, [{"sequence": SYMBOLS, **({"min": number} if number > 1 else {})}] if number > 0 else []


def _any_of(numbers: dict[str, int]) -> tuple[list[Value], list[Value]]:
    """The class, or the sequence, of all characters that may be drawn."""
    allowed = [key for key, number in numbers.items() if number >= 0]
    union = _UNIONS.get(tuple(key in allowed for key in _NAMED))
    if "symbols" not in allowed and union is not None:
        return [{"class": union}], []
    return [], [{"sequence": "".join(_SETS[key] for key in allowed)}]


#: a space, and what Python calls punctuation
SYMBOLS = " " + string.punctuation
#: the classes that RandomString has by default
_HEATS: list[Value] = [[{"class": "lettersdigits"}]]
_SETS = {
    "uppercase": string.ascii_uppercase,
    "lowercase": string.ascii_lowercase,
    "digits": string.digits,
    "symbols": SYMBOLS,
}
#: the sets that are classes of RandomString
_NAMED = ("uppercase", "lowercase", "digits")
#: the sequences, where a value decides on a minimum
_COMPUTED = (
    "$.data.sets.where(int($.min) > 0) + switch($.data.sets.select(int($.min)).where($ > 0).sum(0) < "
    "int($.data.length) => [dict(sequence => $.data.sets.where(int($.min) >= 0).select($.sequence).join('')"
    ", min => 1)], true => [])"
)
#: kinds of characters that are allowed -> the first class of all of them
_UNIONS: dict[tuple[bool, ...], str] = {members: name for name, members in reversed(_CLASSES.items()) if members}
