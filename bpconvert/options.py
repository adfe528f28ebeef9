"""The choices of one conversion."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, TypedDict

from bpconvert.limits import wrong as wrong_limits
from bpconvert.models.hot_versions import VERSIONS
from bpconvert.models.light import NamedTuple
from bpconvert.models.running import Running

if TYPE_CHECKING:
    from pathlib import Path

#: what the options take that take no free text; the first one is the default
CHOICES: Final[dict[str, tuple[str | None, ...]]] = {
    "dsl_version": (None, "1_3", "1_4", "1_5"),
    "plugin": ("v3", "v2"),
    "files": ("inline", "copy", "keep"),
    "asked": ("values", "data", "inputs"),
    "client_config": ("secrets", "inputs", "none"),
    "hot_version": (None, *VERSIONS, *(version.release for version in VERSIONS.values())),
    "tosca_version": (None, "1.3", "2.0"),
    "orchestrator": (None, "tacker", "opera"),
}
#: versions of the DSL that a manager of today reads, but with which it cannot import its own types.yaml
TOO_OLD: Final = ("1_0", "1_1", "1_2")

#: options that change a result and are for this machine only: what they name, and what it can do
_HERE: Final = ("types", "environments", "limits")
#: these, and options that say nothing about how a result is to be
_LOCAL: Final = (
    "carry", "templates", "allow_outside", "stages", "carry_file", "maps", "notes", "running", "nearby", "by_path",
    "find_environments",
    *_HERE,
)  # fmt: skip


class Nearby(NamedTuple):
    """What was found for one document, or for all of a directory.

    ``files``: the environment files; ``top``: the folder that they, and all that they map, are to be in; ``home``: the
    folder of the document that they are near to; ``outside``: what leads out of ``top`` counts as well."""

    files: tuple[str, ...]
    top: str
    home: str = ""
    outside: bool = False


class Options(NamedTuple):
    """What a user can choose; :data:`CHOICES` has the words.

    ``carry``: keep the source in the result, and go back to a kept one; ``carry_file``: in a file beside the result.
    ``dsl_version``: None is the lowest that can express the result. ``plugin``: the family of OpenStack node types.
    ``files``: ``inline`` puts the text of ``get_file`` where it is used, ``copy`` also copies the file beside the
    result, ``keep`` leaves the reference to the user. ``asked``: what the engine of the result cannot compute is
    computed by a node of the result (``values``), or asked for as an input (``data``: only texts and lists that a
    blueprint cannot write). ``client_config``: where the OpenStack
    credentials come from.
    ``templates``: a folder whose jinja2 templates override the built-in ones. ``allow_outside``: read files outside
    the source's folder. ``hot_version``: a date or the name of a release; None is the lowest that can express the
    result. ``tosca_version``: None is 1.3, which all engines take. ``types``: files with mappings of types, merged over
    the built-in ones in this order. ``environments``: Heat environment files, whose ``resource_registry`` says what
    types stand for, and which give values to inputs.
    ``params``: values of parameters (or inputs) that are decided; ``assume_defaults`` decides those with a default,
    too. Then a document is not taken back to what it was made from. ``flavors``, ``images``: what a cloud has, by
    name; taken where a source asks for it. ``public_network``: the network of the cloud with public addresses.
    ``flavour``: the deployment flavour of a VNF descriptor; None is the one that its inputs have by default.
    ``orchestrator``: what deploys the result: Tacker gives a HOT template its values in one parameter, opera runs
    playbooks only.
    ``stages``: (name, Heat environment file) of each stage, which gives values to inputs. ``limits``: how much is
    done for one document, by the names of :data:`~bpconvert.limits.LIMITS`. ``profile``: a result of TOSCA imports
    the built-in types from a file beside it.
    ``maps``: (how URLs begin, the folder that they are read from) of each checkout; the longest beginning counts.
    ``notes``: comments with their codes above stand-ins and required inputs.
    ``find_environments``: of a directory, the environments in it are found. ``nearby``: environment files that nobody
    named: the nearest one says what types stand for. ``by_path``: (a folder, a pattern for paths from there, an
    environment file) that holds for these documents only.
    ``running``: the resources that exist already, by their names in the document; the result takes them over."""

    carry: bool = True
    dsl_version: str | None = None
    plugin: str = "v3"
    files: str = "inline"
    asked: str = "values"
    client_config: str = "secrets"
    templates: str | None = None
    allow_outside: bool = False
    hot_version: str | None = None
    tosca_version: str | None = None
    types: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    params: Mapping[str, Any] | None = None
    assume_defaults: bool = False
    flavors: Mapping[str, Mapping[str, Any]] | None = None
    images: Mapping[str, Mapping[str, Any]] | None = None
    public_network: str | None = None
    flavour: str | None = None
    orchestrator: str | None = None
    stages: tuple[tuple[str, str], ...] = ()
    carry_file: bool = False
    limits: Mapping[str, int] | None = None
    profile: bool = False
    maps: tuple[tuple[str, str], ...] = ()
    notes: bool = True
    running: Running | None = None
    find_environments: bool = True
    nearby: Nearby | None = None
    by_path: tuple[tuple[str, str, str], ...] = ()

    def for_path(self, path: Path | None) -> Options:
        """Those of one document: with the environments that its path chooses; ``path`` None: it is no file."""
        if not (self.by_path or self.nearby):
            return self
        place = os.path.abspath(path) if path is not None else ""
        own: list[str] = []
        if place and self.by_path:
            from bpconvert.ignored import parsed  # few conversions need it

            patterns = ((parsed(base, [glob]), file) for base, glob, file in self.by_path)
            own = [file for globs, file in patterns if any(glob.matches(place, False) for glob in globs)]
        nearby = self.nearby
        if nearby is not None and not nearby.home:
            nearby = nearby._replace(home=os.path.dirname(place)) if place else None
        return self._replace(environments=(*self.environments, *own), by_path=(), nearby=nearby)

    def among(self, environments: tuple[str, ...], folder: Path | None) -> Options:
        """Those of the documents of a ``folder``, with its ``environments``, if they are to be found."""
        if folder is None or not (self.find_environments and environments):
            return self
        return self._replace(nearby=Nearby(environments, str(folder), outside=self.allow_outside))

    @property
    def environment_files(self) -> list[str]:
        """All environment files that count for some document."""
        near = self.nearby.files if self.nearby is not None else ()
        return [*self.environments, *(file for _, _, file in self.by_path), *near]

    @property
    def decides(self) -> bool:
        """True when values of parameters are decided."""
        return self.assume_defaults or bool(self.params)

    def tables(self) -> dict[str, Mapping[str, Mapping[str, Any]]]:
        """What is chosen from, by what it is a table of; without those that are not given."""
        public: dict[str, Mapping[str, Any]] = {self.public_network: {}} if self.public_network else {}
        tables = {"flavor": self.flavors, "image": self.images, "public network": public}
        return {what: table for what, table in tables.items() if table}

    def chosen(self) -> dict[str, Any]:
        """What differs from the default, of the options that say how a result is to be."""
        default = Options()
        kept = {name: value for name, value in self._asdict().items() if value != getattr(default, name)}
        return {name: value for name, value in kept.items() if name not in _LOCAL}

    def unkept(self) -> list[str]:
        """The names of those that change a result and are not kept with it."""
        return [name for name in _HERE if getattr(self, name)]

    @classmethod
    def kept(cls, options: Mapping[str, Any], types: tuple[str, ...]) -> Options:
        """Those of a conversion that was :meth:`chosen` for ``options``, with files of ``types``.

        Raises ValueError and TypeError for what is no such option."""
        if set(options) & set(_LOCAL):
            raise ValueError("there are options that are not kept")
        kept = cls(**options)._replace(types=types)
        kept.check()
        return kept

    def check(self) -> None:
        """Raise UsageError when an option has a value that it does not take."""
        from bpconvert.diagnostics import UsageError  # not for the sake of --help
        from bpconvert.urls import wrong_maps

        for name in CHOICES:
            problem = wrong(name, getattr(self, name))
            if problem is not None:
                raise UsageError(f"{name}: {problem}")
        problem = wrong_limits(self.limits or {})
        if problem is not None:
            raise UsageError(f"limits: {problem}")
        problem = wrong_maps(self.maps)
        if problem is not None:
            raise UsageError(f"maps: {problem}")
        for name, files in (("types", self.types), ("environments", self.environments)):
            if isinstance(files, (str, PathLike)):
                raise UsageError(f"{name}: a tuple of files is expected")


class Choices(TypedDict, total=False):
    """The fields of :class:`Options`, as keyword arguments of functions."""

    carry: bool
    dsl_version: str | None
    plugin: str
    files: str
    asked: str
    client_config: str
    templates: str | None
    allow_outside: bool
    hot_version: str | None
    tosca_version: str | None
    types: tuple[str, ...]
    environments: tuple[str, ...]
    params: Mapping[str, Any] | None
    assume_defaults: bool
    flavors: Mapping[str, Mapping[str, Any]] | None
    images: Mapping[str, Mapping[str, Any]] | None
    public_network: str | None
    flavour: str | None
    orchestrator: str | None
    stages: tuple[tuple[str, str], ...]
    carry_file: bool
    limits: Mapping[str, int] | None
    profile: bool
    maps: tuple[tuple[str, str], ...]
    notes: bool
    running: Running | None
    find_environments: bool
    nearby: Nearby | None
    by_path: tuple[tuple[str, str, str], ...]


def chosen(options: Options | None, choices: Choices) -> Options:
    """The options with single ``choices`` in place of their fields. Raises UsageError for unknown names and values."""
    unknown = next((name for name in choices if name not in Options._fields), None)
    if unknown is not None:
        from bpconvert.diagnostics import UsageError
        from bpconvert.diagnostics.suggest import guess

        raise UsageError(f"unknown option {unknown!r}{guess(unknown, Options._fields)}")
    complete = (options or Options())._replace(**choices)
    complete.check()
    return complete


def wrong(name: str, value: Any) -> str | None:
    """What is wrong with ``value`` for option ``name``, None if nothing is."""
    if value in CHOICES[name]:
        return None
    choices = ", ".join(word for word in CHOICES[name] if word)
    if name == "dsl_version" and value in TOO_OLD:
        return f"{value!r} is too old: the manager's own types.yaml cannot be imported with it (choose from {choices})"
    return f"{value!r} is unknown (choose from {choices})"
