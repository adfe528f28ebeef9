"""The form of a TOSCA 2.0 file: whether each key is one that its place has, and each value of the kind that the key
takes (TOSCA 2.0, 5.2 and the tables of keynames)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from bpconvert.diagnostics.suggest import guess
from bpconvert.models.checks import describe
from bpconvert.models.expressions import Path
from bpconvert.translators.tosca.check.tosca_2_0.grammar import COMMON, FORMER, FORMER_KEYS, FORMS, Form
from bpconvert.translators.tosca.functions_2_0 import PREFIX

Report = Callable[..., None]

UNBOUNDED: Final = "UNBOUNDED"
_VERSION: Final = re.compile(r"\d+\.\d+(\.\d+(\.[^\s.-]+(-\d+)?)?)?")


def is_call(value: Any) -> bool:
    """True for a call: a map whose only key begins with one ``$``, or the text ``$name`` (10.1)."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value))
    return isinstance(value, str) and value[:1] == PREFIX and value[1:2] not in ("", PREFIX)


def is_version(value: Any) -> bool:
    """True for a version (9.1.2.3)."""
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def is_count(value: Any) -> bool:
    """True for a whole number from 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_range(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2 or not is_count(value[0]):
        return False
    return value[1] == UNBOUNDED or (is_count(value[1]) and value[0] <= value[1])


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_node(value: Any) -> bool:
    if not isinstance(value, list):
        return isinstance(value, str)
    return len(value) == 2 and isinstance(value[0], str) and (is_count(value[1]) or is_call(value[1]))


#: kinds of values that a call may stand for (10.1: wherever a value is expected)
_COMPUTED: Final = ("any", "data", "count", "node", "clause", "clauses", "mappings")
#: kind -> whether a value is of it, and what it is called
_KINDS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "any": (lambda value: True, ""),
    "text": (lambda value: isinstance(value, str), "a text"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "count": (is_count, "a whole number from 0"),
    "range": (_is_range, "a list of two whole numbers, the second one not smaller or UNBOUNDED"),
    "texts": (_is_texts, "a list of texts"),
    "path": (lambda value: isinstance(value, list) and bool(value), "a list of steps to an attribute"),
    "map": (lambda value: isinstance(value, dict), "a map"),
    "data": (lambda value: isinstance(value, dict), "a map"),
    "mappings": (lambda value: isinstance(value, dict), "a map"),
    "multipliers": (lambda value: isinstance(value, dict), "a map of numbers"),
    "version": (is_version, "a version, as a text"),
    "node": (_is_node, "the name of a node, or a list of it and an index"),
    "clause": (lambda value: is_call(value) or isinstance(value, bool), "a condition, which is a call of a function"),
    "clauses": (
        lambda value: isinstance(value, list) and all(is_call(item) for item in value), "a list of conditions",
    ),
}  # fmt: skip
#: maps whose keys are names
_NAMES: Final = ("data",)


class Forms:
    """Walks through a file. ``report`` takes a code, a path and the texts of the message."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def check(self, kind: str, value: Any, path: Path, what: str) -> None:
        """Report what is wrong with the form of ``value``, which messages call ``what``."""
        if kind in _KINDS:
            self._plain(kind, value, path, what)
        elif kind.startswith("directives:"):
            self._directives(kind.partition(":")[2].split(","), value, path, what)
        elif kind.startswith("["):
            self._list(kind[1:-1], value, path, what)
        elif kind.startswith("{"):
            self._map(kind[1:-1], value, path, what)
        else:
            self._form(FORMS[kind], value, path, what)

    def _wrong(self, value: Any, path: Path, what: str, wanted: str) -> None:
        self.report("BPC902", path, what=what, wanted=wanted, found=describe(value))

    def _plain(self, kind: str, value: Any, path: Path, what: str) -> None:
        fits, wanted = _KINDS[kind]
        if not fits(value) and not (is_call(value) and kind in _COMPUTED):
            self._wrong(value, path, what, wanted)
        elif kind in _NAMES and isinstance(value, dict) and not is_call(value):
            self._check_names(value, path, what)

    def _directives(self, words: list[str], value: Any, path: Path, what: str) -> None:
        if not _is_texts(value):
            self._wrong(value, path, what, "a list of texts")
            return
        for index, word in enumerate(value):
            if word not in words:
                self.report("BPC907", (*path, index), problem=f"there is no directive '{word}'{guess(word, words)}")

    def _check_names(self, value: dict[Any, Any], path: Path, what: str) -> None:
        for name in value:
            if not isinstance(name, str) or not name:
                self.report("BPC904", (*path, name), what=what, name=name)

    def _list(self, kind: str, value: Any, path: Path, what: str) -> None:
        if not isinstance(value, list):
            self._wrong(value, path, what, "a list")
            return
        inner = kind[1:-1] if kind.startswith("{") else ""
        for index, item in enumerate(value):
            place = (*path, index)
            if not inner:
                self.check(kind, item, place, f"item {index + 1} of {what}")
            elif not isinstance(item, dict) or len(item) != 1:
                self._wrong(item, place, f"item {index + 1} of {what}", "a map with one name")
            else:
                self._map(inner, item, place, what)

    def _map(self, kind: str, value: Any, path: Path, what: str) -> None:
        if not isinstance(value, dict):
            self._wrong(value, path, what, "a map")
            return
        self._check_names(value, path, what)
        for name, item in value.items():
            if isinstance(name, str):
                self.check(kind, item, (*path, name), f"'{name}'")

    def _form(self, form: Form, value: Any, path: Path, what: str) -> None:
        if (value is None and form.empty) or (form.assigned and isinstance(value, dict) and is_call(value)):
            return
        if not isinstance(value, dict):
            if form.short == "any" and value is not None:
                return
            if not form.short or form.short == "any" or not _KINDS[form.short][0](value):
                short = _KINDS[form.short][1] if form.short not in ("", "any") else ""
                self._wrong(value, path, what, f"a map, or {short}" if short else "a map")
            return
        keys = {**COMMON, **form.keys}
        if form.short == "any" and value and keys.keys().isdisjoint(value):
            return  # a value in place of the definition
        for key, item in value.items():
            if key in FORMER_KEYS.get(form.noun, ()):
                self.report("BPC940", (*path, key), problem=f"{form.noun} has no '{key}' since 2.0")
            elif key in keys:
                self.check(keys[key], item, (*path, key), f"'{key}' of {what}" if what.startswith("'") else f"'{key}'")
            else:
                hint = f"; 2.0 has '{FORMER[key]}'" if key in FORMER and FORMER[key] in keys else guess(str(key), keys)
                self.report("BPC900", (*path, key), what=form.noun, name=key, guess=hint)
        for key in form.needs:
            if key not in value:
                self.report("BPC901", path, what=form.noun, name=key)
