"""The cases of ``corpus/``: where they are, and what converting one yields."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from checkout import CORPUS

from bpconvert.api import convert
from bpconvert.diagnostics import Diagnostic, SourceError
from bpconvert.options import Options
from bpconvert.translators.cloudify import computed, services, uploads
from bpconvert.translators.tosca import computed as tosca_computed


class Language(NamedTuple):
    """The folder of the corpus with the sources of a dialect, and what a document of the dialect is called there."""

    folder: str
    dialect: str
    document: str


HOT: Final = Language("hot", "hot", "hot.yaml")
CFY: Final = Language("cfy", "cloudify", "blueprint.yaml")
TOSCA: Final = Language("tosca", "tosca", "tosca.yaml")
LANGUAGES: Final = (HOT, CFY, TOSCA)
#: the folder with the cases of all other languages whose result is a service template
TO_TOSCA: Final = "to-tosca"
#: options that are files
FILES: Final = frozenset({"types", "environments"})
#: our own programs, by what a result is, each with those that it needs; no case has a copy of them
PROGRAMS: Final = {
    (document, has_queries): rows
    for has_queries in (False, True)
    for document, rows in {
        "blueprint.yaml": [
            {computed.PATH: computed.program(has_queries=has_queries)},
            {services.PATH: services.program()},
            {uploads.PATH: uploads.program()},
        ],
        "tosca.yaml": [tosca_computed.programs(has_queries=has_queries)],
    }.items()
}
#: the call of a query that a node computes: a key of a blueprint, or in the text of a call
_QUERY: Final = re.compile(rb'\$Query"?:\s')
#: folders that are put together of several
_TOGETHER: Final = tempfile.TemporaryDirectory()
#: source -> target, where the folder of the source's language decides it
DIRECTIONS: Final = {HOT: CFY, CFY: HOT}


@dataclass(frozen=True)
class Outcome:
    """What a conversion yields. ``text`` and ``document`` are None when the source cannot be read."""

    text: str | None
    document: Any
    diagnostics: list[Diagnostic]
    files: dict[str, str]


@dataclass(frozen=True)
class Case:
    """One case folder of the corpus."""

    folder: Path
    #: what the source is written in, and what the result is
    origin: Language
    result: Language

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def language(self) -> str:
        """The folder of the corpus that the case is in."""
        return self.folder.parent.name

    @property
    def dialect(self) -> str:
        return self.origin.dialect

    @property
    def target_dialect(self) -> str:
        return self.result.dialect

    @property
    def id(self) -> str:
        """The name that the tests have."""
        return f"{self.language}-{self.name}"

    @property
    def source(self) -> Path:
        return self.folder / self.origin.document

    @property
    def target(self) -> Path:
        """The expected document."""
        return self.folder / self.result.document

    @property
    def is_mistake(self) -> bool:
        """The engine of the source's language refuses the source."""
        return self.name.startswith("mistake-")

    @cached_property
    def options(self) -> Options:
        """What the case is converted with (``options.json``); it names files relative to the case's folder."""
        found = self._json("options.json")
        for name in FILES & found.keys():
            found[name] = tuple(str(self.folder / file) for file in found[name])
        return Options(**found)

    @cached_property
    def engines(self) -> dict[str, Any]:
        """How to ask the real engines (``engines.json``, see ``corpus/README.md``)."""
        return self._json("engines.json")

    @cached_property
    def outcome(self) -> Outcome:
        """What converting the source with the case's options yields. Messages name it alike wherever it is."""
        try:
            result = convert(
                self.source, self.dialect, self.target_dialect, name=self.origin.document, options=self.options
            )
        except SourceError as error:
            return Outcome(None, None, [error.diagnostic], {})
        return Outcome(result.text, result.document, result.diagnostics, dict(result.files))

    @property
    def actual(self) -> dict[str, bytes]:
        """What should be in the folder after the conversion: path relative to it -> content."""
        outcome = self.outcome
        found = {f"files/{name}": text for name, text in outcome.files.items()}
        if outcome.text is not None:
            found[self.target.name] = outcome.text
        if outcome.diagnostics:
            found["diagnostics.txt"] = "".join(map(self._line_of, outcome.diagnostics))
        return {name: text.encode() for name, text in found.items()}

    @property
    def expected(self) -> dict[str, bytes]:
        """What is there beside the source and the files that it refers to: path relative to the folder -> content."""
        tops = [self.folder / name for name in (self.target.name, "diagnostics.txt", "files")]
        paths = [path for top in tops for path in (top, *top.rglob("*")) if path.is_file()]
        found = {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in paths}
        programs = {f"files/{path}": text.encode() for path, text in self.programs(*found.values()).items()}
        return {**found, **programs}

    def programs(self, *texts: bytes) -> dict[str, str]:
        """Our own programs that one of ``texts`` names, with those that they need."""
        has_queries = any(_QUERY.search(text) for text in texts)
        rows = PROGRAMS.get((self.result.document, has_queries), [])
        named = [row for row in rows if any(path.encode() in text for path in row for text in texts)]
        return {path: text for row in named for path, text in row.items()}

    @cached_property
    def files(self) -> Path:
        """The folder with what is expected beside the result; there is none where nothing is."""
        own = self.folder / "files"
        expected = self.expected
        programs = self.programs(*expected.values())
        if not programs:
            return own
        made = Path(_TOGETHER.name) / self.id
        if own.is_dir():
            shutil.copytree(own, made, dirs_exist_ok=True)  # two may ask for it
        for path, text in programs.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_text(text, "utf-8")
        return made

    def update(self) -> None:
        """Make what is expected what the conversion yields."""
        actual = self.actual
        programs = {f"files/{path}" for path in self.programs(*actual.values())}
        for name in self.expected.keys() - actual.keys():
            (self.folder / name).unlink(missing_ok=True)
        for name, content in actual.items():
            if name in programs:
                continue
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if not any(name.startswith("files/") and name not in programs for name in actual):
            shutil.rmtree(self.folder / "files", ignore_errors=True)

    def _line_of(self, diagnostic: Diagnostic) -> str:
        """A diagnostic as a line, with the file where that is not the source."""
        file = diagnostic.span.file.removeprefix(f"{self.folder}/")
        return line_of(diagnostic) if file == self.origin.document else f"{file}:{line_of(diagnostic)}"

    def _json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        found: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
        return found


