"""Which condition an index stands for: a boolean input, or one text looked for in another (see ``conditions``).

Only what is right for every value that the inputs can have is read, or is reported: a comparison of texts is taken for
a comparison of values where the texts are equal exactly when the values are.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Input
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.passes.expressions.choices import disjunction, negation

#: more combinations of values than this are not tried
_MOST_VALUES = 400


class Finding(NamedTuple):
    """A diagnostic about an index that is nearly a condition."""

    code: str
    path: Path
    texts: dict[str, Any]


class Decision(NamedTuple):
    """An index: ``then`` where ``condition`` holds, else ``otherwise``."""

    condition: Value
    then: int
    otherwise: int
    findings: tuple[Finding, ...] = ()


class Indices:
    """Reads the indices of one blueprint. ``integers``: the number inputs that take whole numbers only."""

    def __init__(self, inputs: Mapping[str, Input], integers: Collection[str] = ()) -> None:
        self._inputs = inputs
        self._integers = integers

    def read(self, index: Value) -> Decision | None:
        """What ``index`` decides; None where that is no condition."""
        if isinstance(index, ex.Input):
            return Decision(index, 1, 0) if self._kind(index) == "boolean" else None
        if not isinstance(index, ex.Find):
            return None
        return self._contained(index) or self._literal(index) or self._tried(index) or self._pair(index)

    def _contained(self, index: ex.Find) -> Decision | None:
        """A text in what stands before the first place of a part of it: -1 where it has the part (see
        :func:`.static_texts.lacks`)."""
        start, whole = index.text, index.part
        if not isinstance(start, ex.Split) or start.index != 0 or start.text != whole:
            return None
        part = start.delimiter
        if not isinstance(part, str) or not part:
            return None
        if self._kind(whole) == "string":
            return Decision(ex.Contains(part, whole, path=index.path), -1, 0)
        items = whole.items[0] if isinstance(whole, ex.Concat) and len(whole.items) == 1 else None
        plain = len(part) > 1 and part[0] == part[-1] == "'" and "'" not in part[1:-1] and part != "', '"
        if not isinstance(items, ex.Input) or not plain or self._kind(items) != "list" or items.keys:
            return None
        finding = Finding("BPC227", index.path, {"name": str(items.name)})
        return Decision(ex.Contains(part[1:-1], items, path=index.path), -1, 0, (finding,))

    # -- kinds ----------------------------------------------------------------------------------------------

    def _kind(self, value: Value) -> str | None:
        """The neutral type of an input's whole value or of a text in a list of texts; None: not known, or null."""
        if not isinstance(value, ex.Input) or not isinstance(value.name, str):
            return None
        declared = self._inputs.get(value.name)
        if declared is None or declared.extra.get("required") is False or declared.default is None:
            return None
        if value.keys:
            is_text = len(value.keys) == 1 and type(value.keys[0]) is int
            return "string" if declared.type == "list" and is_text else None
        return declared.type

    def _values(self, value: ex.Input) -> list[Any] | None:
        """All values that an input can have; None: not known."""
        kind = self._kind(value)
        if kind == "boolean":
            return [True, False]
        if kind != "string" or value.keys:
            return None
        for constraint in self._inputs[value.name].constraints:
            allowed = constraint.argument
            if constraint.kind == "allowed_values" and isinstance(allowed, list):
                return list(dict.fromkeys(allowed)) if all(isinstance(item, str) for item in allowed) else None
        return None

    # -- a value and a literal ------------------------------------------------------------------------------

    def _literal(self, find: ex.Find) -> Decision | None:
        """A text around one value, looked for in a literal."""
        framed = _framed(find.part)
        if framed is None or not isinstance(find.text, str):
            return None
        before, value, after = framed
        literal = _unframed(find.text, before, after)
        kind = self._kind(value)
        if literal is None:
            return None
        if kind == "string":
            findings = (Finding("BPC265", find.path, {"name": value.name}),) if literal == "None" else ()
            return Decision(ex.Equals(value, literal, path=find.path), 0, -1, findings)
        if kind == "boolean" and literal in ("True", "False"):
            return Decision(value if literal == "True" else negation(value), 0, -1)
        number = _number(literal) if kind == "number" else None
        if number is None:
            return None
        exact = number % 1 != 0 or (isinstance(number, int) and value.name in self._integers)
        finding = Finding("BPC420", find.path, {})
        return Decision(ex.Equals(value, number, path=find.path), 0, -1, () if exact else (finding,))

    # -- values that can be tried ---------------------------------------------------------------------------

    def _tried(self, find: ex.Find) -> Decision | None:
        """One input whose possible values are all known, in whatever text."""
        inputs = _inputs_of(find)
        if len(inputs) != 1:
            return None
        values = self._values(inputs[0])
        if not values or len(values) > _MOST_VALUES:
            return None
        places = [_computed(find, {inputs[0].name: value}) for value in values]
        holding = [value for value, place in zip(values, places, strict=True) if place == 0]
        lost = [value for value, place in zip(values, places, strict=True) if place == -1]
        if not holding or not lost or len(holding) + len(lost) < len(values):
            return None
        if self._kind(inputs[0]) == "boolean":
            return Decision(inputs[0] if holding == [True] else negation(inputs[0]), 0, -1)
        fewer, then, otherwise = (holding, 0, -1) if len(holding) <= len(lost) else (lost, -1, 0)
        tests = [ex.Equals(inputs[0], value, path=find.path) for value in fewer]
        return Decision(disjunction(*tests), then, otherwise)

    # -- two values -----------------------------------------------------------------------------------------

    def _pair(self, find: ex.Find) -> Decision | None:
        """Two values of one kind, each between the same separator."""
        framed = _framed(find.text), _framed(find.part)
        if framed[0] is None or framed[1] is None:
            return None
        (fence, left, end), (before, right, after) = framed[0], framed[1]
        kind = self._kind(left)
        if not fence == end == before == after or len(fence) != 1 or fence.isalnum() or fence in "-+.":
            return None
        if kind not in ("string", "boolean", "number") or kind != self._kind(right):
            return None
        equals = ex.Equals(left, right, path=find.path)
        findings: tuple[Finding, ...] = ()
        if kind == "number" and not {left.name, right.name} <= set(self._integers):
            findings = (Finding("BPC420", find.path, {}),)
        if kind == "string" and not self._compares_all(find, left, right):
            findings = (Finding("BPC421", find.path, {"fence": fence}),)
        return Decision(equals, 0, -1, findings)

    def _compares_all(self, find: ex.Find, left: ex.Input, right: ex.Input) -> bool:
        """True when all values of both are known and ``find`` is right for each pair."""
        lefts, rights = self._values(left), self._values(right)
        if not lefts or not rights or len(lefts) * len(rights) > _MOST_VALUES:
            return False
        return all(
            _computed(find, {left.name: a, right.name: b}) == (0 if a == b else -1)
            for a, b in itertools.product(lefts, rights)
            if left.name != right.name or a == b
        )


