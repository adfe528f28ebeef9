"""Finished documents to text, through the jinja2 templates in ``templates/``: one per dialect says how it is laid out.

A folder of the user's can override any template by its file name. Such templates run in jinja2's sandbox, in a process
of its own (:mod:`bpconvert.confined`) with bounds on time, memory and output. ``templates/macros.j2`` lists what
templates can use. Of the built-in layouts ``templates/compiled.py`` is what jinja2 would make of them
(``python tools/generate``); jinja2 is imported for all others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpconvert import templates
from bpconvert.diagnostics import DocumentError, SourceError, Span, diagnostic
from bpconvert.templates.compiled import LAYOUTS
from bpconvert.yamlio.emit import Emitter

if TYPE_CHECKING:
    from types import TracebackType

    from jinja2 import BytecodeCache, Environment, Template
    from jinja2.bccache import Bucket

    from bpconvert.yamlio.comments import Comment
    from bpconvert.yamlio.emit import Path as Place

#: what a section is that a document does not have
_ABSENT: Final = object()
_BUILT_IN = Path(templates.__file__).parent
#: seconds, memory and output that a user's template may use for a small document, and more for each kilobyte of it
_BOUNDS: Final = (1, 512 * 2**20, 2**19)
_PER_KILOBYTE: Final = (0.01, 100 * 2**10, 20 * 2**10)


class LayoutError(DocumentError):
    """A user's template, or the folder it should be in, cannot be used; the span is the place in the template."""


def render(
    template: str | Path,
    data: Mapping[str, Any],
    *,
    comments: Mapping[Place, Comment] | None = None,
    templates_dir: str | None = None,
    calls: Collection[str] = frozenset(),
) -> str:
    """The text of ``data``, section by section, as ``template`` lays it out.

    Args:
        template: file name of a built-in template, the path of another one, or a template's text (with a line break).
        data: section name -> plain data (:func:`bpconvert.yamlio.emit.emit`), in the order to write.
        comments: by the path of the entry in ``data``; those of () stand at the top and the end of the file.
        templates_dir: a folder with templates that take the place of built-in ones of the same name.
        calls: names of functions, whose calls stand on one line.

    Raises:
        LayoutError: a template in ``templates_dir`` fails (BPC190).
        TypeError: ``data`` is not plain data."""
    if templates_dir is None:
        page = Page(data, comments or {}, calls).exports()
        compiled = LAYOUTS.get(template) if isinstance(template, str) else None
        return compiled(page, _FILTERS) if compiled else _template(_environment(None), template).render(page)
    from bpconvert import confined

    _check_folder(templates_dir, template)
    place = Span(templates_dir, 1, 1)
    folder = str(Path(templates_dir).absolute())  # the process may have been started in another folder
    arguments = (template, data, dict(comments or {}), folder, frozenset(calls))
    try:
        least, per_kilobyte = confined.Bounds(*_BOUNDS), confined.Bounds(*_PER_KILOBYTE)
        reply = confined.call("bpconvert.render:laid_out", arguments, least, per_kilobyte)
    except (confined.OutOfBounds, confined.NotStarted) as error:
        raise _error(f"the layout is given up: {error}", place) from None
    except ValueError as error:
        raise _error(f"the document cannot be handed to the layout: {error}", place) from None
    if "text" in reply:
        return str(reply["text"])
    file, *position = reply["place"]
    raise _error(reply["problem"], Span(file.replace(folder, templates_dir, 1), *position))


def laid_out(
    template: str | Path,
    data: Mapping[str, Any],
    comments: Mapping[Place, Comment],
    templates_dir: str,
    calls: Collection[str],
) -> dict[str, Any]:
    """What :func:`render` does in the process for templates of the user's: ``text``, or ``problem`` and its
    ``place``."""
    page = Page(data, comments, calls)
    try:
        return {"text": _template(_environment(templates_dir), template).render(page.exports())}
    except MemoryError:
        raise
    except Exception as error:
        finding = _layout_error(error, templates_dir).diagnostic
        return {"problem": finding.message, "place": list(finding.span)}


