"""What is wrong with a document that the plain checks refuse, and what of it is left.

What the pydantic model refuses becomes a :class:`~.checks.Problem` in the user's own keys; the offending fragment is
left out (or, where the rest of the object still means something, replaced as the model's ``FILLS`` say) and validation
is repeated."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any, Final, TypeGuard, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError

from bpconvert.models.checks import Problem, describe
from bpconvert.models.expressions import Path
from bpconvert.models.fields import Later, Model

P = TypeVar("P")


def repaired(source: str, checked: Callable[[Any], P], raw: Any) -> tuple[P, list[Problem]]:
    """What is left of ``raw``, which ``checked`` refuses, as an instance, and what had to be left out for that.
    ``source``: the pydantic model, as ``module:Class``.

    Raises ``pydantic.ValidationError`` when not even an empty document is left."""
    module, _, name = source.partition(":")
    model: type[Model] = getattr(import_module(module), name)
    draft = EditedData(raw)
    problems: list[Problem] = []
    for _ in range(_ROUNDS):
        try:
            model.model_validate(draft.root)
            break
        except ValidationError as error:
            edits: dict[Path, Any] = {}
            problems += [_judge(model, draft, item, edits) for item in error.errors(include_url=False)]
            if not draft.apply(edits):
                raise
    return checked(draft.root), problems


#: in each round all errors are repaired that there are; what a repair breaks is repaired in another one
_ROUNDS: Final = 100
_REMOVE: Final = object()
_MESSAGES: Final = {
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "dict_type": "must be a map",
    "model_type": "must be a map",
    "list_type": "must be a list",
}


def _judge(model: type[Model], draft: EditedData, error: Any, edits: dict[Path, Any]) -> Problem:
    """The problem that a pydantic error stands for; adds the repair to ``edits`` (path -> new value or _REMOVE)."""
    kind, loc = error["type"], error["loc"]
    if kind == "invalid_key" or loc[-1:] == ("[key]",):
        path = draft.find(loc[:-1] if kind != "invalid_key" else loc, is_text=False)
        edits[path] = _REMOVE
        return _removal(draft, path, f"{describe(path[-1])} cannot be a name here: names must be text")
    owner, thing = _resolve(model, loc)
    key = loc[-1] if loc else ""
    if kind == "missing":
        parent = draft.find(loc[:-1])
        text = f"'{key}' of {owner.NOUN} is missing"
        if key in owner.FILLS:
            place: Path = (*parent, key)
            edits[place] = owner.FILLS[key]
            return Problem(draft.original(parent), text)
        edits[parent] = _REMOVE
        return _removal(draft, parent, text)
    path = draft.find(loc)
    if kind == "extra_forbidden":
        edits[path] = _REMOVE
        return _removal(draft, path, f"unknown {owner.KEY} '{key}' of {owner.NOUN}")
    if thing is None:
        direct = _resolve(model, loc[:-1])[1] is owner  # no name in a map of it
        subject, fill = f"'{key}' of {owner.NOUN}", owner.FILLS.get(key, _REMOVE) if direct else _REMOVE
    else:
        subject = f"{thing.NOUN.split(maxsplit=1)[-1]} '{key}'" if isinstance(key, str) else thing.NOUN
        fill = dict(thing.FILLS) or _REMOVE
    message = f"{_MESSAGES[kind]}, not {describe(error['input'])}" if kind in _MESSAGES else error["msg"]
    if edits.get(path) is not _REMOVE:  # as its name is no text
        edits[path] = fill
    return _removal(draft, path, f"{subject} {message}")


def _removal(draft: EditedData, path: Path, text: str) -> Problem:
    return Problem(draft.original(path), text, removed=True, value=draft.value(path))


def _resolve(model: type[Model], loc: Iterable[Any]) -> tuple[type[Model], type[Model] | None]:
    """The model whose key the error is about, and the model of the value itself where it has one."""
    owner, place = model, _unwrap(model)
    for step in loc:
        if _is_model(place):
            owner = place
            field = next((f for n, f in place.model_fields.items() if step in (n, f.alias)), None)
            place = _unwrap(field.annotation, field.metadata) if field is not None else None
        else:
            place = _unwrap(get_args(place)[-1]) if get_args(place) else None
    return owner, place if _is_model(place) else None


def _is_model(place: Any) -> TypeGuard[type[Model]]:
    """True for a model; Python 3.10 takes ``dict[str, ...]`` for a class."""
    return get_origin(place) is None and isinstance(place, type) and issubclass(place, Model)


def _unwrap(annotation: Any, metadata: Iterable[Any] = ()) -> Any:
    """An annotation without ``None`` and ``Annotated``; the model that a :class:`Later` stands for."""
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next((a for a in get_args(annotation) if a is not type(None)), None)
    if get_origin(annotation) is Annotated:
        annotation, *more = get_args(annotation)
        metadata = (*metadata, *more)
    later = next((m for m in metadata if isinstance(m, Later)), None)
    return later.model(annotation) if later else annotation


class EditedData:
    """A document under repair: what changes is copied first, and list items remember their original index."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._own: dict[int, Any] = {}
        self._indexes: dict[int, list[int]] = {}

    def find(self, loc: tuple[Any, ...], *, is_text: bool = True) -> Path:
        """The keys of the document along a pydantic location, which has them as texts, as far as they exist. The last
        one is a text where there is one, or is none (``is_text``)."""
        path: list[Any] = []
        node = self.root
        for number, step in enumerate(loc, 1):
            if isinstance(node, dict):
                if step not in node or (number == len(loc) and not is_text):
                    alike = [k for k in node if step in (k, str(k))]
                    step = min(alike, key=lambda k: isinstance(k, str), default=_REMOVE)
                if step is _REMOVE:
                    break
            elif not isinstance(node, list) or not isinstance(step, int) or step >= len(node):
                break
            path.append(step)
            node = node[step]
        return tuple(path)

    def value(self, path: Path) -> Any:
        """What stands at ``path``."""
        node = self.root
        for step in path:
            node = node[step]
        return node

    def original(self, path: Path) -> Path:
        """``path`` with list indexes as the user counts them."""
        node, result = self.root, []
        for step in path:
            result.append(self._indexes[id(node)][step] if id(node) in self._indexes else step)
            node = node[step]
        return tuple(result)

    def apply(self, edits: dict[Path, Any]) -> bool:
        """Make the changes, innermost first; False when there was none to make."""
        done = False
        for path in sorted(edits, key=lambda p: (len(p), p[-1] if p and isinstance(p[-1], int) else 0), reverse=True):
            if path:
                self._change(self._writable(path[:-1]), path[-1], edits[path])
                done = True
        return done

    def _change(self, node: Any, key: Any, value: Any) -> None:
        if value is not _REMOVE:
            node[key] = value
            return
        del node[key]
        if isinstance(node, list):
            del self._indexes[id(node)][key]

    def _writable(self, path: Path) -> Any:
        node = self.root = self._owned(self.root)
        for step in path:
            node[step] = self._owned(node[step])
            node = node[step]
        return node

    def _owned(self, node: Any) -> Any:
        if id(node) in self._own:
            return node
        copy: Any = list(node) if isinstance(node, list) else dict(node or {})
        self._own[id(copy)] = copy
        if isinstance(copy, list):
            self._indexes[id(copy)] = list(range(len(copy)))
        return copy
