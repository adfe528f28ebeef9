"""The language models without pydantic: the same classes, fields and verdicts, for documents without errors.

The modules beside this one are generated from the pydantic models (``python tools/generate``): a class for each model,
with a check for each key. What a check refuses, :func:`validate` asks pydantic about, which has the words for it.
Starting the command costs half as much so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any, ClassVar, Final, TypeVar

from bpconvert.models.checks import ABSENT, Problem

#: what a value becomes; raises ValueError for one that the model refuses
Check = Callable[[Any], Any]
#: stands where a required key has no value yet
REQUIRED: Final = object()

P = TypeVar("P", bound="Plain")


class Unfit(ValueError):
    """A value is not what the model wants; pydantic says what is wrong with it."""


class Plain:
    """Base of all models here; an instance has what one of the pydantic model has.

    ``model_fields_set``: names of the fields that were written, of further keys as well; ``model_extra``: the values of
    such keys, None where there can be none."""

    __slots__ = ("__dict__", "model_extra", "model_fields_set")
    #: instances can change, as those of pydantic can, so they are no keys (typeshed has the same line for lists)
    __hash__ = None  # type: ignore[assignment]

    #: the pydantic model, as ``module:Class``
    SOURCE: ClassVar[str] = ""
    #: key -> check of its value, None for any value
    CHECKS: ClassVar[Mapping[str, Check | None]] = {}
    #: field -> value without the key; REQUIRED; in the order of the model
    DEFAULTS: ClassVar[Mapping[str, Any]] = {}
    #: fields that are an empty map without the key
    MAPS: ClassVar[Collection[str]] = ()
    #: fields without a default
    NEEDED: ClassVar[Collection[str]] = ()
    #: key -> field, where they differ
    FIELDS: ClassVar[Mapping[str, str]] = {}
    #: whether further keys are allowed
    OPEN: ClassVar[bool] = False
    # as in bpconvert.models.fields.Model
    NOUN: ClassVar[str] = "a template"
    KEY: ClassVar[str] = "key"
    SINCE: ClassVar[Mapping[str, str]] = {}
    SHORT: ClassVar[str] = ""
    NULLABLE: ClassVar[bool] = False

    model_fields_set: set[str]
    model_extra: dict[str, Any] | None

    def __init__(self, **values: Any) -> None:
        self._fill(values)

    @classmethod
    def checked(cls: type[P], raw: Any) -> P:
        """``raw`` (plain data, never changed) as an instance. Raises ValueError for what the pydantic model refuses."""
        if isinstance(raw, dict):
            instance = cls.__new__(cls)
            instance._fill(raw)
            return instance
        if isinstance(raw, cls):
            return raw
        raise Unfit

    def _fill(self, raw: Mapping[str, Any]) -> None:
        kind = type(self)
        checks, fields = kind.CHECKS, kind.FIELDS
        own = dict(kind.DEFAULTS)
        for name in kind.MAPS:
            own[name] = {}
        extra: dict[str, Any] = {}
        written = set()
        for key, value in raw.items():
            if key in checks:
                check = checks[key]
                name = fields.get(key, key) if fields else key
                own[name] = value if check is None else check(value)
                written.add(name)
            elif kind.OPEN and isinstance(key, str):
                extra[key] = value
                written.add(key)
            else:
                raise Unfit
        for name in kind.NEEDED:
            if own[name] is REQUIRED:
                raise Unfit
        self.__dict__ = own
        self.model_extra = extra if kind.OPEN else None
        self.model_fields_set = written

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__ and self.model_extra == other.model_extra

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def model_copy(self: P, update: Mapping[str, Any]) -> P:
        """A copy with other values of some fields, which are not checked."""
        instance = type(self).__new__(type(self))
        instance.__dict__ = {**self.__dict__, **update}
        instance.model_extra = None if self.model_extra is None else dict(self.model_extra)
        instance.model_fields_set = {*self.model_fields_set, *update}
        return instance

    def as_map(self) -> dict[str, Any]:
        """The fields with their values."""
        return dict(self.__dict__)


def validate(model: type[P], raw: Any) -> tuple[P, list[Problem]]:
    """``raw`` (plain data, never changed) as an instance of ``model``, and what had to be left out for that: real
    templates contain errors that their engine refuses; everything else must convert. A document without errors costs
    plain checks; for one that they refuse :mod:`bpconvert.models.repair` asks the pydantic model what is wrong.

    Raises ``pydantic.ValidationError`` when not even an empty document is left (``raw`` is no map)."""
    try:
        return model.checked(raw), []
    except ValueError:
        from bpconvert.models.repair import repaired

        return repaired(model.SOURCE, model.checked, raw)


def text(value: Any) -> Any:
    """A text."""
    if isinstance(value, str):
        return value
    raise Unfit


def flag(value: Any) -> Any:
    """True or false."""
    if value is True or value is False:
        return value
    raise Unfit


def kind(*types: type, check: Callable[[Any], None] | None = None) -> Check:
    """A value of one of ``types``, as it is (:class:`bpconvert.models.fields.Kind`)."""

    def checked(value: Any) -> Any:
        if value is ABSENT:
            return ""
        if not isinstance(value, types):
            raise Unfit
        if check is not None:
            check(value)
        return value

    return checked


def optional(inner: Check) -> Check:
    """None, or what ``inner`` takes."""
    return lambda value: None if value is None else inner(value)


def before(change: Check, inner: Check) -> Check:
    """What ``inner`` takes once ``change`` has been at it."""
    return lambda value: inner(change(value))


def mapping(inner: Check | None) -> Check:
    """A map of texts to what ``inner`` takes."""

    def checked(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Unfit
        for key in value:
            if not isinstance(key, str):
                raise Unfit
        return dict(value) if inner is None else {key: inner(item) for key, item in value.items()}

    return checked


def sequence(inner: Check | None) -> Check:
    """A list of what ``inner`` takes."""

    def checked(value: Any) -> Any:
        if not isinstance(value, list):
            raise Unfit
        return list(value) if inner is None else [inner(item) for item in value]

    return checked


def row(*inner: Check | None) -> Check:
    """A list of as many values as there are checks."""

    def checked(value: Any) -> Any:
        if not isinstance(value, list) or len(value) != len(inner):
            raise Unfit
        return tuple(item if check is None else check(item) for check, item in zip(inner, value, strict=True))

    return checked


def record(**inner: Check) -> Check:
    """A map, of which the values of some keys are what the checks take; any further keys."""

    def checked(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Unfit
        return {key: inner[key](item) if key in inner else item for key, item in value.items()}

    return checked


def one_of(*values: Any) -> Check:
    """One of some texts, or None."""

    def checked(value: Any) -> Any:
        if value is None or (isinstance(value, str) and value in values):
            return value
        raise Unfit

    return checked


def whole(value: Any) -> Any:
    """A whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Unfit


def model(plain: type[Plain]) -> Check:
    """An instance of ``plain``, with the short forms of the language (:class:`bpconvert.models.fields.Later`)."""

    def checked(value: Any) -> Any:
        if value is None and plain.NULLABLE:
            value = {}
        elif plain.SHORT and isinstance(value, str):
            value = {plain.SHORT: value}
        return plain.checked(value)

    return checked


def later(name: str) -> Check:
    """:func:`model` for the class ``module:Class``, imported with its first value."""
    checks: list[Check] = []

    def checked(value: Any) -> Any:
        if not checks:
            module, _, kind = name.partition(":")
            checks.append(model(getattr(import_module(module), kind)))
        return checks[0](value)

    return checked
