"""Data classes and named tuples that cost little to define.

They are those of the standard library, but for one thing: what is generated for a class (``__init__``, ``__new__``) is
generated when its first object is made. Most classes have none in a run of the command, and the generated code of all
was a third of its start. Type checkers see the standard library's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple

    _tuplegetter: Any
else:
    from _collections import _tuplegetter

__all__ = ["NO_DEFAULT", "NamedTuple", "Row", "dataclass", "field", "replace", "rows"]


def _annotations(owner: type) -> dict[str, Any]:
    """What a class itself annotates."""
    annotations: dict[str, Any] = vars(owner).get("__annotations__", {})
    return annotations


class _NoDefault:
    """Stands for the default of a field that has none."""

    def __repr__(self) -> str:
        return "NO_DEFAULT"


NO_DEFAULT: Final = _NoDefault()


class Row:
    """A field of a data class. ``default``, ``default_factory``: :data:`NO_DEFAULT` where there is none."""

    __slots__ = ("default", "default_factory", "keywords", "kw_only", "name", "type")

    def __init__(self, default: Any = NO_DEFAULT, default_factory: Any = NO_DEFAULT, **keywords: Any) -> None:
        self.name, self.type = "", ""
        self.default, self.default_factory = default, default_factory
        self.kw_only = bool(keywords.pop("kw_only", False))
        #: the others that ``dataclasses.field`` takes
        self.keywords = keywords


def rows(owner: Any) -> tuple[Row, ...]:
    """The fields of a data class of this module, or of an object of one, those of its bases first."""
    kind: Any = owner if isinstance(owner, type) else type(owner)
    cached: tuple[Row, ...] | None = kind.__dict__.get("_rows")
    if cached is None:
        by_name: dict[str, Row] = {}
        for base in reversed(kind.__mro__):
            for row in base.__dict__.get("_own_rows", ()):
                by_name[row.name] = row
        cached = kind._rows = tuple(by_name.values())
    return cached


class _Fields:
    """What ``dataclasses.fields``, ``asdict`` and ``is_dataclass`` look for: made when somebody does."""

    def __get__(self, instance: Any, kind: type) -> dict[str, Any]:
        import dataclasses

        fields = {}
        for row in rows(kind):
            arguments: dict[str, Any] = {"kw_only": row.kw_only, **row.keywords}
            if row.default is not NO_DEFAULT:
                arguments["default"] = row.default
            if row.default_factory is not NO_DEFAULT:
                arguments["default_factory"] = row.default_factory
            field: Any = dataclasses.field(**arguments)
            field.name, field.type = row.name, row.type
            # what ``dataclasses.fields`` and ``asdict`` go by, and only ``@dataclass`` itself can set
            field._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
            fields[row.name] = field
        return fields


class _Params:
    """What ``pprint`` looks for."""

    def __init__(self, eq: bool, repr: bool, frozen: bool) -> None:
        self.init, self.order, self.unsafe_hash = True, False, False
        self.eq, self.repr, self.frozen = eq, repr, frozen


class _Init:
    """Stands for the ``__init__`` of a class, ``owner``, until that is needed."""

    def __init__(self, owner: type, is_frozen: bool) -> None:
        self._owner, self._is_frozen = owner, is_frozen

    def __get__(self, instance: Any, kind: type | None = None) -> Any:
        owner: Any = self._owner
        if isinstance(owner.__dict__.get("__init__"), _Init):
            owner.__init__ = _init(owner, self._is_frozen)
        function = owner.__dict__["__init__"]
        return function if instance is None else function.__get__(instance, kind)


def _init(owner: type, is_frozen: bool) -> Callable[..., None]:
    """The ``__init__`` of a data class."""
    namespace: dict[str, Any] = {"_FACTORY": _FACTORY}
    positional: list[str] = []
    keywords: list[str] = []
    lines = ["    _set = self.__dict__"] if is_frozen else []
    annotations: dict[str, Any] = {}
    for row in rows(owner):
        name, value = row.name, row.name
        annotations[name] = row.type
        if row.default_factory is not NO_DEFAULT:
            namespace[f"_made_{name}"] = row.default_factory
            parameter = f"{name}=_FACTORY"
            value = f"_made_{name}() if {name} is _FACTORY else {name}"
        elif row.default is not NO_DEFAULT:
            namespace[f"_default_{name}"] = row.default
            parameter = f"{name}=_default_{name}"
        else:
            parameter = name
        (keywords if row.kw_only else positional).append(parameter)
        lines.append(f"    _set[{name!r}] = {value}" if is_frozen else f"    self.{name} = {value}")
    words = ", ".join(["self", *positional, *(["*", *keywords] if keywords else [])])
    if hasattr(owner, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec(f"def __init__({words}):\n" + ("\n".join(lines) or "    pass"), namespace)
    function = namespace["__init__"]
    function.__qualname__, function.__module__ = f"{owner.__qualname__}.__init__", owner.__module__
    function.__annotations__ = {**annotations, "return": None}
    return cast("Callable[..., None]", function)


class _Factory:
    """The default of a parameter whose value is made anew each time."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY: Final = _Factory()


