"""Cases: documents of the corpus, changed, and what is done with them. The same seed and number make the same case."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from changes import changed
from commands import scenario
from doublings import shape
from material import CORPUS, data_of, documents, environments, language_of, mappings, names_in

from bpconvert.models.hot_versions import VERSIONS
from bpconvert.translators.dialects import DIALECTS

ACTIONS: Final = (
    *["convert"] * 4, *["back"] * 4, "check", "graph", *["verify"] * 2, "roundtrip", *["commands"] * 3, "archive",
)  # fmt: skip
#: the languages that have archives
_PACKED: Final = [name for name, dialect in DIALECTS.items() if dialect.packing() is not None]
#: the share of documents that are not of the corpus, but small ones with many of one thing in each other
_SHAPES: Final = 0.12
_VALUES: Final = (None, True, 0, -1, 1.5, "", "prod", "a,b", [], ["a"], {}, {"k": "v"}, "é")
_TABLE: Final = {"small": {"cpus": 1, "ram": 512, "disk": 1}, "big": {"cpus": 8, "ram": 16384, "disk": 100}}
_IMAGES: Final = {"linux": {"architecture": "x86_64", "type": "linux", "distribution": "debian", "version": 12}}


class Case(NamedTuple):
    """What is done with a document. ``text``: its bytes as Latin-1; ``name``: its file below the corpus, beside which
    its files are; ``target``: the language to convert to; ``then``: a seed of changes of the result before it is
    converted back; ``more``: texts of mappings of types, environments and stages by the option; ``choices``: more
    options. Of command lines ``files`` are in the folder where they run, by their paths, and ``steps`` are the lines,
    and changes of files between them, see :mod:`commands`."""

    action: str
    text: str
    name: str
    target: str
    then: int = 0
    more: Mapping[str, str] = MappingProxyType({})
    choices: Mapping[str, Any] = MappingProxyType({})
    files: Mapping[str, str] = MappingProxyType({})
    steps: Sequence[Mapping[str, Any]] = ()

    def fields(self) -> dict[str, Any]:
        """The fields that are not as they are by default; plain data."""
        usual = self._field_defaults
        return {name: value for name, value in self._asdict().items() if value or name not in usual}


def case(seed: int, number: int) -> Case:
    """The case with a number."""
    draw = random.Random(f"{seed}/{number}")
    place = draw.choice(documents())
    source = language_of(place)
    action = draw.choice(ACTIONS if source in _PACKED else ACTIONS[:-1])
    text = changed(place.read_bytes(), draw, data_of(draw.choice(documents())))
    if draw.random() < _SHAPES:
        text = shape(source, draw) if draw.random() < 0.7 else changed(shape(source, draw), draw)
    target = draw.choice([name for name in DIALECTS if name != source])
    name = place.relative_to(CORPUS).as_posix()
    if action == "commands":
        files, steps = scenario(place, text, target, draw)
        return Case(action, "", name, target, files=files, steps=steps)
    more: dict[str, str] = {}
    for option, found in (("types", mappings()), ("environments", environments()), ("stages", environments())):
        if draw.random() < 0.1:
            data = draw.choice(found).read_bytes()
            more[option] = (changed(data, draw) if draw.random() < 0.5 else data).decode("latin-1")
    return Case(action, text.decode("latin-1"), name, target, draw.randrange(1 << 30), more, _choices(place, draw))


def _choices(place: Any, draw: random.Random) -> dict[str, Any]:
    """Options of a conversion."""
    made: dict[str, Any] = {"files": draw.choice(["inline", "copy", "keep"]), "carry": draw.random() < 0.8}
    names = names_in(place)
    given = {name: draw.choice(_VALUES) for name in draw.sample(names, min(len(names), 3))}
    rare: list[tuple[float, str, Any]] = [
        (0.2, "carry_file", True),
        (0.1, "assume_defaults", True),
        (0.1, "params", {**given, "nobody": 1}),
        (0.1, "plugin", "v2"),
        (0.1, "client_config", draw.choice(["inputs", "none"])),
        (0.1, "dsl_version", draw.choice(["1_3", "1_4", "1_5"])),
        (0.1, "hot_version", draw.choice([*VERSIONS])),
        (0.1, "tosca_version", draw.choice(["1.3", "2.0"])),
        (0.1, "asked", draw.choice(["values", "data", "inputs"])),
        (0.1, "public_network", draw.choice(["public", "é"])),
        (0.05, "flavour", draw.choice(["default", "simple"])),
        (0.05, "orchestrator", draw.choice(["tacker", "opera"])),
        (0.05, "profile", True),
        (0.1, "flavors", _TABLE),
        (0.1, "images", _IMAGES),
        (0.1, "limits", {draw.choice(["copies", "fields"]): draw.choice([1, 3, 20])}),
    ]
    return made | {option: value for share, option, value in rare if draw.random() < share}