def check_layout(text: str, built_in: str, templates_dir: str) -> str:
    """Raise LayoutError when ``text``, laid out by a user, holds other data than the ``built_in`` one."""
    from bpconvert.yamlio.document import load

    wanted = load(built_in).data
    try:
        laid_out = load(text, templates_dir).data
    except SourceError as error:
        raise _error(f"the result is no YAML: {error.diagnostic.message}", Span(templates_dir, 1, 1)) from error
    if laid_out != wanted and repr(laid_out) != repr(wanted):
        sections = laid_out if isinstance(laid_out, dict) else {}
        differ = [name for name in {**wanted, **sections} if sections.get(name, _ABSENT) != wanted.get(name, _ABSENT)]
        problem = f"the result would not be what was converted: {', '.join(map(str, differ))} differ"
        raise _error(problem, Span(templates_dir, 1, 1))
    return text


def _template(environment: Environment, template: str | Path) -> Template:
    """The template; one of the user's that has the file name of a given path takes its place."""
    from jinja2 import TemplateNotFound

    if isinstance(template, str):
        return environment.from_string(template) if "\n" in template else environment.get_template(template)
    try:
        return environment.get_template(template.name)
    except TemplateNotFound:
        return environment.from_string(template.read_text("utf-8"))


#: what a template sees
PAGE_NAMES: Final = ("data", "entry", "opening", "entries", "heading", "ending", "calls")


class Page:
    """One document on its way through a template: the functions that templates call. None of the texts they return ends
    with a line break of its own; a text that does ends with one that belongs to a value (see :func:`spaced`)."""

    def __init__(self, data: Mapping[str, Any], comments: Mapping[Place, Comment], calls: Collection[str]) -> None:
        self.data = data
        self.comments = comments
        self.emitter = Emitter(comments, calls=calls)

    def exports(self) -> dict[str, Any]:
        """The names that a template sees."""
        return {
            "data": self.data,
            "entry": self.entry,
            "opening": self.opening,
            "entries": self.entries,
            "heading": self.heading(),
            "ending": self.ending(),
            "calls": self.emitter.calls,
        }

    def entry(self, name: Any, value: Any, path: Iterable[Any] | None = None, indent: int = 0) -> str:
        """``name: value`` with its comments. ``path`` is the place in ``data`` that the comments are looked up for."""
        self.emitter.entry(name, value, " " * indent, (name,) if path is None else tuple(path))
        return self.emitter.take()

    def opening(self, section: str, indent: int = 0) -> str:
        """The line ``section:`` with the comments above and beside it."""
        comment, pad = self.comments.get((section,)), " " * indent
        self.emitter.above(comment.before if comment else (), pad)
        inline = f"  {comment.inline}" if comment and comment.inline else ""
        self.emitter.out.append(f"{pad}{section}:{inline}")
        return self.emitter.take()

    def entries(self, section: str, indent: int = 0) -> list[str]:
        """The entries of a section that is a map or a list, each with its comments, by two further in than ``indent``.

        The comments at the end of the section are part of the last."""
        value, texts, pad = self.data[section], [], " " * (indent + 2)
        is_map = isinstance(value, Mapping)
        for step, content in value.items() if is_map else enumerate(value):
            if is_map:
                self.emitter.entry(step, content, pad, (section, step))
            else:
                self.emitter.item(content, pad, (section, step))
            texts.append(self.emitter.take())
        comment = self.comments.get((section,))
        if comment and comment.after and texts:
            self.emitter.above(comment.after, pad)
            texts[-1] += "\n" + self.emitter.take()
        return texts

    def heading(self) -> str:
        """The file's own comments, '' when there are none."""
        own = self.comments.get(())
        if own is not None:
            self.emitter.above((*own.before, own.inline) if own.inline else own.before, "")
        return self.emitter.take()

    def ending(self) -> str:
        """The comments at the end of the file, '' when there are none."""
        own = self.comments.get(())
        self.emitter.above(own.after if own else (), "")
        return self.emitter.take()


def spaced(texts: Iterable[str]) -> str:
    """The texts that are not empty, with one blank line between them.

    None comes after a text that ends with one: it may belong to a value, which another blank line would change."""
    parts: list[str] = []
    for text in filter(None, texts):
        if parts:
            parts.append("\n" if parts[-1].endswith("\n") else "\n\n")
        parts.append(text)
    return "".join(parts)


def tall(texts: Iterable[str]) -> bool:
    """Whether any of the texts has several lines."""
    return any("\n" in text for text in texts)


def as_yaml(page: Mapping[str, Any], value: Any, indent: int = 0) -> str:
    """``value`` as YAML at column ``indent``, without comments. ``page``: the names that the template sees."""
    emitter = Emitter(calls=page["calls"])
    emitter.root(value, " " * indent, ())
    return emitter.take()


