"""Several measures of ``measure.py`` (../shared/engines) in one process: what two of them ask for is computed once.

    measures.py MEASURE.PY < MEASURES        a line for each: the arguments of measure.py

A document is converted once by a command with the same options, and asked about once with the same values. Ends with
the first measure that falls short, and its exit code.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class Known:
    """The answers to what was asked, by key."""

    def __init__(self) -> None:
        self.answers: dict[Any, Any] = {}

    def look_up(self, keys: list[Any], values: list[Any], ask: Callable[[list[Any]], list[Any]]) -> list[Any]:
        """The answers for ``values``, in order; ``ask`` is asked for those whose key has none yet."""
        pairs = zip(keys, values, strict=True)
        new = {key: value for key, value in pairs if key not in self.answers}
        if new:
            self.answers.update(zip(new, ask(list(new.values())), strict=True))
        return [self.answers[key] for key in keys]


def remember(measure: ModuleType) -> None:
    """Let the functions of the module that convert documents and ask engines remember what they gave."""
    heat, cloudify, tosca, convert = measure.heat, measure.cloudify, measure.tosca, measure.convert
    of_heat, of_cloudify, of_tosca, converted = Known(), Known(), Known(), Known()

    def heat_once(requests: list[Any]) -> list[Any]:
        return of_heat.look_up([(str(path), fake) for path, fake in requests], requests, heat)

    def cloudify_once(paths: list[Any], stub: bool = False, inputs: list[Any] | None = None) -> list[Any]:
        given = inputs or [None] * len(paths)
        keys = [(str(path), stub, json.dumps(one, sort_keys=True)) for path, one in zip(paths, given, strict=True)]

        def ask(new: list[Any]) -> list[Any]:
            return list(cloudify([path for path, _ in new], stub, [one for _, one in new] if inputs else None))

        return of_cloudify.look_up(keys, list(zip(paths, given, strict=True)), ask)

    def tosca_once(paths: list[Any], engines: tuple[str, ...] = ("tosca-parser", "opera", "puccini")) -> list[Any]:
        return of_tosca.look_up([(str(path), engines) for path in paths], paths, lambda new: list(tosca(new, engines)))

    def convert_once(command: str, paths: list[Any], out: Any, *options: Any) -> list[Any]:
        keys = [(command, str(path), options) for path in paths]
        return converted.look_up(keys, paths, lambda new: list(convert(command, new, out, *options)))

    measure.__dict__.update(
        heat=heat_once,
        cloudify=cloudify_once,
        tosca=tosca_once,
        convert=convert_once,
        accepted=functools.cache(measure.accepted),
    )


def main() -> None:
    """Run the measures of the lines of standard input."""
    spec = importlib.util.spec_from_file_location("measure", sys.argv[1])
    assert spec is not None
    assert spec.loader is not None
    measure = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(measure)
    remember(measure)
    for line in sys.stdin.read().splitlines():  # read whole: what a measure runs has the same input
        sys.argv[1:] = line.split()
        try:
            measure.main()
        except SystemExit as end:
            if end.code:
                raise
        sys.stdout.flush()


if __name__ == "__main__":
    main()