def _values(instance: Any) -> tuple[Any, ...]:
    return tuple(getattr(instance, row.name) for row in rows(instance) if row.keywords.get("compare", True))


def _equal(self: Any, other: object) -> Any:
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented


def _shown(self: Any) -> str:
    parts = (f"{row.name}={getattr(self, row.name)!r}" for row in rows(self) if row.keywords.get("repr", True))
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _hash(self: Any) -> int:
    return hash(_values(self))


def _refuse(self: Any, name: str, *value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _defined(owner: Any, eq: bool, repr: bool, frozen: bool) -> Any:
    own: list[Row] = []
    for name, kind in _annotations(owner).items():
        if "ClassVar" in str(kind):
            continue
        row = owner.__dict__.get(name, NO_DEFAULT)
        if not isinstance(row, Row):
            row = Row(row)
        elif row.default is NO_DEFAULT:
            delattr(owner, name)
        else:
            setattr(owner, name, row.default)
        row.name, row.type = name, kind
        own.append(row)
    owner._own_rows = tuple(own)
    owner.__init__ = _Init(owner, frozen)
    owner.__dataclass_fields__ = _Fields()
    owner.__dataclass_params__ = _Params(eq, repr, frozen)
    if eq:
        owner.__eq__, owner.__hash__ = _equal, _hash if frozen else None
    if repr:
        owner.__repr__ = _shown
    if frozen:
        owner.__setattr__ = owner.__delattr__ = _refuse
    return owner


class _Named:
    """The class of ``NamedTuple`` itself: a class that is derived from it becomes a tuple."""

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (_Tuple,)


class _New:
    """Stands for the ``__new__`` of a named tuple, ``owner``, until that is needed."""

    def __init__(self, owner: type) -> None:
        self._owner = owner

    def __get__(self, instance: Any, kind: type | None = None) -> Any:
        owner: Any = self._owner
        if isinstance(owner.__dict__.get("__new__"), _New):
            owner.__new__ = staticmethod(_new(owner))
        return owner.__dict__["__new__"].__func__


def _new(owner: Any) -> Callable[..., Any]:
    """The ``__new__`` of a named tuple."""
    names = owner._fields
    namespace: dict[str, Any] = {"_tuple_new": tuple.__new__}
    words = ", ".join(names)
    exec(f"def __new__(_cls, {words}):\n    return _tuple_new(_cls, ({words}{',' * bool(names)}))", namespace)
    function = namespace["__new__"]
    function.__defaults__ = tuple(owner._field_defaults.values())
    function.__qualname__, function.__module__ = f"{owner.__qualname__}.__new__", owner.__module__
    function.__annotations__ = dict(owner.__annotations__)
    return cast("Callable[..., Any]", function)


class _Tuple(tuple[Any, ...]):
    """Base of all named tuples."""

    __slots__ = ()
    if TYPE_CHECKING:
        _fields: tuple[str, ...]
        _field_defaults: Mapping[str, Any]

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__mro__[1] is not _Tuple:  # derived from a named tuple
            return
        names = tuple(_annotations(cls))
        own = cls.__dict__
        cls._field_defaults = {name: own[name] for name in names if name in own}
        cls._fields = names
        owner: Any = cls
        type.__setattr__(cls, "__match_args__", names)
        for index, name in enumerate(names):
            setattr(cls, name, _tuplegetter(index, ""))
        owner.__new__ = _New(cls)

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        instance = tuple.__new__(cls, values)
        if len(instance) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(instance)}")
        return instance

    def _replace(self, /, **changes: Any) -> Any:
        instance = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return instance

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({parts})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


if not TYPE_CHECKING:
    field = Row
    NamedTuple = _Named()

    def dataclass(owner=None, /, *, eq=True, repr=True, frozen=False):
        """As ``dataclasses.dataclass``."""
        if owner is None:
            return lambda owner: _defined(owner, eq, repr, frozen)
        return _defined(owner, eq, repr, frozen)

    def replace(instance, /, **changes):
        """As ``dataclasses.replace``, of an object of this module's classes: one with other values in some fields."""
        kind = type(instance)
        new = object.__new__(kind)
        old, own = instance.__dict__, new.__dict__
        for row in rows(kind):
            name = row.name
            own[name] = changes.pop(name) if name in changes else old[name]
        if changes:
            raise TypeError(f"{kind.__name__} has no field {next(iter(changes))!r}")
        if hasattr(kind, "__post_init__"):
            new.__post_init__()
        return new
