"""The findings of a document in an editor: those that ``bpconvert check FILE`` prints, of the text as it is typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bpconvert.checking import check
from bpconvert.cli import filters
from bpconvert.cli.command import reading
from bpconvert.cli.configuration import configured
from bpconvert.diagnostics import BpconvertError, Diagnostic, DocumentError
from bpconvert.files import is_archive

#: what is no document of a known language is no business of an editor, as for ``check --skip-others``
OTHER_LANGUAGE = "BPC131"


def findings(name: str, text: str) -> list[Diagnostic]:
    """The findings of the document ``text``, whose file is ``name``, with the configuration that counts for the file;
    none where the configuration cannot be used."""
    from bpconvert.cli.check import COMMAND
    from bpconvert.cli.main import commands, parser_of

    parser = parser_of("check", COMMAND)
    words = [name]
    settings = configured(
        parser, parser.parse_args(words), lambda: (parser_of(other, load()) for other, load in commands().items())
    )
    if settings is None or is_archive(name):
        return []
    arguments = parser.parse_args(words)
    try:
        wanted = filters.Filter(arguments, {name: text}, filters.NOT_OF_CHECK)
        return wanted.wanted(check(text.encode(), name=name, **reading(arguments)), [name])
    except DocumentError as error:
        return [item for item in error.diagnostics if item.code != OTHER_LANGUAGE]
    except (BpconvertError, OSError):
        return []


def of_file(findings: list[Diagnostic], name: str) -> Iterator[Diagnostic]:
    """The findings about a file."""
    place = Path(name).resolve()
    return (item for item in findings if item.span.file == name or Path(item.span.file).resolve() == place)
