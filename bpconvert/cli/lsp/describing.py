"""What an editor shows of what the pointer is on: a type, a property, a function, an entry."""

from __future__ import annotations

from collections.abc import Iterator

from bpconvert.cli import type_tables
from bpconvert.cli.lsp.index import Index, Name, Token
from bpconvert.cli.types import sheet_text
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.support.places import value_at


def described(index: Index, token: Token) -> str | None:
    """Markdown about a token; None where nothing is known about it."""
    function = index.function(token)
    if function is not None:
        return _function(index, token, function)
    node = index.node(token.path)
    if node is not None and len(token.path) == 3 and token.path[2] == "type" and isinstance(token.value, str):
        return _type(token.value)
    if node is not None and token.is_key and len(token.path) == 4 and token.path[2] == "properties":
        return _property(index, node, str(token.path[3]))
    target = index.name_of(token)
    return _entry(index, target) if target is not None else None


def _type(name: str) -> str | None:
    catalogue = builtin()
    kind = type_tables.names(catalogue).get(name)
    text = sheet_text(type_tables.Sheet(kind, catalogue)) if kind else type_tables.unmapped(name, catalogue)
    return f"```text\n{text.rstrip()}\n```" if text else None


def _property(index: Index, node: str, name: str) -> str | None:
    owner = index.type_of(node)
    if owner is None:
        return None
    lines = []
    about = index.editing.properties(owner, index.data).get(name)
    if about is not None:
        lines.append(f"`{name}`: {about or 'a property'}")
    kind = type_tables.names(builtin()).get(owner)
    rows = type_tables.Sheet(kind, builtin()).properties if kind is not None else ()
    for row in rows:
        if row.name == name:
            place = f"`{row.path}` " if row.path else ""
            lines.append(f"in Cloudify: {place}{row.words}".rstrip(": "))
    return f"{owner}\n\n" + "\n\n".join(lines) if lines else None


def _function(index: Index, token: Token, name: str) -> str:
    usage = index.editing.functions[name]
    prefix = index.editing.prefix if str(token.value).startswith(index.editing.prefix or "\0") else ""
    return "\n\n".join([f"`{{{prefix}{name}: {usage.form}}}`", usage.meaning, *_counterparts(index, token, name)])


def _counterparts(index: Index, token: Token, name: str) -> Iterator[str]:
    """What the call becomes in the other languages, by the name of the function."""
    call = _value(index, token)
    for dialect in DIALECTS.values():
        if dialect is index.dialect:
            continue
        try:
            written = dialect.edited().write(index.editing.read({name: call}))
        except Exception:
            written = None
        if isinstance(written, dict) and len(written) == 1:
            yield f"{dialect.title}: `{next(iter(written))}`"
        else:
            yield f"{dialect.title}: no function of its own; it is rewritten, computed or reported (docs/functions.md)"


def _value(index: Index, token: Token) -> object:
    assert index.document is not None
    return value_at(index.document.tree, index.document.as_written(token.path))


def _entry(index: Index, name: Name) -> str | None:
    """The entry as it is written."""
    if index.document is None or index.entry(name) is None:
        return None
    span = index.document.span((name.section, name.name))
    text = index.document.text[span[0] : span[1]].rstrip() if span is not None else name.name
    return f"{name.section}\n\n```yaml\n{text}\n```"