def line_of(diagnostic: Diagnostic) -> str:
    """A diagnostic as a line of ``diagnostics.txt``."""
    path = ".".join(map(str, diagnostic.path)) or "-"
    message = " ".join(diagnostic.message.split())
    return f"{diagnostic.span.line}:{diagnostic.span.column} {diagnostic.severity} {diagnostic.code} {path} {message}\n"


def cases_of(language: Language) -> list[Case]:
    """The cases of HOT or of Cloudify's DSL: what becomes of a source in the other one of the two."""
    return [Case(folder, language, DIRECTIONS[language]) for folder in _folders(language.folder)]


def cases_of_tosca() -> list[Case]:
    """The cases of service templates: the folder has a second document, which says what becomes of it; a template of
    Heat where there is none. And the cases of other languages whose second document is a service template."""
    found = [Case(folder, TOSCA, _beside(folder) or HOT) for folder in _folders(TOSCA.folder)]
    return found + [Case(folder, _beside(folder) or HOT, TOSCA) for folder in _folders(TO_TOSCA)]


def _folders(name: str) -> list[Path]:
    return [folder for folder in sorted((CORPUS / name).iterdir()) if folder.is_dir()]


def _beside(folder: Path) -> Language | None:
    """The language of the document that is no service template."""
    return next((language for language in (HOT, CFY) if (folder / language.document).exists()), None)


CASES = [*(case for language in DIRECTIONS for case in cases_of(language)), *cases_of_tosca()]
