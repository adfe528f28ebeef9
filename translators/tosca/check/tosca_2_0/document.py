"""A TOSCA 2.0 file against its specification."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.expressions import Path
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.check.tosca_2_0.definitions import Checker
from bpconvert.translators.tosca.check.tosca_2_0.forms import Forms, is_call
from bpconvert.translators.tosca.check.tosca_2_0.functions import Calls
from bpconvert.translators.tosca.check.tosca_2_0.templates import Templates
from bpconvert.translators.tosca.check.tosca_2_0.types import Types
from bpconvert.translators.tosca.check.tosca_2_0.values import Values
from bpconvert.translators.tosca.read.imports import combine
from bpconvert.yamlio.document import Document

#: what combining reports that counts here: an import that is not read, one that is broken
_OF_IMPORTS: Final = ("BPC142", "BPC143", "BPC852", "BPC882")
_VERSION: Final = "tosca_definitions_version"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
#: what is no part of the language: data for people, and text for anchors
_FREE: Final = ("dsl_definitions", "metadata")


def check(document: Document, reporter: Reporter, files: Files) -> None:
    """Report what the specification refuses. Imported files give types; what is wrong in them is not looked for."""
    data = document.tree
    if not isinstance(data, dict):
        reporter.report("BPC902", (), what="a TOSCA file", wanted="a map", found="something else")
        return
    forms = Forms(reporter.report)
    forms.check("file", data, (), "the file")
    _first(data, reporter)
    for repeated in document.duplicates:
        if not any(step in _FREE for step in repeated.path):
            reporter.report("BPC906", repeated.path, what="key", name=repeated.key)
    reading = Reporter(document)
    combined = combine(document, files, reading)
    combined.report(reading)
    for finding in reading.diagnostics:
        if finding.code in _OF_IMPORTS:
            reporter.record(finding)
    merged = {**combined.data, **{key: value for key, value in data.items() if str(key).endswith("_types")}}
    for section in [key for key in merged if str(key).endswith("_types")]:
        merged[section] = {**entries(combined.data, section), **entries(data, section)}
    types = Types(merged, _unread(data, combined.complete, combined.standard))
    own = {str(name) for name in entries(combined.data, "functions")}
    own |= {str(name) for name in entries(entries(data, "service_template"), "functions")}
    calls = Calls(reporter.report, own, types.complete)
    for key, value in data.items():
        if key not in _FREE:
            calls.check(value, (key,))
    checker = Templates(types, Values(types, lambda path: _spelled(document, path)), calls, reporter.report)
    checker.repositories = frozenset(map(str, entries(combined.data, "repositories")))
    _imports(data, checker)
    _functions(data, checker)
    checker.check(data)
    if isinstance(data.get("service_template"), dict):
        if "profile" in data:
            reporter.report(
                "BPC940", ("service_template",), problem="a file that defines a profile has no service template"
            )
        checker.check_template(data["service_template"], ("service_template",))


def _first(data: Mapping[Any, Any], reporter: Reporter) -> None:
    if _VERSION in data and next(iter(data)) != _VERSION:
        reporter.report("BPC905", (_VERSION,))


def _unread(data: Mapping[str, Any], complete: bool, standard: set[str]) -> frozenset[str]:
    """The namespaces of which imports are missing; the types of the Simple Profile are no part of the language."""
    namespaces = set(standard)
    if not complete:
        for row in items(data.get("imports")):
            name = row.get("namespace") if isinstance(row, dict) else None
            namespaces.add(name if isinstance(name, str) else "")
    return frozenset(namespaces)


def _imports(data: Mapping[str, Any], checker: Checker) -> None:
    """Imports name a file or a profile, and a repository that there is (6.8.1)."""
    repositories = entries(data, "repositories")
    for index, row in enumerate(items(data.get("imports"))):
        place: Path = ("imports", index)
        if not isinstance(row, dict) or is_call(row):
            continue
        if ("url" in row) == ("profile" in row):
            checker.problem(place, "an import has either 'url' or 'profile'")
        if "repository" in row and "url" not in row:
            checker.problem((*place, "repository"), "a repository is of imports with 'url'")
        repository, url = row.get("repository"), row.get("url")
        if isinstance(repository, str) and repository not in repositories:
            checker.report("BPC933", (*place, "repository"), what="repository", name=repository, guess="")
        if isinstance(url, str) and "repository" in row and _SCHEME.match(url):
            checker.problem((*place, "url"), "a URL with a scheme is in no repository")


def _functions(data: Mapping[str, Any], checker: Templates) -> None:
    """The schemas of the arguments and results of functions, of which each has a signature (10.4)."""
    for owner, path in ((data, ()), (entries(data, "service_template"), ("service_template",))):
        for name, row in entries(owner, "functions").items():
            place: Path = (*path, "functions", name)
            if isinstance(row, dict) and row.get("signatures") == []:
                checker.problem((*place, "signatures"), f"the function '{name}' has one signature or more")
            for index, signature in enumerate(items(row.get("signatures") if isinstance(row, dict) else None)):
                here = (*place, "signatures", index)
                for key in ("arguments", "optional_arguments"):
                    for number, argument in enumerate(items(entries({"": signature}, "").get(key))):
                        checker.schema(argument, (*here, key, number))
                if isinstance(signature, dict):
                    checker.schema(signature.get("result"), (*here, "result"))
                    checker.implementation(signature.get("implementation"), (*here, "implementation"))


def _spelled(document: Document, path: Path) -> str:
    """How the plain scalar at ``path`` is written; "" for anything else, and for a path that leads nowhere."""
    node: Any = document.tree
    event = None
    try:
        for step in path:
            if isinstance(node, dict):
                _, _, event, node = node.entry(step)  # type: ignore[attr-defined]
            else:
                event, node = node.items[step], node[step]
    except (AttributeError, LookupError, TypeError):
        return ""
    plain = getattr(event, "style", "'") in (None, "")
    return str(getattr(event, "value", "")) if plain else ""