#: what templates can apply to texts
_FILTERS: Final[dict[str, Callable[..., Any]]] = {"spaced": spaced, "tall": tall}


def environment() -> Environment:
    """The jinja2 environment of the built-in layouts."""
    return _environment(None)


@lru_cache(maxsize=8)
def _environment(templates_dir: str | None) -> Environment:
    """Where templates come from and what they can do; compiled templates are kept in it."""
    from jinja2 import (
        ChoiceLoader,
        Environment,
        FileSystemLoader,
        FunctionLoader,
        StrictUndefined,
        TemplateRuntimeError,
        pass_context,
    )

    built_in = FunctionLoader(_source)
    environment: Environment
    settings: dict[str, Any] = {
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        "autoescape": False,
    }
    if templates_dir is None:
        environment = Environment(loader=built_in, bytecode_cache=_code_cache(), **settings)
    else:
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        own = Path(templates_dir).resolve()

        class OwnFiles(FileSystemLoader):
            """Files of the folder alone: a link that leads out of it is no template."""

            def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
                text, place, is_current = super().get_source(environment, template)
                if place is None or not Path(place).resolve().is_relative_to(own):
                    raise TemplateRuntimeError(f"'{template}' is a link that leads out of the folder")
                return text, place, is_current

        loader = ChoiceLoader([OwnFiles(templates_dir), built_in])
        environment = ImmutableSandboxedEnvironment(loader=loader, **settings)
    environment.filters.update(**_FILTERS, yaml=pass_context(as_yaml))
    return environment


def _code_cache() -> BytecodeCache:
    """jinja2's own cache of compiled templates, beside the compiled modules of the package and on the same terms: what
    cannot be written is compiled anew, and ``PYTHONDONTWRITEBYTECODE`` is heeded."""
    from jinja2 import FileSystemBytecodeCache, compiler

    class CodeCache(FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: Bucket) -> None:
            if not sys.dont_write_bytecode:
                with suppress(OSError):
                    super().dump_bytecode(bucket)

    version = os.stat(compiler.__file__).st_mtime_ns  # another jinja2 compiles anew
    return CodeCache(str(_BUILT_IN / "__pycache__"), f"%s.{version}.jinja2")


def _source(name: str) -> tuple[str, str, None] | None:
    """The text and place of a built-in template."""
    place = _BUILT_IN / name
    if place.parent != _BUILT_IN or place.suffix != ".j2" or not place.is_file():
        return None
    return place.read_text("utf-8"), str(place), None


@lru_cache(maxsize=8)
def _check_folder(templates_dir: str, template: str | Path) -> None:
    """Refuse a folder that would change nothing. ``template``: the one that is to be laid out."""
    folder = Path(templates_dir)
    own = [template.name] if isinstance(template, Path) else []
    names = [*sorted(place.name for place in _BUILT_IN.glob("*.yaml.j2")), "macros.j2", *own]
    if not folder.is_dir():
        raise _error("there is no such folder", Span(templates_dir, 1, 1))
    if not any((folder / name).is_file() for name in names):
        raise _error(f"the folder holds none of {', '.join(names)}", Span(templates_dir, 1, 1))


def _layout_error(error: Exception, templates_dir: str) -> LayoutError:
    """What went wrong in which line of which template."""
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        place = Span(error.filename or error.name or templates_dir, error.lineno, 1)
        return _error(error.message or "syntax error", place)
    text = f"there is no template '{error}'" if isinstance(error, TemplateNotFound) else str(error)
    return _error(
        text or type(error).__name__,
        _last_template_line(error.__traceback__, templates_dir) or Span(templates_dir, 1, 1),
    )


def _last_template_line(traceback: TracebackType | None, templates_dir: str) -> Span | None:
    """The innermost line of the user's templates (else of a built-in one) in a traceback, which jinja2 has made to name
    the templates."""
    own = built_in = None
    while traceback is not None:
        file, line = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        if Path(file).is_relative_to(templates_dir):
            own = Span(file, line, 1)
        elif file.endswith(".j2"):
            built_in = Span(file, line, 1)
        traceback = traceback.tb_next
    return own or built_in


def _error(problem: str, place: Span) -> LayoutError:
    return LayoutError(diagnostic("BPC190", place, (), {"problem": problem}))
