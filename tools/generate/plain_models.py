"""The language models without pydantic (``models/plain``), from the pydantic models: a class for each, with a check for
each key. A form of annotation that is not known here stops the generator."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Union, get_args, get_origin

from formatting import formatted
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bpconvert.models.fields import Kind, Later, Model

MODULES = ("hot", "cloudify_declarations", "cloudify_definitions", "cloudify", "tosca")
#: where the checks are that models refer to
_CHECKS = ("checks", "hot_rules", "cloudify_rules")
_PACKAGE = "bpconvert.models."
_CLASS_VALUES = ("NOUN", "KEY", "SINCE", "SHORT", "NULLABLE")


def modules() -> dict[str, str]:
    """Path -> text of each generated module."""
    return {f"models/plain/{name}.py": _Module(name).text() for name in MODULES}


def models(name: str) -> list[type[Model]]:
    """The pydantic models that a module defines, in its order."""
    found = vars(import_module(_PACKAGE + name)).values()
    return [one for one in found if _is_model(one) and one.__module__ == _PACKAGE + name]


def _is_model(value: Any) -> bool:
    return get_origin(value) is None and isinstance(value, type) and issubclass(value, Model) and value is not Model


class _Module:
    """One generated module."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.models = models(name)
        self.imports: dict[str, set[str]] = {}
        self.typing_imports: dict[str, set[str]] = {}
        self.shared: dict[str, str] = {}
        self.uses: dict[str, int] = {}

    def text(self) -> str:
        defined: set[str] = set()
        for model in self.models:  # count first: what is used more than once stands above the classes
            list(self._checks(model))
        for expression, count in list(self.uses.items()):
            if count > 1:
                self.shared[expression] = f"_{len(self.shared)}"
        parts: list[str] = []
        for model in self.models:
            used = [one for one in self._checks(model) if one in self.shared]
            new = [f"{name}: Final = {one}" for one, name in self.shared.items() if one in used and one not in defined]
            defined.update(used)
            parts += ["\n".join(new)] * bool(new) + [self._class(model)]
        about = f"Generated from ``models/{self.name}.py`` (``python tools/generate``): see :mod:`.plain`."
        lines = [f'"""{about}"""', "", "from __future__ import annotations", ""]
        self._need("typing", "Any", *["Final"] * bool(self.shared))
        if self.typing_imports:
            self._need("typing", "TYPE_CHECKING")
        lines += [_import("typing", self.imports.pop("typing")), ""]
        lines += [_import(module, names) for module, names in sorted(self.imports.items())]
        if self.typing_imports:
            inner = [_import(module, names) for module, names in sorted(self.typing_imports.items())]
            lines += ["", "if TYPE_CHECKING:", *(f"    {line}" for line in inner)]
        gap = "\n\n" if parts[0].startswith("_") else "\n\n\n"
        text = "\n".join(lines) + gap + "\n\n\n".join(parts) + "\n"
        return formatted(text, f"models/plain/{self.name}.py")

    def _need(self, module: str, *names: str) -> None:
        self.imports.setdefault(module, set()).update(names)

    # -- classes

    def _class(self, model: type[Model]) -> str:
        parent = model.__mro__[1]
        fields = model.model_fields
        base = "Plain" if parent is Model else parent.__name__
        self._refer(parent) if parent is not Model else self._need(_PACKAGE + "plain", "Plain")
        lines = [f"class {model.__name__}({base}):", f'    """{(model.__doc__ or "").strip().splitlines()[0]}"""', ""]
        lines.append(f'    SOURCE = "{model.__module__}:{model.__name__}"')
        for key in _CLASS_VALUES:
            if getattr(model, key) != getattr(parent, key):
                lines.append(f"    {key} = {getattr(model, key)!r}")
        if model.model_config.get("extra") == "allow":
            lines.append("    OPEN = True")
        rows = dict(zip(map(_key, fields, fields.values()), self._checks(model), strict=True))
        defaults = {name: _default(field) for name, field in fields.items()}
        if "REQUIRED" in defaults.values():
            self._need(_PACKAGE + "plain", "REQUIRED")
        if fields:
            lines.append(_table("CHECKS", {key: self.shared.get(check, check) for key, check in rows.items()}))
            lines.append(_table("DEFAULTS", {name: one.replace("{}", "None") for name, one in defaults.items()}))
        for key, wanted in (("MAPS", "{}"), ("NEEDED", "REQUIRED")):
            names = tuple(name for name, default in defaults.items() if default == wanted)
            if names:
                lines.append(f"    {key} = {names!r}")
        renamed = {_key(name, field): name for name, field in fields.items() if _key(name, field) != name}
        if renamed:
            lines.append(f"    FIELDS = {renamed!r}")
        lines.append("")
        for name, field in fields.items():
            inherited = parent.model_fields.get(name) if parent is not Model else None
            if inherited is None or repr(inherited.annotation) != repr(field.annotation):
                lines.append(f"    {name}: {self._type(field.annotation, field.metadata)}")
        return "\n".join(lines).rstrip()

    def _checks(self, model: type[Model]) -> Iterator[str]:
        for field in model.model_fields.values():
            yield self._check(field.annotation, field.metadata)

    # -- checks

    def _check(self, annotation: Any, metadata: Any = ()) -> str:
        """The check of a value as an expression."""
        made = self._plain_check(annotation, metadata)
        if not made.isidentifier():
            self.uses[made] = self.uses.get(made, 0) + 1
        return made

    def _plain_check(self, annotation: Any, metadata: Any) -> str:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            return self._plain_check(annotation, (*more, *metadata))
        base: str | None = None
        wrappers = []
        for one in metadata:
            if isinstance(one, Kind):
                base, wrappers = self._kind(one), []
            elif isinstance(one, Later):
                base, wrappers = self._later(one, annotation), []
            elif isinstance(one, BeforeValidator):
                wrappers.append(self._function(one.func))
            else:
                raise TypeError(f"unknown annotation {one!r}")
        made = base if base is not None else self._of_type(annotation)
        for wrapper in wrappers:
            self._need(_PACKAGE + "plain", "before")
            made = f"before({wrapper}, {made})"
        return made

    def _of_type(self, annotation: Any) -> str:
        origin, inner = get_origin(annotation), get_args(annotation)
        if annotation is Any:
            return "None"
        if annotation in (str, bool):
            return self._plain({str: "text", bool: "flag"}[annotation])
        if origin in (Union, types.UnionType) and len(inner) == 2 and type(None) in inner:
            other = next(one for one in inner if one is not type(None))
            found = self._plain_check(other, ())
            return f"{self._plain('optional')}({found})"
        if origin is dict and inner[0] is str:
            return f"{self._plain('mapping')}({self._plain_check(inner[1], ())})"
        if origin is list:
            return f"{self._plain('sequence')}({self._plain_check(inner[0], ())})"
        raise TypeError(f"unknown annotation {annotation!r}")

    def _plain(self, name: str) -> str:
        self._need(_PACKAGE + "plain", name)
        return name

    def _kind(self, one: Kind) -> str:
        words = ", ".join("type(None)" if kind is type(None) else kind.__name__ for kind in one.types)
        check = f", check={self._function(one.check)}" if one.check is not None else ""
        return f"{self._plain('kind')}({words}{check})"

    def _later(self, one: Later, annotation: Any) -> str:
        if one.name:
            place = one.name.replace(_PACKAGE, _PACKAGE + "plain.")
            return f'{self._plain("later")}("{place}")'
        self._refer(annotation)
        return f"{self._plain('model')}({annotation.__name__})"

    def _function(self, function: Any) -> str:
        for module in _CHECKS:
            for name, value in vars(import_module(_PACKAGE + module)).items():
                if value is function:
                    alias = module if module == "checks" else "rules"
                    self._need("bpconvert.models", module if alias == module else f"{module} as {alias}")
                    return f"{alias}.{name}"
        raise TypeError(f"{function!r} has no name in {', '.join(_CHECKS)}")

    # -- types

    def _type(self, annotation: Any, metadata: Any = ()) -> str:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            return self._type(annotation, (*more, *metadata))
        later = next((one for one in metadata if isinstance(one, Later) and one.name), None)
        if later is not None:
            module, _, name = later.name.partition(":")
            module = module.replace(_PACKAGE, _PACKAGE + "plain.")
            self.typing_imports.setdefault(module, set()).add(name)
            return name
        origin, inner = get_origin(annotation), get_args(annotation)
        if origin in (Union, types.UnionType):
            return " | ".join(self._type(one) for one in inner)
        if origin in (dict, list):
            return f"{origin.__name__}[{', '.join(self._type(one) for one in inner)}]"
        if annotation is type(None):
            return "None"
        if annotation is Any or annotation is typing.Any:
            return "Any"
        if _is_model(annotation):
            self._refer(annotation)
        name: str = annotation.__name__
        return name

    def _refer(self, model: type[Model]) -> None:
        if model.__module__ != _PACKAGE + self.name:
            module = model.__module__.replace(_PACKAGE, _PACKAGE + "plain.")
            self._need(module, model.__name__)


def _key(name: str, field: FieldInfo) -> str:
    return field.alias or name


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "REQUIRED"
    if field.default_factory is dict or repr(field.default) == "{}":
        return "{}"
    if field.default is None or field.default is False:
        return repr(field.default)
    raise TypeError(f"unknown default {field!r} ({PydanticUndefined})")


def _import(module: str, names: Iterable[str]) -> str:
    """Import lines in the order of ruff: aliases on lines of their own, constants first, then classes."""
    plain = sorted((name for name in names if " as " not in name), key=lambda n: (not n.isupper(), n[0].islower(), n))
    aliased = sorted(name for name in names if " as " in name)
    return "\n".join(f"from {module} import {part}" for part in ([", ".join(plain)] * bool(plain) + aliased))


def _table(name: str, rows: Mapping[str, str]) -> str:
    return f"    {name} = {{{', '.join(f'{json.dumps(key)}: {value}' for key, value in rows.items())}}}"
