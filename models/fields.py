"""Building blocks of the language models: the base class and the field types that pydantic does not have.

Free values (properties, defaults, metadata, ...) must stay the very objects that were read, because their places
in the source hang on them: :class:`Kind` checks such a value without copying it.

Each model's validator is built when its first value comes along (:class:`Later`): defining a language costs little,
and a document pays only for the sections it has."""

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, ClassVar, Final, TypeAlias, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_core import core_schema

from bpconvert.models.checks import ABSENT, describe, null_as_map, wrong


class Model(BaseModel):
    """Base of all language models: unknown keys are errors, values are never converted."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    #: how messages call one of these, with its article, and how they call its keys
    NOUN: ClassVar[str] = "a template"
    KEY: ClassVar[str] = "key"
    #: what repair puts in place of required keys that are missing or wrong; an object without them all is removed
    FILLS: ClassVar[dict[str, Any]] = {}
    #: first version of the language that has the key (keys that are not here: all versions)
    SINCE: ClassVar[dict[str, str]] = {}
    #: the key that a bare text stands for, where the language has such a short form
    SHORT: ClassVar[str] = ""
    #: null in place of the whole object is the same as an empty one
    NULLABLE: ClassVar[bool] = False


class Later:
    """Annotation: validate with a model that is built on first use.

    ``name``: the model's place as ``module:Class``, for models that are imported on first use too."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def model(self, source: Any) -> type[Model]:
        """The model meant by ``Annotated[source, self]``."""
        if self.name:
            module, _, name = self.name.partition(":")
            source = getattr(import_module(module), name)
        return cast(type[Model], source)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        model: list[type[Model]] = []

        def check(value: Any) -> Model:
            if not model:
                model.append(self.model(source))
            kind = model[0]
            if value is None and kind.NULLABLE:
                value = {}
            elif kind.SHORT and isinstance(value, str):
                value = {kind.SHORT: value}
            return kind.model_validate(value)

        return core_schema.no_info_plain_validator_function(check)


class Kind:
    """Annotation: the value must be of one of ``types`` (for the engines a boolean is a number) and is kept as it is.

    ``words`` name the types in messages; ``check`` raises :func:`~.checks.wrong` for what types cannot express."""

    def __init__(self, words: str, *types: type, check: Callable[[Any], None] | None = None) -> None:
        self.words = words
        self.types = types
        self.check = check

    def validate(self, value: Any) -> Any:
        """``value`` itself; raises :func:`~.checks.wrong`."""
        if value is ABSENT:
            return ""
        if not isinstance(value, self.types):
            raise wrong("must be {words}, not {found}", words=self.words, found=describe(value))
        if self.check is not None:
            self.check(value)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.validate)


T = TypeVar("T")

LATER: Final = Later()
EMPTY: Final = BeforeValidator(null_as_map)
#: named things; null is an empty map
Named: TypeAlias = Annotated[dict[str, T], EMPTY]
#: a section of named models
Section: TypeAlias = Annotated[dict[str, Annotated[T, LATER]], EMPTY]
#: a map or list kept as it is
FreeMap: TypeAlias = Annotated[dict[str, Any], Kind("a map", dict)]
FreeList: TypeAlias = Annotated[list[Any], Kind("a list", list)]
Whole: TypeAlias = Annotated[int, Kind("a whole number", int)]
