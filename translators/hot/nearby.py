"""Environment files of the directory that a template is in: what the nearest one maps, a type stands for.

Heat has no such rule: its environments are named when a stack is created. So only types count that Heat does not have
itself, and only of the registries: values of parameters are those of one deployment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from bpconvert.diagnostics import BpconvertError, Reporter
from bpconvert.environments import LONGEST
from bpconvert.files import Meant
from bpconvert.options import Nearby
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.hot.environment import Environment, Steps, read
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.yamlio.document import load

#: an entry of a file: the file, and the path in its registry
Entry = tuple[str, Steps]


def around(environment: Environment | None, nearby: Nearby, knows: Callable[[str], bool]) -> Environment:
    """The user's environment with what is said near the template. ``knows``: whether a type needs no environment."""
    return NearEnvironment(environment or Environment({}), nearby, knows)


class NearEnvironment(Environment):
    """What the user's environments say, and where they say nothing the nearest one of the directory."""

    def __init__(
        self,
        environment: Environment,
        nearby: Nearby,
        knows: Callable[[str], bool],
        without: frozenset[Entry] = frozenset(),
    ) -> None:
        """``knows``: whether a type needs no environment; ``without``: entries that do not count."""
        super().__init__(environment.entries, environment.parameters, environment.defaults)
        self.home = Path(nearby.home)
        self._nearby = nearby
        self._knows = knows
        self._without = without

    def resolve(self, type: str, resource: str) -> Meant:
        """As of an environment. What is found in the directory has its ``environment``, with ``others`` where that does
        not count because another one says something else."""
        meaning = super().resolve(type, resource)
        if meaning.path or type.endswith(TEMPLATE_ENDINGS) or self._knows(type) or heat_type(type) is not None:
            return meaning
        near = self._nearest(type, resource)
        if not near:
            return meaning
        places = tuple(_place(entry.environment, entry.path[1:]) for entry in near) if len(near) > 1 else ()
        return Meant(type, environment=near[0].environment, others=places) if places else near[0]

    def inside(self, path: Steps) -> Environment:
        """The same for the template that an entry leads to, which can use what it replaces."""
        if path[0] not in self._nearby.files:
            return NearEnvironment(super().inside(path), self._nearby, self._knows, self._without)
        environment = Environment(self.entries, defaults=self.defaults)
        return NearEnvironment(environment, self._nearby, self._knows, self._without | {(path[0], path[1:])})

    def _nearest(self, type: str, resource: str) -> list[Meant]:
        """What the nearest environments say: one for each different thing."""
        meanings_by_distance: dict[int, dict[str, Meant]] = {}
        for file in self._nearby.files:
            for meant in self._by(file, type, resource):
                what = os.path.realpath(meant.file) if meant.file is not None else meant.name
                meanings_by_distance.setdefault(self._distance(file), {}).setdefault(what, meant)
        return list(meanings_by_distance[min(meanings_by_distance)].values()) if meanings_by_distance else []

    def _by(self, file: str, type: str, resource: str) -> Iterator[Meant]:
        """What one environment says, if that can be used: it is a type, or a file that is there and may be read."""
        environment = _environment(file, _stamp(file))
        if environment is None:
            return
        entries = {path: meant for path, meant in environment.entries.items() if (file, path) not in self._without}
        meant = Environment(entries).resolve(type, resource)
        if not meant.path:
            return
        if meant.file is not None:
            place = os.path.realpath(meant.file)
            if not os.path.isfile(place) or not (self._nearby.outside or self._is_inside(place)):
                return
            meant = meant._replace(name=os.path.normpath(meant.name))
        yield meant._replace(path=(file, *meant.path), environment=file)

    def _is_inside(self, place: str) -> bool:
        return Path(place).is_relative_to(Path(self._nearby.top).resolve())

    def _distance(self, file: str) -> int:
        """How many folders there are between the document and an environment."""
        way = os.path.relpath(os.path.dirname(os.path.abspath(file)), os.path.abspath(self._nearby.home))
        return 0 if way == os.curdir else len(way.split(os.sep))


def _stamp(file: str) -> tuple[int, int]:
    """What differs after a file was changed."""
    try:
        status = os.stat(file)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=4096)
def _environment(file: str, stamp: tuple[int, int]) -> Environment | None:
    """What a file says; None for one that is no environment: nobody asked for it."""
    if stamp[1] > LONGEST:
        return None
    try:
        return read([file])[0]
    except (BpconvertError, OSError):
        return None


def _place(file: str, path: Steps) -> str:
    """Where an entry is: ``envs/site.yaml:3``."""
    document = load(Path(file).read_bytes(), file)
    finding = Reporter(document).build("BPC772", ("resource_registry", *path), problem="")
    return f"{file}:{finding.span.line}"
