"""How calls of the Cloudify DSL's functions are recognised and which arguments the parser takes.

A map is a call when its only key is the name of a function, or when it has two keys of which the other is ``type``
(or a function too: then the last one is called). There is no escape. These are the rules of
``dsl_parser.utils.get_function`` and of the ``parse_args`` of each function. The table of the functions is in
:mod:`bpconvert.translators.cloudify.functions`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path

DIALECT: Final = "cloudify"
#: the key that may stand beside a function's name
TYPED: Final = "type"
#: the name of :class:`Foreign` for a group of which OpenStack needs the id
GROUP_NAME = "remote_group_name"


# -- argument shapes ----------------------------------------------------------------------------------------


def called(raw: Any) -> str | None:
    """The name of the function that the parser takes ``raw`` for a call of; None when it is data."""
    if not isinstance(raw, dict) or not 0 < len(raw) < 3:
        return None
    name = None
    for key in raw:
        if key == TYPED:
            continue
        if key not in READERS:
            return None
        name = key
    return name


def collides(raw: Any) -> bool:
    """True for a literal map that the parser would take for a call."""
    return called(raw) is not None


def _step(raw: Any) -> bool:
    """An item of a path: a key, an index or a function."""
    return isinstance(raw, (str, int)) or collides(raw)


def _steps(raw: Any, least: int) -> bool:
    return isinstance(raw, list) and len(raw) >= least and all(map(_step, raw))


def _text(raw: Any) -> bool:
    return isinstance(raw, str) or collides(raw)


def _one_text(raw: Any) -> bool:
    """A text that is the whole argument: here the parser takes no function with ``type`` beside it."""
    return _text(raw) and (isinstance(raw, str) or len(raw) == 1)


def _is_whole(raw: Any) -> bool:
    return raw is None or isinstance(raw, int) or collides(raw)


def _texts(raw: Any, *counts: int) -> bool:
    """A list of ``counts[0]`` texts, then (up to ``counts[-1]`` items in all) whole numbers."""
    return (
        isinstance(raw, list)
        and counts[0] <= len(raw) <= counts[-1]
        and all(map(_text, raw[: counts[0]]))
        and all(map(_is_whole, raw[counts[0] :]))
    )


# -- readers: (argument as written, argument read, path) -> expression ---------------------------------------


def _read_input(raw: Any, arg: Any, path: Path) -> Expr | None:
    if _text(raw):
        return ex.Input(arg, strict=True, path=path)
    return ex.Input(arg[0], tuple(arg[1:]), strict=True, path=path) if _steps(raw, 1) else None


def _of_node(make: Callable[..., Expr]) -> Callable[[Any, Any, Path], Expr | None]:
    """The reader of ``[node, name, key...]``."""
    return lambda raw, arg, path: make(arg[0], arg[1], tuple(arg[2:]), path=path) if _steps(raw, 2) else None


def _read_attribute_dict(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not _steps(raw[:1] if isinstance(raw, list) else None, 1):
        return None
    paths = [name if isinstance(name, list) else [name] for name in raw[1:]]
    if not all(keys and all(isinstance(key, str) for key in keys) for keys in paths):
        return None
    if len({".".join(keys) for keys in paths}) < len(paths):  # the results are named so
        return None
    return ex.AttributeDict(arg[0], tuple(arg[1:]), path=path)


def _read_secret(raw: Any, arg: Any, path: Path) -> Expr | None:
    if _text(raw):
        return ex.Secret(arg, path=path)
    return ex.Secret(arg[0], tuple(arg[1:]), path=path) if isinstance(raw, list) and len(raw) > 1 else None


def _read_group_capability(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not isinstance(raw, list) or len(raw) < 2 or not _steps([*raw[:1], *raw[2:]], 1):
        return None
    if not isinstance(raw[1], list) and not _step(raw[1]):
        return None
    return ex.Capability(arg[1], arg[0], tuple(arg[2:]), scope="group", path=path)


def _read_environment_capability(raw: Any, arg: Any, path: Path) -> Expr | None:
    if isinstance(raw, str):
        return ex.Capability(arg, scope="environment", path=path)
    return ex.Capability(arg[0], keys=tuple(arg[1:]), scope="environment", path=path) if _steps(raw, 2) else None


def _read_label(raw: Any, arg: Any, path: Path) -> Expr | None:
    if _text(raw):
        return ex.Label(arg, path=path)
    if not isinstance(raw, list) or len(raw) != 2 or not _text(raw[0]):
        return None
    index = raw[1]
    if not isinstance(index, int) and not (isinstance(index, str) and index.isdigit()):
        return None
    return ex.Label(arg[0], index, path=path)


#: ``get_sys`` arguments and the neutral name of the fact
SYSTEM_FACTS: Final[dict[tuple[str, str], str]] = {
    ("tenant", "name"): "tenant.name",
    ("deployment", "id"): "deployment.id",
    ("deployment", "name"): "deployment.name",
    ("deployment", "blueprint"): "deployment.blueprint",
    ("deployment", "owner"): "deployment.owner",
}


def _read_system(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not _steps(raw, 2):
        return None
    entity, fact = raw[:2]
    if collides(entity) or (collides(fact) and entity in ("tenant", "deployment")):
        return ex.Foreign(DIALECT, "get_sys", arg, path=path)
    if collides(fact) or (entity, fact) not in SYSTEM_FACTS:
        return None
    if len(raw) > 2:  # the parser ignores the rest
        return ex.Foreign(DIALECT, "get_sys", arg, path=path)
    return ex.System(SYSTEM_FACTS[entity, fact], path=path)


def _read_merge(raw: Any, arg: Any, path: Path) -> Expr | None:
    valid = isinstance(raw, list) and all(isinstance(item, dict) for item in raw)
    return ex.Merge(arg, strict=True, path=path) if valid else None


def _read_split(raw: Any, arg: Any, path: Path) -> Expr | None:
    if not _texts(raw, 2, 3):
        return None
    return ex.Split(arg[1], arg[0], arg[2] if len(arg) == 3 else MISSING, strict=True, path=path)


#: reader of each function's argument: (argument as written, argument read, path) -> expression; None: the parser
#: refuses the argument
READERS: Final[dict[str, Callable[[Any, Any, Path], Expr | None]]] = {
    "get_input": _read_input,
    "get_property": _of_node(ex.Property),
    "get_attribute": _of_node(ex.Attribute),
    "get_attributes_list": _of_node(ex.AttributeList),
    "get_attributes_dict": _read_attribute_dict,
    "get_secret": _read_secret,
    "get_capability": lambda raw, arg, path: (
        ex.Capability(arg[1], arg[0], tuple(arg[2:]), path=path) if _steps(raw, 2) else None
    ),
    "get_group_capability": _read_group_capability,
    "get_environment_capability": _read_environment_capability,
    "get_label": _read_label,
    "get_sys": _read_system,
    "get_consumers": lambda raw, arg, path: ex.Consumers(raw, path=path) if raw in ("ids", "names", "count") else None,
    "concat": lambda raw, arg, path: ex.Concat(tuple(arg), path=path) if isinstance(raw, list) else None,
    "merge": _read_merge,
    "string_find": lambda raw, arg, path: ex.Find(arg[0], arg[1], path=path) if _texts(raw, 2) else None,
    "string_replace": lambda raw, arg, path: ex.StringReplace(*arg, path=path) if _texts(raw, 3, 4) else None,
    "string_split": _read_split,
    "string_lower": lambda raw, arg, path: ex.Lower(arg, path=path) if _one_text(raw) else None,
    "string_upper": lambda raw, arg, path: ex.Upper(arg, path=path) if _one_text(raw) else None,
}
