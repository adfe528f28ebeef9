"""How the source uses its inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value, is_constant
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request


class Uses:
    """Which inputs of a topology are used, and how. Each is found when it is asked for first."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self._words, self._data = request.source.words, request.document.data

    @cached_property
    def asked(self) -> frozenset[Value]:
        """Names of the inputs that something in the source refers to."""
        used = {expr.name for expr in ex.walk(list(self.topology.values())) if isinstance(expr, ex.Input)}
        called = self._words.inputs_in(self._data)
        return frozenset(name for name in (*used, *called) if isinstance(name, str))

    @cached_property
    def in_texts(self) -> frozenset[str]:
        """Names of the inputs that are used in texts only, which ``concat`` makes."""
        inside: set[Value] = set()
        outside: set[Value] = set()
        for value in self.topology.values():
            for expr, in_text in _with_texts(value, False):
                (inside if in_text else outside).add(expr.name)
        return frozenset(name for name in inside - outside if isinstance(name, str))

    @cached_property
    def entered(self) -> frozenset[str]:
        """Names of the inputs of which parts are used."""
        return frozenset(
            expr.name
            for expr in ex.walk(list(self.topology.values()))
            if isinstance(expr, ex.Input) and expr.keys and isinstance(expr.name, str)
        )

    @cached_property
    def lists(self) -> frozenset[Value]:
        """Names of the inputs that are lists for a function."""
        found: list[Value] = []
        for expr in ex.walk(list(self.topology.values())):
            if isinstance(expr, ex.ListConcat) and isinstance(expr.lists, (list, tuple)):
                for item in expr.lists:
                    data = item.data if isinstance(item, ex.Query) else item
                    found += data.values() if isinstance(data, dict) else [data]
        return frozenset(value.name for value in found if isinstance(value, ex.Input))

    @cached_property
    def circular(self) -> frozenset[str]:
        """Names of the inputs whose defaults need themselves."""
        needs = {
            name: {expr.name for expr in ex.walk(declared.default) if isinstance(expr, ex.Input)}
            for name, declared in self.topology.inputs.items()
            if not is_constant(declared.default)
        }
        users: dict[Value, list[str]] = {}
        for name, others in needs.items():
            for other in others:
                users.setdefault(other, []).append(name)
        left = {name: sum(other in needs for other in others) for name, others in needs.items()}
        ends = [name for name, count in left.items() if not count]
        while ends:
            end = ends.pop()
            del needs[end]
            for name in users.get(end, ()):
                left[name] -= 1
                if not left[name]:
                    ends.append(name)
        return frozenset(name for name in needs if _reaches(name, needs))


def _reaches(name: str, needs: Mapping[str, Collection[Value]]) -> bool:
    """True when what ``name`` needs needs ``name``."""
    seen: set[Value] = set()
    waiting = list(needs[name])
    while waiting:
        found = waiting.pop()
        if found == name:
            return True
        if isinstance(found, str) and found in needs and found not in seen:
            seen.add(found)
            waiting += needs[found]
    return False


def _with_texts(value: Value, in_text: bool) -> Iterator[tuple[ex.Input, bool]]:
    """The references to inputs, each with whether ``concat`` makes text of it."""
    if isinstance(value, ex.Input):
        yield value, in_text and not value.keys
    if isinstance(value, ex.Expr):
        for name in ex.field_names(type(value)):
            yield from _with_texts(getattr(value, name), isinstance(value, ex.Concat))
    elif isinstance(value, (dict, list, tuple)):
        inside = in_text and isinstance(value, tuple)
        for item in value.values() if isinstance(value, dict) else value:
            yield from _with_texts(item, inside)
