"""Playbooks of Ansible: the roles that they use, and what they publish: ``set_stats`` gives values to whoever runs the
playbook."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.document import load

_MODULES: Final = ("set_stats", "ansible.builtin.set_stats")
#: the operation that we add for roles
INSTALLS: Final = "install_roles"


def install_roles(names: Iterable[str]) -> str:
    """The program that installs roles."""
    return f"#!/bin/bash\nansible-galaxy install {shlex.join(names)}\n"


def installed_roles(text: str) -> tuple[str, ...]:
    """The roles that such a program installs."""
    return tuple(shlex.split(text.splitlines()[-1])[2:]) if text.strip() else ()


def published(text: str | None) -> list[str]:
    """The names of what a playbook publishes for all hosts together, as far as its own text names them; nothing for
    None, or a text that is no playbook."""
    if text is None or _MODULES[0] not in text:
        return []
    try:
        data = load(text).data
    except SourceError:
        return []
    rows = (row for row in _walk(data) if isinstance(row.get("data"), dict) and not row.get("per_host"))
    return list(
        dict.fromkeys(name for row in rows for name in row["data"] if isinstance(name, str) and "{" not in name)
    )


def _walk(value: Any) -> Iterator[dict[str, Any]]:
    """The arguments of the module, anywhere in a playbook."""
    if isinstance(value, list):
        for item in value:
            yield from _walk(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _MODULES and isinstance(item, dict):
                yield item
            yield from _walk(item)
