"""The reference of the library, from the signatures and docstrings of its public names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

import bpconvert


class Entry(NamedTuple):
    """A public name: how it is called, and what its docstring has."""

    name: str
    signature: str
    text: str
    members: list[Entry]


def entries() -> list[Entry]:
    """All public names, functions first."""
    names = [name for name in bpconvert.__all__ if not name.startswith("_")]
    found = [_entry(name, getattr(bpconvert, name)) for name in names]
    return sorted(found, key=lambda entry: (entry.name[0].isupper(), entry.name.lower()))


def values() -> dict[str, object]:
    """What the template of the page is given."""
    return {"entries": entries()}


def _entry(name: str, value: Any) -> Entry:
    is_plain = inspect.isclass(value) and issubclass(value, (Enum, BaseException))
    members = list(_members(value)) if inspect.isclass(value) and not is_plain else []
    return Entry(name, "" if is_plain else _signature(value), markdown(inspect.getdoc(value) or ""), members)


def _members(owner: type) -> Iterator[Entry]:
    """Public methods and properties that a class has a docstring for."""
    for name, member in vars(owner).items():
        inner = member.fget if isinstance(member, property) else getattr(member, "func", member)
        if name.startswith("_") or not inspect.isfunction(inner) or not inner.__doc__:
            continue
        is_value = not inspect.isfunction(member)
        yield Entry(name, "" if is_value else _signature(inner), markdown(inspect.getdoc(inner) or ""), [])


def _signature(value: Any) -> str:
    """The signature without ``self`` and without defaults that are objects."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    kept = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature.replace(parameters=kept)))
    return re.sub(r'ForwardRef\("([^"]*)"\)', r"\1", text.replace("'", '"'))


def markdown(docstring: str) -> str:
    """A docstring as Markdown: sections of Google's style become lists, references to names become code."""
    text = re.sub(r":\w+:`~?\.*([^`]+)`", lambda found: f"`{found[1].rpartition('.')[2]}`", docstring)
    text = text.replace("``", "`")
    lines: list[str] = []
    section = False
    for line in text.splitlines():
        title = re.fullmatch(r"(Args|Returns|Raises|Yields):", line.strip())
        argument = re.match(r"    (\*{0,2}\w[\w., *]*): (.*)", line)
        if title:
            lines += ["", f"**{title[1].replace('Args', 'Arguments')}**", ""]
            section = True
        elif section and argument and not line.startswith("     "):
            lines.append(f"- `{argument[1]}`: {argument[2]}")
        elif section and line.startswith("    "):
            lines.append(f"  {line.strip()}" if lines and lines[-1].startswith(("- ", "  ")) else line.strip())
        else:
            section = section and bool(line.strip() == "")
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
