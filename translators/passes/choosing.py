"""Flavors and images that are asked for by what they have, chosen from tables of those that a cloud has.

Chosen is the smallest flavor that has as much of everything, and the first image that has all that is asked for; a row
with ``default: true`` is taken where nothing is asked for. Where an input of the source says how much, its default
counts, and the input takes nothing else; one that takes some values only looks the row up in a map. What nothing fits
is asked for by an input, as without a table: one for all machines that ask for the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.input_requests import InputRequest
from bpconvert.models.topology import Constraint, Input, Topology
from bpconvert.translators.passes.request import Request

Table = Mapping[str, Mapping[str, Any]]
#: what a flavor is measured by, that which counts most first
_SIZES: Final = ("ram", "cpus", "disk")
#: what a user names, and no table: the finding about it
_CHOSEN: Final = {"public network": "BPC868"}
#: tables count RAM in MiB
_MIB: Final = 1024
#: how many rows of a table inputs choose from
_MOST: Final = 64


def choose(topology: Topology, request: Request) -> Topology:
    """Put names of the tables in place of the inputs that ask for them; the others are joined and reported."""
    return _Choice(topology, request.options.tables(), request.reporter.report).result()


def joined(topology: Topology) -> Topology:
    """The same without tables and findings: what a document that was read asks for, to be compared."""
    return _Choice(topology, {}, lambda code, path=(), **texts: None).result() if asks(topology) else topology


def asks(topology: Topology) -> bool:
    """True where a machine is asked for, or an input takes a size with a unit."""
    return any(declared.asked or declared.unit for declared in topology.inputs.values())


class _Choice:
    """What stands for the inputs that ask for machines."""

    def __init__(self, topology: Topology, tables: Mapping[str, Table], report: Callable[..., None]) -> None:
        self._topology = topology
        self._tables = tables
        self._report = report
        #: name of an input that asks -> what stands in its place
        self._instead: dict[str, Value] = {}
        #: those that are left, by what they ask for
        self._alike: dict[tuple[str, str], list[tuple[str, InputRequest]]] = {}
        #: input that asks -> the rows for the values that inputs of the source may have
        self._looked_up: dict[str, dict[str, Any]] = {}
        #: inputs of the source that say how much -> the words for what they decide
        self._deciding: dict[str, str] = {}
        #: those whose default has decided
        self._bound: dict[str, Input] = {}

    def result(self) -> Topology:
        """The topology with what was chosen."""
        for name, declared in self._topology.inputs.items():
            if declared.asked is not None:
                self.take(name, declared, declared.asked)
        for name, rows in self._looked_up.items():
            self.look_up(name, rows)
        self.join()
        self.replace()
        self.leave_out()
        return self._topology

    def take(self, name: str, declared: Input, asked: InputRequest) -> None:
        """Choose a row for one input, or leave it to :meth:`join`."""
        table, what, wanted = self._tables.get(asked.what), asked.what, self._wanted(asked)
        rows = self._by_input(asked, table) if table else None
        if rows is not None:
            names = ", ".join(f"'{input_name}'" for input_name, _ in self._inputs(asked))
            self._report("BPC895", declared.path, input=name, what=what, names=names)
            self._looked_up[name] = rows
            return
        chosen = fitting(what, wanted, table) if table and wanted is not None else None
        if chosen is None:
            self._alike.setdefault((what, repr((asked.wanted, asked.words))), []).append((name, asked))
            return
        self._instead[name] = chosen
        deciding = dict(self._inputs(asked))
        self._bound |= deciding
        self._deciding |= dict.fromkeys(deciding, f"{what} '{chosen}' has what its default asks for")
        if deciding:
            names = ", ".join(f"'{input_name}'" for input_name in deciding)
            self._report("BPC829", declared.path, input=name, what=what, name=chosen, names=names)
        else:
            self._report(_CHOSEN.get(what, "BPC825"), declared.path, input=name, what=what, name=chosen)

    def look_up(self, name: str, rows: dict[str, Any]) -> None:
        """Let an input that asked be a map of what it would take, from which an input of the source chooses."""
        declared = self._topology.inputs[name]
        deciding = next(self._inputs(declared.asked))[0] if declared.asked is not None else ""
        key = ex.Concat((ex.Input(deciding, path=declared.path),), path=declared.path)
        declared.type, declared.default, declared.constraints, declared.asked = "json", rows, [], None
        used = ex.Input(name, (key,), path=declared.path)

        def looked_up(expr: ex.Expr) -> Value:
            return used if isinstance(expr, ex.Input) and expr.name == name and not expr.keys else expr

        self._topology.rewrite(lambda value: ex.transform(value, looked_up))

    def _by_input(self, asked: InputRequest, table: Table) -> dict[str, Any] | None:
        """The rows for all values that an input of the source may have, by these as texts; None where it may have any
        value, or nothing fits one of them."""
        deciding = dict(self._inputs(asked))
        if len(deciding) != 1:
            return None
        ((name, declared),) = deciding.items()
        rows_by_value = {}
        for value in _allowed(declared):
            wanted = self._wanted(asked, {name: value})
            row = fitting(asked.what, wanted, table) if wanted is not None else None
            if row is None:
                return None
            rows_by_value[str(value)] = row
        return rows_by_value or None

    def join(self) -> None:
        """Let one input ask where several machines ask for the same, and report what is asked for."""
        inputs = self._topology.inputs
        for (what, _), rows in self._alike.items():
            paths = {name: inputs[name].path for name, _ in rows}
            joined = rows[0][0]
            if len(rows) > 1:
                short = what.replace(" ", "_")
                only = sum(key == what for key, _ in self._alike) == 1 and short not in inputs
                joined = self._shared(short if only else joined, rows)
            for name, asked in rows:
                self._deciding |= {
                    input_name: f"input '{joined}' takes the {what}" for input_name, _ in self._inputs(asked)
                }
                self._report("BPC812", paths[name], node=asked.node, words=asked.words, what=what, input=joined)
                self._explain(paths[name], joined, asked)

    def _shared(self, name: str, rows: list[tuple[str, InputRequest]]) -> str:
        """The name of one input for all of them."""
        inputs = self._topology.inputs
        shared, asked = inputs.pop(rows[0][0]), rows[0][1]
        nodes = ", ".join(asked.node for _, asked in rows)
        shared.name, shared.description = name, f"{asked.what} of {nodes}"
        if asked.wanted != {}:
            shared.description += f": {asked.words}"
        inputs[name] = shared
        self._instead |= {input_name: ex.Input(name) for input_name, _ in rows if input_name != name}
        return name

    def _explain(self, path: ex.Path, name: str, asked: InputRequest) -> None:
        """Report why no row of a table was taken."""
        table = self._tables.get(asked.what)
        if table:
            why = f"none of the {len(table)} in the table has all that is asked for"
            why = why if self._wanted(asked) is not None else "what it needs is not known yet"
            self._report("BPC826", path, input=name, what=asked.what, why=why)

    def replace(self) -> None:
        """Write what stands for the inputs where they are used."""
        instead, inputs = self._instead, self._topology.inputs
        for name in instead.keys() & inputs.keys():
            del inputs[name]

        def with_choices(expr: ex.Expr) -> Value:
            return instead.get(str(expr.name), expr) if isinstance(expr, ex.Input) else expr

        if instead:
            self._topology.rewrite(lambda value: ex.transform(value, with_choices))

    def leave_out(self) -> None:
        """Leave out the inputs of the source that only asked for machines; others that did take their default alone.
        What is left and takes a size with a unit is reported."""
        inputs = self._topology.inputs
        used = {call.name for value in self._topology.values() for call in ex.walk(value) if isinstance(call, ex.Input)}
        for name, why in self._deciding.items():
            if name not in used:
                self._report("BPC848", inputs[name].path, name=name, why=why)
                del inputs[name]
        for declared in self._bound.values():
            others = [constraint for constraint in declared.constraints if constraint.kind != "allowed_values"]
            declared.constraints = [*others, Constraint("allowed_values", [declared.default], path=declared.path)]
        for declared in inputs.values():
            if declared.unit:
                code = "BPC811" if declared.default is MISSING else "BPC896"
                self._report(code, declared.path, name=declared.name)

    def _inputs(self, asked: InputRequest) -> Iterator[tuple[str, Input]]:
        """The inputs of the source that say what is asked for."""
        for value in (asked.wanted or {}).values():
            for call in ex.walk(value):
                if isinstance(call, ex.Input) and str(call.name) in self._topology.inputs:
                    yield str(call.name), self._topology.inputs[str(call.name)]

    def _wanted(self, asked: InputRequest, values: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any] | None:
        """What is asked for, with the ``values`` of inputs, else their defaults; None where that is not known,
        or is no number where numbers are compared."""
        if asked.wanted is None:
            return None
        types = (int, float) if asked.what == "flavor" else (str, int, float)
        wanted = {key: self._value(value, values) for key, value in asked.wanted.items()}
        return wanted if all(isinstance(value, types) for value in wanted.values()) else None

    def _value(self, value: Value, values: Mapping[str, Any]) -> Value:
        is_input = isinstance(value, ex.Input) and not value.keys
        name = str(value.name) if is_input and isinstance(value, ex.Input) else ""
        declared = self._topology.inputs.get(name)
        return values.get(name, value if declared is None or declared.default is MISSING else declared.default)


def _allowed(declared: Input) -> list[Any]:
    """The values that an input may have, which differ as texts; [] for any."""
    values: list[Any] = next(
        (constraint.argument for constraint in declared.constraints if constraint.kind == "allowed_values"), []
    )
    plain = [value for value in values if isinstance(value, (int, str)) and not isinstance(value, bool)]
    differ = len(plain) == len(values) == len({str(value) for value in plain})
    return plain if differ and len(plain) <= _MOST else []


def fitting(what: str, wanted: Mapping[str, Any], table: Table) -> str | None:
    """The name of the row that fits best; None where none does."""
    usual = next((name for name, row in table.items() if row.get("default") is True), None)
    if not wanted and usual is not None:
        return usual
    if what == "flavor":
        wanted = {**wanted, "ram": wanted.get("ram", 0) * _MIB}
        fits = [name for name, row in table.items() if all(_size(row, key) >= wanted.get(key, 0) for key in _SIZES)]
        return min(fits, key=lambda name: (*(_size(table[name], key) for key in _SIZES), name), default=None)
    return next((name for name, row in table.items() if _has(row, wanted)), None)


def _size(row: Mapping[str, Any], key: str) -> float:
    """How much a flavor has of something; what its row leaves out, it has none of."""
    return float(row.get(key, 0))


def _has(row: Mapping[str, Any], wanted: Mapping[str, Value]) -> bool:
    """True for an image of which all that is wanted is known to be so. Case does not count, nor do zeros at the end of
    a version."""
    return all(key in row and _plain(row[key]) == _plain(value) for key, value in wanted.items())


def _plain(value: Any) -> str:
    return re.sub(r"(\.0+)+$", "", str(value).strip().lower())
