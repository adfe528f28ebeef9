"""Light classes behave as those of the standard library, and generate nothing until they are used."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import pprint
import subprocess
import sys
import typing
from collections import Counter
from typing import Any, ClassVar

import pytest

from bpconvert.models import light

#: both kinds of each class: that of the standard library, and the light one
KINDS: Any = [(dataclasses, typing), (light, light)]


def made(classes: Any, tuples: Any) -> dict[str, Any]:
    """The same classes, with the tools of these two modules."""
    NamedTuple, dataclass, field = tuples.NamedTuple, classes.dataclass, classes.field

    @dataclass(eq=False, repr=False)
    class Base:
        """A base."""

        KIND: ClassVar[str] = "base"
        place: tuple[Any, ...] = field(default=(), kw_only=True)

    @dataclass(eq=False, repr=False)
    class Inner(Base):
        name: str
        parts: list[str] = field(default_factory=list)

    @dataclass
    class Whole:
        name: str
        count: int = 3
        hidden: list[str] = field(default_factory=list, repr=False, compare=False)

    @dataclass(frozen=True)
    class Fixed:
        name: str
        count: int = 3

    @dataclass(eq=False, repr=False)
    class Settled:
        name: str

        def __post_init__(self) -> None:
            self.name = self.name.upper()

    class Pair(NamedTuple):
        """Two."""

        left: int
        right: str = "x"

        @property
        def both(self) -> str:
            return f"{self.left}{self.right}"

    return {one.__name__: one for one in (Base, Inner, Whole, Fixed, Settled, Pair)}


def outcome(action: Any) -> Any:
    try:
        return action()
    except Exception as error:
        return type(error).__name__


LOOKS: dict[str, Any] = {
    "fields": lambda c: [(one.name, one.kw_only, one.default is None) for one in dataclasses.fields(c["Inner"])],
    "signatures": lambda c: [
        [(one.name, one.kind) for one in inspect.signature(kind).parameters.values()] for kind in c.values()
    ],
    "values": lambda c: vars(c["Inner"]("a", place=(1,))),
    "lists of their own": lambda c: c["Inner"]("a").parts is c["Inner"]("a").parts,
    "too few": lambda c: outcome(lambda: c["Inner"]()),
    "place is named": lambda c: outcome(lambda: c["Inner"]("a", [], ())),
    "a class variable": lambda c: c["Inner"].KIND,
    "identity": lambda c: c["Inner"]("a") == c["Inner"]("a"),
    "equal": lambda c: [c["Whole"]("a", hidden=["b"]) == c["Whole"]("a"), c["Whole"]("a") == c["Whole"]("b")],
    "hash": lambda c: [outcome(lambda: hash(c["Whole"]("a"))), hash(c["Fixed"]("a")) == hash(c["Fixed"]("a"))],
    "repr": lambda c: [repr(c["Whole"]("a")).rpartition(".")[2], repr(c["Pair"](1))],
    "printed": lambda c: [pprint.pformat(c["Whole"]("a")), c["Base"].__dataclass_params__.repr],
    "frozen": lambda c: outcome(lambda: setattr(c["Fixed"]("a"), "name", "b")),
    "frozen, deleted": lambda c: outcome(lambda: delattr(c["Fixed"]("a"), "name")),
    "settled": lambda c: c["Settled"]("a").name,
    "replaced": lambda c: vars(dataclasses.replace(c["Inner"]("a"), name="b")),
    "as data": lambda c: dataclasses.asdict(c["Whole"]("a")),
    "copied": lambda c: [vars(copy.copy(c["Inner"]("a"))), copy.deepcopy(c["Pair"](1))],
    "a tuple": lambda c: [tuple(c["Pair"](1)), c["Pair"](1).both, c["Pair"]._fields, c["Pair"]._field_defaults],
    "another tuple": lambda c: [c["Pair"](1)._replace(right="y"), c["Pair"](1)._asdict(), c["Pair"]._make([1, "b"])],
    "a wrong tuple": lambda c: [outcome(lambda: c["Pair"]()), outcome(lambda: c["Pair"]._make([1]))],
    # ValueError until Python 3.12
    "a wrong change": lambda c: outcome(lambda: c["Pair"](1)._replace(middle=2)) in ("TypeError", "ValueError"),
    "documented": lambda c: [c["Base"].__doc__, c["Pair"].__doc__],
    "hints": lambda c: typing.get_type_hints(c["Pair"]),
}


@pytest.mark.parametrize("look", LOOKS)
def test_light_classes_are_as_those_of_the_standard_library(look: str) -> None:
    known, own = ([LOOKS[look](made(*kind)) for kind in KINDS][index] for index in (0, 1))
    assert own == known


def test_replace() -> None:
    classes = made(light, light)
    assert light.replace(classes["Inner"]("a", place=(1,)), name="b").place == (1,)
    assert light.replace(classes["Settled"]("a"), name="b").name == "B"
    with pytest.raises(TypeError, match="no field 'colour'"):
        light.replace(classes["Inner"]("a"), colour="red")


def test_results_are_handed_over_between_processes() -> None:
    from bpconvert.diagnostics import Span
    from bpconvert.models.expressions import Input

    assert pickle.loads(pickle.dumps((Span("a", 1, 2), Input("a")))) == (Span("a", 1, 2), Input("a"))


def test_a_class_that_nobody_uses_generates_nothing() -> None:
    """Most classes of a run have no objects; generating code for all was a third of the start."""
    code = (
        "import sys; from bpconvert.cli.main import main; main(['hot2cfy', 't.yaml', '-o', 'result.yaml'])\n"
        "from bpconvert.models import light\n"
        "kinds = [one for module in list(sys.modules.values()) if module.__name__.startswith('bpconvert.')\n"
        "         for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]\n"
        "for one in kinds:\n"
        "    stands = [vars(one).get(name) for name in ('__init__', '__new__')]\n"
        "    if '_own_rows' in vars(one) or (issubclass(one, tuple) and hasattr(one, '_fields')):\n"
        "        print('idle' if any(type(it).__module__ == light.__name__ for it in stands) else 'used')\n"
    )
    source = "heat_template_version: 2021-04-16\nresources:\n  net:\n    type: OS::Neutron::Net\n"
    with open("t.yaml", "w") as stream:
        stream.write(source)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = Counter(done.stdout.split())
    assert found["idle"] > found["used"] > 0, found


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
