"""What a source has a function of its own for, a secret, is an input of that name in what was made from it: in what
comes back it is the source's call again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.support.places import entries, maps


def with_own_calls(
    lowered: Lowered, source: Mapping[str, Any], section: str, calls: Collection[str], edited: Collection[Path]
) -> dict[str, Any]:
    """The data of a translation with the calls of the ``source`` in place of the inputs of the same name that it does
    not have, and without these. ``section``: how that of inputs is called; ``edited``: entries of the translated
    document that count by themselves."""
    data, there = lowered.data, entries(source, section)
    counted = {places[0] for entry in edited if (places := lowered.made.get(entry))}
    names = {name for name in entries(data, section) if name not in there and (section, name) not in counted}
    own = _calls_of(source, names, calls) if names else {}
    used = _calls_of(data, own, calls)
    exchanged = {
        name: {call: name}
        for name, (call, *others) in own.items()
        if not others and call not in used.get(name, ()) and len(used.get(name, ())) == 1
    }
    if not exchanged:
        return data
    result: dict[str, Any] = _exchanged(data, exchanged, calls)
    inputs = {name: value for name, value in entries(result, section).items() if name not in exchanged}
    return {name: inputs if name == section else value for name, value in result.items() if name != section or inputs}


def _calls_of(data: Any, names: Collection[str], calls: Collection[str]) -> dict[str, list[str]]:
    """The functions that are called with one of these names as all of their argument."""
    result: dict[str, list[str]] = {}
    for call, name in _calls_with_one_name(data, calls):
        if name in names and call not in result.setdefault(name, []):
            result[name].append(call)
    return result


def _calls_with_one_name(data: Any, calls: Collection[str]) -> Iterator[tuple[str, str]]:
    for value, _ in maps(data, ()):
        if len(value) == 1:
            ((call, name),) = value.items()
            if isinstance(name, str) and call in calls:
                yield call, name


def _exchanged(value: Any, calls_of: Mapping[str, Any], calls: Collection[str]) -> Any:
    if isinstance(value, dict):
        if len(value) == 1:
            ((call, name),) = value.items()
            if isinstance(name, str) and call in calls and name in calls_of:
                return dict(calls_of[name])
        return {key: _exchanged(item, calls_of, calls) for key, item in value.items()}
    return [_exchanged(item, calls_of, calls) for item in value] if isinstance(value, list) else value
