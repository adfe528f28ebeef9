"""A language's column of the catalogue: of a language that only this test has, in the files of users."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from toy_language import NAME, TOY

from bpconvert import SourceError
from bpconvert.models.light import dataclass, field
from bpconvert.translators.catalogue.model import COLUMNS, Column, Kind, Strict
from bpconvert.translators.catalogue.types import Catalogue, builtin
from bpconvert.translators.catalogue.user_types import Hooks
from bpconvert.translators.dialects import DIALECTS, catalogue


@dataclass(eq=False, repr=False)
class Renamed(Strict):
    """Names of properties."""

    names: dict[str, str] = field(default_factory=dict)
    hook: str | None = None


@dataclass(eq=False, repr=False)
class Part(Strict):
    """What the toy says of a kind."""

    words: dict[str, Renamed]
    first: Renamed | None = None


def words(kind: Kind) -> list[str]:
    return [*kind.columns.get(NAME, {}).get("words", ())]


def hooks(part: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    for name, row in part.get("words", {}).items():
        if row.get("hook"):
            yield ("words", name, "hook"), NAME, row["hook"]


COLUMN = Column(NAME, words, words, model=Part, hooks=hooks)
SERVER = "kind: server\ntoy: {words: {box: {names: {cpu: flavor}, hook: boxed}}}\n"


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Hooks({NAME: frozenset({"boxed"})}, lambda value: False)
    monkeypatch.setitem(DIALECTS, NAME, TOY._replace(column=COLUMN, hooks=lambda: functions))
    monkeypatch.setitem(COLUMNS, NAME, COLUMN)


def of(folder: Path, text: str) -> Catalogue:
    (folder / "types.yaml").write_text(text)
    return catalogue([str(folder / "types.yaml")])


def test_a_file_has_a_column_of_it(tmp_path: Path) -> None:
    types = of(tmp_path, SERVER)
    kind, server = types.kind_of(NAME, "box"), builtin().kind("server")
    assert kind is not None
    assert server is not None
    assert (kind.kind, kind.types(NAME), kind.heat) == ("server", ["box"], ["OS::Nova::Server"])
    assert kind.columns[NAME]["words"]["box"]["names"] == {"cpu": "flavor"}
    assert types.nearest(NAME, ["crate", "box"]) == (kind, "box")
    assert kind.properties.keys() == server.properties.keys()
    assert builtin().kind_of(NAME, "box") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: server\ntoi: {}\n", "'toi' has no meaning in a kind: did you mean 'toy'?"),
        (SERVER.replace("names", "name"), "'name' has no meaning in 'box': did you mean 'names'?"),
        (SERVER.replace("words", "word"), "'word' has no meaning in 'toy': did you mean 'words'?"),
        ("kind: server\ntoy: {}\n", "'toy' needs 'words'"),
        (
            "kind: net\ntoy: {words: {}, first: {name: {}}}\n",
            "'name' has no meaning in 'first': did you mean 'names'?",
        ),
        (SERVER.replace("boxed", "boxes"), "'boxes' is unknown here: did you mean 'boxed'?"),
        ("kind: server\ntoy: {words: [box]}\n", "'words' has to be a map"),
    ],
)
def test_a_mistake_in_it_is_reported(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        of(tmp_path, text)
    assert message in [diagnostic.message for diagnostic in caught.value.diagnostics]
