"""Values drawn at random for inputs and runtime attributes: the same seed draws the same ones."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Attribute, AttributeList, Equals, Input, Value, is_constant, walk
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Input as Declared
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.passes.expressions.kinds import INPUT_TYPES, literal_kind
from bpconvert.translators.verify.patterns import matching

#: how often a value is drawn anew that a constraint refuses
_TRIES: Final = 200
#: how far a number may be above its least value: counts of resources are numbers, too
_RANGE: Final = 5
#: no text is longer
_LONGEST: Final = 1000
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: what completes a text where every kind of character is asked for
_MIXED: Final = ("aB3!", "xY7-", "Qw0_")

#: custom constraint -> how what it takes begins, the drawn number in place of the braces
_CUSTOM: Final = {
    "ip_addr": "10.0.0.{}",
    "net_cidr": "10.{}.0.0/24",
    "mac_addr": "fa:16:3e:00:00:{:02x}",
    "iso_8601": "2030-01-{:02d}T00:00:00Z",
    "expiration": "2030-01-{:02d}T00:00:00Z",
    "timezone": "Etc/GMT+{}",
    "cron_expression": "{} * * * *",
    "dns_name": "name-{}",
    "rel_dns_name": "name-{}",
    "dns_domain": "domain-{}.example.org.",
    "test_constr": "{}",
}
#: the parts of a value that are asked for: step -> those of that part
Shape = dict[Any, Any]
#: the attribute of a port that has its addresses
ADDRESSES: Final = "fixed_ips"
#: stands for a value that is drawn
_ANY: Final = object()


class Turn(NamedTuple):
    """One of several draws, from 0 on. The same seed and number draw the same values."""

    seed: str
    number: int

    def __str__(self) -> str:
        return f"{self.seed}.{self.number}"

    def keeps(self, declared: Declared, candidates: Mapping[str, list[Any]]) -> bool:
        """True where an input keeps its default: all do at first, those that take many values in every second draw, so
        that defaults count as well where a condition of other inputs holds."""
        few = _few([("", declared)], candidates.get(declared.name, []))
        return self.number == 0 or (self.number % 2 == 0 and not few)


def compared(values: Iterable[Value]) -> dict[str, list[Any]]:
    """Input -> what ``values`` compare it with."""
    compared_with: dict[str, list[Any]] = {}
    for expr in walk(list(values)):
        if isinstance(expr, Equals):
            for operand, other in ((expr.left, expr.right), (expr.right, expr.left)):
                if (
                    isinstance(operand, Input)
                    and isinstance(operand.name, str)
                    and not operand.keys
                    and is_constant(other)
                ):
                    compared_with.setdefault(operand.name, []).append(other)
    return compared_with


def asked(kind: type[Attribute] | type[Input], values: Iterable[Value], scope: Scope | None = None) -> dict[str, Shape]:
    """Input, or attribute of whatever node or of all its instances -> the parts of it that ``values`` ask for. The name
    of a part may be computed in a ``scope``, from inputs: that of the network of an address."""
    kinds = (kind, AttributeList) if kind is Attribute else kind
    shapes: dict[str, Shape] = {}
    for expr in walk(list(values)):
        if not isinstance(expr, kinds) or not isinstance(expr.name, str):
            continue
        steps = [_computed(step, scope) for step in expr.keys]
        if all(isinstance(step, (str, int)) for step in steps):
            shape = shapes.setdefault(expr.name, {})
            for step in steps:
                shape = shape.setdefault(step, {})
    return shapes


def references(values: Iterable[Value]) -> list[Value]:
    """What refers to attributes in ``values``."""
    return [expr for expr in walk(list(values)) if isinstance(expr, (Attribute, AttributeList))]


def attributes(references: Iterable[Value], inputs: Mapping[str, Value]) -> dict[str, Shape]:
    """Attribute -> the parts of it that ``references`` ask for under ``inputs``. The addresses of a server are in two
    of its attributes."""
    scope = Scope(inputs={name: value for name, value in inputs.items() if value is not MISSING})
    shapes = asked(Attribute, references, scope)
    for network, rows in shapes.get("addresses", {}).items():
        for index, row in rows.items():
            if "addr" in row:
                shapes.setdefault("networks", {}).setdefault(network, {}).setdefault(index, {})
    return shapes


def _computed(step: Value, scope: Scope | None) -> Value:
    """The step of a path, computed where that is possible."""
    try:
        return step if scope is None or is_constant(step) else fold(step, scope)
    except (Refused, RecursionError):
        return step


def input_value(takers: list[tuple[str, Declared]], turn: Turn, shape: Shape, candidates: list[Any]) -> Value:
    """A value that an input takes in every document that has it (``takers``: dialect, input); MISSING where none is
    found. ``candidates``: what it is compared with.

    The first turns take what has few values in turn (true and false, the allowed values, the candidates and one that
    is none of them), so that no side of a condition is left to chance."""
    name = takers[0][1].name
    choose = random.Random(f"{turn.seed}.{turn.number} {name}")
    few = _few(takers, candidates)
    if len(few) > 1:
        random.Random(f"{turn.seed} {name}").shuffle(few)
    few.sort(key=lambda value: value is _ANY or value not in candidates)  # what decides something comes first
    due = few[turn.number - 1] if 0 < turn.number <= len(few) else choose.choice(few) if few else _ANY
    for number in range(_TRIES):
        declared = takers[number % len(takers)][1]
        value = due
        if due is _ANY:
            texts = [candidate for candidate in candidates if isinstance(candidate, str) and candidate]
            nearly = bool(texts) and choose.random() < 0.5
            text = choose.choice(texts) if nearly else ""  # what is compared by searching has to distinguish its parts
            value = choose.choice([text[1:], text[:-1]]) if nearly else _draw(declared, choose, shape)
        if isinstance(value, str) and number > _TRIES // 2 and due is _ANY:
            value += choose.choice(_MIXED)
        if all(accepts(dialect, taker, value) for dialect, taker in takers):
            dialect, declared = takers[0]
            return DIALECTS[dialect].accept(declared, value)
        if due is not _ANY:
            due = choose.choice(few)
    return MISSING


def _few(takers: list[tuple[str, Declared]], candidates: list[Any]) -> list[Any]:
    """What an input is tried with in turn (_ANY: a value that is drawn); nothing where any value is as good."""
    declared = takers[0][1]
    constraints = [constraint for _, taker in takers for constraint in taker.constraints]
    for constraint in constraints:
        if constraint.kind == "allowed_values":
            return [[value] if declared.type == "list" else value for value in constraint.argument]
    if (declared.type or _kind_of(declared.default)) == "boolean":
        return [True, False]
    distinct = [value for index, value in enumerate(candidates) if value not in candidates[:index]]
    return [*distinct, _ANY] if distinct else []


def _draw(declared: Declared, choose: random.Random, shape: Shape) -> Value:
    bounds = {constraint.kind: constraint.argument for constraint in declared.constraints}
    kind = declared.type or _kind_of(declared.default)
    if kind == "number":
        return _number(bounds, declared.default, choose)
    if kind == "boolean":
        return choose.random() < 0.5
    if isinstance(declared.default, (dict, list)) and is_constant(declared.default):
        return _deepened(_varied(declared.default, choose), shape, choose)
    if kind == "list":
        least, most = (_bound(bounds.get("length"), end) for end in ("min", "max"))
        count = max(min(int(least or 1), _LONGEST), choose.randint(1, 3) if most is None else min(int(most), 3))
        return [_word(choose) for _ in range(max(_length(shape), count))]
    is_text = declared.type == "string" or isinstance(declared.default, str)
    if kind == "json" or (shape and not is_text):
        return shaped(shape, choose) if shape else {_word(choose): _word(choose)}
    if bounds.get("custom") in _CUSTOM:
        return _CUSTOM[bounds["custom"]].format(choose.randint(1, 9))
    least, most = (_bound(bounds.get("length"), end) for end in ("min", "max"))
    patterns = [row.argument for row in declared.constraints if row.kind == "allowed_pattern"]
    patterns = [pattern for pattern in patterns if isinstance(pattern, str)]
    if patterns:
        text = matching(choose.choice(patterns), choose, min(int(least or 0), _LONGEST))
        return text if most is None else text[: int(most)]
    least = max(least or 1, _length(shape))  # a character of it may be asked for
    return _word(choose, min(int(least), _LONGEST), min(12 if most is None else int(most), _LONGEST))


def _number(bounds: Mapping[str, Any], default: Value, choose: random.Random) -> Value:
    """A number from the least that there may be on; a float where the default is one, or no whole number is in the
    range."""
    low, high = (_bound(bounds.get("range"), end) for end in ("min", "max"))
    step, offset = int(_bound(bounds.get("modulo"), "step") or 1), int(_bound(bounds.get("modulo"), "offset") or 0)
    least = math.ceil(low) if low is not None else 0 if high is None else min(0, math.floor(high))
    least += (offset - least) % step
    most = least + _RANGE * abs(step)
    if high is not None and high < most:
        most = math.floor(high)
    if least > most and low is not None:
        return low
    number = choose.randrange(least, max(least, most) + 1, abs(step))
    return float(number) if isinstance(default, float) else number


def _bound(limits: Any, name: str) -> float | None:
    """One limit of a range or a length, None where there is none."""
    try:
        bound = float(limits[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return bound if math.isfinite(bound) else None


def _kind_of(default: Value) -> str:
    """The type of an input that has none, by its default."""
    return "list" if isinstance(default, list) else INPUT_TYPES.get(literal_kind(default), "string")


def _length(shape: Shape) -> int:
    """How long a list is whose items ``shape`` asks for."""
    return max((step + 1 for step in shape if isinstance(step, int) and step < _LONGEST), default=0)


def shaped(shape: Shape, choose: random.Random) -> Any:
    """Data that has every part of ``shape``, each a text of its own. Where all steps are texts it is a map, which takes
    them in every language: not all take the text ``"0"`` for an item of a list."""
    if not shape:
        return _word(choose, 6)
    numbers = any(isinstance(step, int) for step in shape)
    if numbers and all(isinstance(step, int) or (isinstance(step, str) and step.isdecimal()) for step in shape):
        numbered = {int(step): part for step, part in shape.items()}
        return [shaped(numbered.get(index, {}), choose) for index in range(_length(numbered))]
    return {step: shaped(part, choose) for step, part in shape.items() if isinstance(step, str)}


def addresses(shape: Shape, choose: random.Random) -> list[Any]:
    """The addresses of a port, at least one of each version, each a map with its subnet (heat: neutron/port.py)."""
    written = ("10.0.0.{}", "fd00::{}")
    addresses_drawn = [
        {"subnet_id": _word(choose, 6), "ip_address": written[index % 2].format(choose.randint(2, 250))}
        for index in range(max(2, _length(shape)))
    ]
    return [_deepened(item, shape.get(index, {}), choose) for index, item in enumerate(addresses_drawn)]


def _word(choose: random.Random, least: int = 1, most: int = 12) -> str:
    return "".join(choose.choices(_LETTERS, k=choose.randint(least, max(least, most))))


def _deepened(value: Any, shape: Shape, choose: random.Random) -> Any:
    """``value`` with those parts of ``shape`` that it does not have."""
    if isinstance(value, dict):
        texts = {step: part for step, part in shape.items() if isinstance(step, str)}
        added = {step: shaped(part, choose) for step, part in texts.items() if step not in value}
        return {key: _deepened(item, texts.get(key, {}), choose) for key, item in value.items()} | added
    if isinstance(value, list):
        return value + [shaped(shape.get(index, {}), choose) for index in range(len(value), _length(shape))]
    return value


def _varied(value: Any, choose: random.Random) -> Any:
    """Data of the same shape with other values in it; some stay, so that what compares them goes both ways."""
    if isinstance(value, dict):
        return {key: _varied(item, choose) for key, item in value.items()}
    if isinstance(value, list):
        return [_varied(item, choose) for item in value]
    if isinstance(value, bool):
        return not value if choose.random() < 0.8 else value
    if isinstance(value, (int, float)):
        return value + choose.randint(0, _RANGE)
    return _word(choose) if isinstance(value, str) and choose.random() < 0.8 else value


def accepts(dialect: str, declared: Declared, value: Value) -> bool:
    """True for a value that the input's type and constraints take."""
    try:
        DIALECTS[dialect].accept(declared, value)
    except (ValueError, TypeError, OverflowError):
        return False
    return True
