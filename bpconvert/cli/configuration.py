"""Options from a file: ``.bpconvert.toml``, or the table ``[tool.bpconvert]`` of ``pyproject.toml``.

The nearest one counts, looked for from the folder that all inputs are in upwards, then from the current folder upwards.
A key is the name of an option without its dashes; a table with the name of a command holds for that command only, and
wins. The command line wins over both: an option that may be repeated is replaced, not added to. Names of files and
patterns are relative to the file's own folder.

A configuration comes with the documents, which others may have written: it names only files below its folder, links
followed, and what runs (templates) or takes longer (limits) counts with ``--trust-config`` only."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli.command import not_for_runners, print_message
from bpconvert.limits import LIMITS

if TYPE_CHECKING:
    from bpconvert.diagnostics import Diagnostic

OWN: Final = ".bpconvert.toml"
SHARED: Final = "pyproject.toml"
_TABLE: Final = ("tool", "bpconvert")
#: options of the command line only: what is done to which files, and what lets a document reach further
_BARRED: Final = frozenset({
    "help", "output", "report", "write-baseline", "stdin-filename", "allow-outside", "config", "isolated", "force",
    "prune", "deploy-notes", "trust-config",
})  # fmt: skip
#: options that run what they name, or let a run take longer -> why they need --trust-config
_TRUSTED: Final = {
    "templates": "they are programs",
    "limit": "more than the usual one takes longer",
    "draws": "more than usual take longer",
}
#: what the help calls the name of a file or folder, and a pattern for them
_FOLDER: Final = "DIR"
_FILES: Final = ("FILE", _FOLDER)
_NAMED: Final = "[NAME=]FILE"
_MAPPED: Final = "URL=DIR"
_CHOSEN: Final = "GLOB=FILE"
_PATTERNS: Final = "GLOB"
#: what it calls numbers, and limits
_NUMBER: Final = "N"
_LIMITS: Final = "NAME=N"

Parsers = Callable[[], Iterator[argparse.ArgumentParser]]


class _Wrong(Exception):
    """What is wrong with a configuration, and the key that it is about."""

    def __init__(self, problem: str, key: str = "") -> None:
        super().__init__(problem)
        self.key = key


class _Elsewhere(_Wrong):
    """A configuration that was found is a link to a file that is elsewhere; nothing of that is shown."""

    def __init__(self, place: str) -> None:
        super().__init__(f"{os.path.basename(place)} is a link that leads out of its folder; --config may name it")


class _Listed(list[Any]):
    """The values of an option that may be repeated; the first one on the command line replaces all of them."""

    def __copy__(self) -> list[Any]:
        return []


def take_configuration(parser: argparse.ArgumentParser) -> None:
    """Add the options about the configuration itself."""
    add = parser.add_argument_group("configuration").add_argument
    add("--config", metavar="FILE", help=f"read options from this file (default: the nearest {OWN} or {SHARED})")
    add("--isolated", action="store_true", help="read no file of options")
    text = "the file of options is one's own: use the templates and limits that it asks for"
    add("--trust-config", action="store_true", help=text)


def configured(parser: argparse.ArgumentParser, arguments: argparse.Namespace, others: Parsers) -> bool | None:
    """Give the options of ``parser`` the defaults of the configuration. True if there are any, None if it cannot be
    used, which is reported.

    arguments: those that were parsed without it; ``others``: the parsers of all commands."""
    if arguments.isolated:
        return False
    place = arguments.config or _nearest(getattr(arguments, "inputs", ()))
    if place is None:
        return False
    try:
        if arguments.config is None and not _is_below(os.path.dirname(place), place):
            raise _Elsewhere(place)
        settings = _settings(place, parser, others)
        if not arguments.trust_config:
            _check_trust(parser, settings)
        values = {key: _value(_options(parser)[key], key, value, place) for key, value in settings.items()}
    except (OSError, _Wrong) as error:
        _report(place, error)
        return None
    for key, value in values.items():
        if value is not None:
            parser.set_defaults(**{_options(parser)[key].dest: value})
    return bool(values)


# -- finding it -----------------------------------------------------------------------------------------------


def _nearest(inputs: Sequence[str]) -> str | None:
    """The configuration that counts for the inputs."""
    places = [os.path.abspath(name) for name in inputs or () if name != "-"]
    folders = [name if os.path.isdir(name) else os.path.dirname(name) for name in places]
    starts = [*([os.path.commonpath(folders)] if folders else []), os.getcwd()]
    return next((place for start in starts for place in _above(start)), None)


def _above(folder: str) -> Iterator[str]:
    """The configurations of a folder and those around it."""
    while True:
        for name in (OWN, SHARED):
            place = os.path.join(folder, name)
            if os.path.isfile(place) and (name == OWN or _has_table(place)):
                yield place
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _has_table(place: str) -> bool:
    """Whether a file seems to have the table; TOML is read only then."""
    try:
        with open(place, "rb") as stream:
            return b"tool.bpconvert" in stream.read().replace(b" ", b"").replace(b'"', b"")
    except OSError:
        return False


# -- reading it -----------------------------------------------------------------------------------------------


def _settings(place: str, parser: argparse.ArgumentParser, others: Parsers) -> dict[str, Any]:
    """What the configuration has for the command of ``parser``. Raises OSError and :class:`_Wrong`."""
    table = _loaded(place)
    name = parser.prog.rpartition(" ")[2]
    options, commands = set(_options(parser)), {name: set(_options(parser))}
    if any(key not in options for key in table):
        commands = {other.prog.rpartition(" ")[2]: set(_options(other)) for other in others()}
    settings: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping) and key in commands:
            for inner in value:
                _check(inner, commands[key])
        else:
            _check(key, set().union(*commands.values(), commands))
            if key in options:
                settings[key] = value
    own = table.get(name, {})
    return {**settings, **own} if isinstance(own, Mapping) else settings


def _check(key: str, options: set[str]) -> None:
    if key in _BARRED:
        raise _Wrong(f"'{key}' is an option of the command line only", key)
    if key not in options:
        from bpconvert.diagnostics.suggest import guess

        raise _Wrong(f"there is no option '{key}'{guess(key, options)}", key)


def _check_trust(parser: argparse.ArgumentParser, settings: Mapping[str, Any]) -> None:
    """Raise :class:`_Wrong` for what counts in one's own configuration only."""
    for key in [key for key in settings if key in _TRUSTED]:
        if not _is_usual(_options(parser)[key], settings[key]):
            raise _Wrong(f"'{key}' of a configuration is used with --trust-config only: {_TRUSTED[key]}", key)