def _framed(value: Value) -> tuple[str, Any, str] | None:
    """A text that is one value between two literals: (before, value, after)."""
    if not isinstance(value, ex.Concat):
        return None
    items = list(value.items)
    calls = [place for place, item in enumerate(items) if isinstance(item, ex.Expr)]
    if len(calls) != 1 or not all(isinstance(item, (str, ex.Expr)) for item in items):
        return None
    place = calls[0]
    return "".join(items[:place]), items[place], "".join(items[place + 1 :])


def _unframed(text: str, before: str, after: str) -> str | None:
    """The one value that, between ``before`` and ``after``, is found in ``text``, at its start; None where another
    value is found too, or elsewhere."""
    end = len(text) - len(after)
    if not before or not after or not text.startswith(before) or not text.endswith(after) or end < len(before):
        return None
    ends_earlier = text.find(after, len(before)) < end
    starts_later = 0 <= text.find(before, 1) <= end - len(before)
    return None if ends_earlier or starts_later else text[len(before) : end]


def _number(text: str) -> int | float | None:
    """The number that Python writes like this; None if it writes none so."""
    for kind in (int, float):
        try:
            number: int | float = kind(text)
        except ValueError:
            continue
        return number if str(number) == text and number - number == 0 else None
    return None


def _inputs_of(find: ex.Find) -> list[ex.Input]:
    """The inputs in ``find``, each once; none where it holds other references."""
    inputs_by_text: dict[str, ex.Input] = {}
    for expr in ex.walk(find):
        if isinstance(expr, ex.Input):
            inputs_by_text[repr(expr)] = expr
        elif not isinstance(expr, (ex.Find, ex.Concat, ex.Lower, ex.Upper)):
            return []
    return list(inputs_by_text.values())


def _computed(find: ex.Find, inputs: dict[str, Any]) -> Value:
    """The place that ``find`` gives for these inputs; None where the engine refuses."""
    try:
        return fold(find, Scope(inputs=inputs))
    except Refused:
        return None
