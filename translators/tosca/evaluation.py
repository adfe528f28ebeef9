"""What a value of a service template is, as engines of TOSCA compute it (Simple Profile 1.3, section 4).

No engine computes all of it, and where two do, they can differ. What the specification has is computed: a path into an
input or an attribute, capabilities, properties of the type as values, a property where there is no attribute of a name
(5.9.1), several separators of ``token``. Texts of numbers are those of puccini, which alone makes some: ``1.0`` is
``1``. What is null in one engine and refused by another (a piece that a text does not have) is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.evaluate import Refused
from bpconvert.translators.evaluate.facts import Evaluator, Facts, NotGiven
from bpconvert.translators.tosca.functions import called, in_text
from bpconvert.translators.tosca.versions import version
from bpconvert.translators.tosca.vocabulary import IDENTITY, RELATIVE

#: functions whose value is a matter of the engine that runs the operation, or that has the file
_OF_THE_ENGINE: Final = ("get_operation_output", "get_artifact", "get_nodes_of_type")
#: since when a list of texts is joined; before, such a map is data
_JOIN: Final = "join"
_FIRST_WITH_JOIN: Final = "tosca_simple_yaml_1_3"


def compute(value: Any, facts: Facts) -> Any:
    """The value; plain data. Raises :class:`Refused` for what engines refuse, :class:`NotGiven` for what ``facts`` do
    not have."""
    version_known = version(facts.version)
    if not version_known.known:
        raise Refused(f"no engine of TOSCA takes the version {facts.version}")
    missing = {_JOIN} if not version_known.prefix and version_known.like < _FIRST_WITH_JOIN else set()
    return _Evaluation(facts, version_known.prefix, missing).value(value, ())


class _Evaluation:
    """One value with all that it refers to. ``missing``: functions that the version does not have."""

    def __init__(self, facts: Facts, prefix: str, missing: set[str]) -> None:
        self.facts, self.prefix, self.missing = facts, prefix, missing
        self.here = dict(facts.here)
        self.busy: set[tuple[Any, ...]] = set()

    def value(self, data: Any, path: Path) -> Any:
        """``data`` with its calls computed, the innermost first."""
        name = called(data, self.prefix)
        if name is not None and name not in self.missing:
            place = (*path, self.prefix + name)
            if name in _OF_THE_ENGINE:
                raise NotGiven(f"what '{name}' yields is not given", path)
            return getattr(self, f"_{name.removeprefix('get_')}")(self.value(data[self.prefix + name], place), path)
        if isinstance(data, dict):
            return {key: self.value(item, (*path, key)) for key, item in data.items()}
        if isinstance(data, list):
            return [self.value(item, (*path, index)) for index, item in enumerate(data)]
        return data

    # -- references -----------------------------------------------------------------------------------------

    def _input(self, argument: Any, path: Path) -> Any:
        name, *steps = argument if isinstance(argument, list) and argument else [argument]
        if not isinstance(name, str) or name not in self.facts.inputs:
            raise Refused(f"there is no input '{name}'", path)
        return _part(self.facts.inputs[name], steps, path)

    def _property(self, argument: Any, path: Path) -> Any:
        node, name, *steps = self._reference(argument, path)
        if node not in self.facts.resources:
            raise NotGiven(f"nothing is given of '{node}'", path)
        properties = self.facts.resources[node]
        if name in properties:
            return _part(self._settled((node, name), properties[name], path), steps, path)
        capability = self.facts.capabilities.get(node, {}).get(name)
        if capability is None or not steps:
            raise Refused(f"'{node}' has no property '{name}'", path)
        if steps[0] not in capability:
            raise Refused(f"the capability '{name}' of '{node}' has no property '{steps[0]}'", path)
        reached = self._settled((node, name, steps[0]), capability[steps[0]], path)
        return _part(reached, steps[1:], path)

    def _attribute(self, argument: Any, path: Path) -> Any:
        node, name, *steps = self._reference(argument, path)
        attributes = self.facts.attributes.get(node, {})
        if name in attributes:
            return _part(attributes[name], steps, path)
        if name in self.facts.resources.get(node, {}):
            return self._property(argument, path)
        if name == IDENTITY and not steps:
            raise NotGiven(f"the id of '{node}' is not given", path)
        raise NotGiven(f"the attribute '{name}' of '{node}' is not given", path)

    def _reference(self, argument: Any, path: Path) -> list[Any]:
        if (
            not isinstance(argument, list)
            or len(argument) < 2
            or not all(isinstance(part, str) for part in argument[:2])
        ):
            raise Refused("it takes a list with the name of a node and what is asked of it", path)
        node, *steps = argument
        if node in RELATIVE:
            if node not in self.here:
                raise Refused(f"{node} means nothing here", path)
            node = self.here[node]
        return [node, *steps]

    def _settled(self, key: tuple[Any, ...], value: Any, path: Path) -> Any:
        """A property's value, with calls in it computed where it stands."""
        with self._inside(key, path):
            return self.value(value, path)

    @contextmanager
    def _inside(self, key: tuple[Any, ...], path: Path) -> Iterator[None]:
        if key in self.busy:
            raise Refused(f"the property {key[-1]} of {key[0]} refers to itself", path)
        before = self.here
        self.busy.add(key)
        self.here = {"SELF": key[0]}
        try:
            yield
        finally:
            self.busy.discard(key)
            self.here = before

    # -- texts ----------------------------------------------------------------------------------------------

    def _concat(self, argument: Any, path: Path) -> Any:
        if not isinstance(argument, list):
            raise Refused("concat takes a list", path)
        if self.prefix and argument and all(isinstance(item, list) for item in argument):
            return [item for items in argument for item in items]
        return "".join(_text(item, path) for item in argument)

    def _join(self, argument: Any, path: Path) -> Any:
        if not isinstance(argument, list) or not 1 <= len(argument) <= 2 or not isinstance(argument[0], list):
            raise Refused("join takes a list of texts and a delimiter", path)
        items, delimiter = [*argument, ""][:2]
        if not isinstance(delimiter, str):
            raise Refused("the delimiter of join is a text", path)
        return delimiter.join(_text(item, path) for item in items)

    def _token(self, argument: Any, path: Path) -> Any:
        if not isinstance(argument, list) or len(argument) != 3:
            raise Refused("token takes a text, the separators and an index", path)
        text, separators, index = argument
        if not isinstance(separators, str) or not separators or isinstance(index, bool) or not isinstance(index, int):
            raise Refused("token takes a text, the separators and an index", path)
        pieces = re.split(f"[{re.escape(separators)}]", _text(text, path))
        if not 0 <= index < len(pieces):
            raise Refused(f"the text has no piece {index}", path)
        return pieces[index]


def _part(value: Any, steps: list[Any], path: Path) -> Any:
    for step in steps:
        fits = isinstance(value, list) and isinstance(step, int) and not isinstance(step, bool)
        if (fits and 0 <= step < len(value)) or (isinstance(value, dict) and step in value):
            value = value[step]
        else:
            raise Refused(f"the value has no part {step}", path)
    return value


def _text(value: Any, path: Path) -> str:
    """A value in a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)):
        return in_text(value)
    raise Refused("null, lists and maps are no texts", path)


EVALUATOR: Final = Evaluator(compute, "BPC220")