def _is_usual(action: argparse.Action, value: Any) -> bool:
    """Whether a number, or numbers of limits, are at most those that count without them; True for what is wrong in
    another way."""
    if isinstance(value, list):
        return all(_is_usual(action, item) for item in value)
    if action.metavar == _NUMBER:
        return type(value) is not int or action.dest == "limit" or value <= action.default
    name, _, number = str(value).partition("=")
    return action.metavar == _LIMITS and (name not in LIMITS or not number.isdigit() or int(number) <= LIMITS[name][0])


def _loaded(place: str) -> dict[str, Any]:
    """The table of a file. Raises OSError and :class:`_Wrong`."""
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with open(place, encoding="utf-8") as stream:
            data: Any = tomllib.loads(stream.read())
    except (ValueError, RecursionError) as error:
        raise _Wrong(f"not TOML: {' '.join(str(error).split())}") from None
    if os.path.basename(place) == SHARED:
        for step in _TABLE:
            data = data.get(step, {}) if isinstance(data, dict) else {}
    if not isinstance(data, dict):
        raise _Wrong("a table is expected", _TABLE[-1])
    return data


def _options(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Name of an option without its dashes -> what it does; those that a configuration may have."""
    return {
        name[2:]: action
        for name, action in parser._option_string_actions.items()
        if name.startswith("--") and name[2:] not in _BARRED
    }


# -- values ---------------------------------------------------------------------------------------------------


def _value(action: argparse.Action, key: str, value: Any, place: str) -> Any:
    """The value of an option; None leaves it as it is. Raises :class:`_Wrong`."""
    if action.nargs == 0:
        if type(value) is not bool:
            raise _Wrong(f"'{key}' is true or false", key)
        return action.const if value else None
    if isinstance(action.default, list):
        items = value if isinstance(value, list) else [value]
        values = [_single(action, key, item, place) for item in items]
        return _Listed(part for item in values for part in (item if isinstance(item, list) else [item]))
    return _single(action, key, value, place)


def _single(action: argparse.Action, key: str, value: Any, place: str) -> Any:
    if type(value) not in (str, int, float):
        raise _Wrong(f"'{key}' is a text" + (" or a list of texts" if isinstance(action.default, list) else ""), key)
    text, folder = str(value), os.path.dirname(os.path.abspath(place))
    if action.metavar == _PATTERNS:
        return folder, text
    if action.metavar in _FILES:
        text = _inside(folder, text, key, action.metavar == _FOLDER)
    if action.metavar == _MAPPED and "=" in text:
        url, _, directory = text.rpartition("=")
        text = f"{url}={_inside(folder, directory, key, True)}"
    converted: Any
    try:
        converted = action.type(text) if callable(action.type) else text
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise _Wrong(f"'{key}': {error}", key) from None
    if action.metavar == _NAMED:
        name, file = converted
        converted = name, _inside(folder, file, key)
    if action.metavar == _CHOSEN:
        _, name, file = converted
        converted = folder, name, _inside(folder, file, key)
    if action.choices is not None and converted not in action.choices:
        raise _Wrong(f"'{key}' is one of {', '.join(map(str, action.choices))}", key)
    return converted


def _inside(folder: str, name: str, key: str, is_folder: bool = False) -> str:
    """A file or directory in ``folder``, as seen from the current folder. Raises :class:`_Wrong` for one that is
    elsewhere, and for what is no file: it may have no end."""
    what = "directory" if is_folder else "file"
    try:
        if not _is_below(folder, name):
            raise _Wrong(f"'{key}' names a {what} outside of the folder of this file, as only --{key} may", key)
        path = _from(folder, name)
        if os.path.exists(path) and not (os.path.isdir(path) if is_folder else os.path.isfile(path)):
            raise _Wrong(f"'{key}' names what is no {what}", key)
    except ValueError as error:  # a null character, another drive
        raise _Wrong(f"'{key}': {error}", key) from None
    return path


def _is_below(folder: str, name: str) -> bool:
    """True for a file in ``folder``, links followed: the documents of a project are not to choose what is read."""
    top = os.path.realpath(folder)
    return os.path.commonpath([top, os.path.realpath(os.path.join(top, name))]) == top


def _from(folder: str, name: str) -> str:
    """A file of a configuration in ``folder``, as seen from the current folder."""
    return name if os.path.isabs(name) else os.path.relpath(os.path.join(folder, name))


def _report(place: str, error: Exception) -> None:
    if isinstance(error, OSError):
        from bpconvert.batch import describe

        print_message(f"bpconvert: error: cannot read the configuration: {describe(error)}")
        return
    from bpconvert.cli.formatters import TextFormatter

    shown = TextFormatter(texts={place: ""}) if isinstance(error, _Elsewhere) else TextFormatter()
    print_message(not_for_runners(shown.format([_finding(place, str(error), getattr(error, "key", ""))])), end="")


def _finding(place: str, problem: str, key: str) -> Diagnostic:
    """The finding about a configuration, at the line of the key."""
    from bpconvert.diagnostics import Span, diagnostic

    try:
        with open(place, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
    except OSError:
        text = ""
    match = re.search(rf"^[ \t]*(?:\[[^\]\n]*)?(?P<key>[\"']?{re.escape(key)}\b)", text, re.MULTILINE) if key else None
    at = re.search(r"at line (\d+), column (\d+)", problem)
    if match is not None:
        start = match.start("key")
        span = Span(place, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
    else:
        span = Span(place, int(at[1]), int(at[2])) if at and not key else Span(place, 1, 1)
    return diagnostic("BPC632", span, (), {"problem": problem})
