"""Parameters and conditions of the template that the source does not have."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import Path, Value
from bpconvert.translators.hot.write.names import Names
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh


class Added:
    """What is added to one template. ``parameters``: name -> HOT data; ``conditions``: name -> condition."""

    def __init__(self, names: Names, request: Request) -> None:
        self._names = names
        self._request = request
        self.parameters: dict[str, dict[str, Any]] = {}
        self.conditions: dict[str, Value] = {}
        #: (input of a nested document, its data) -> the parameter that gives it a value
        self.handed_on: dict[tuple[str, str], str] = {}
        self._secrets: dict[tuple[str, str], str] = {}

    def parameter(self, wanted: str, data: dict[str, Any]) -> str:
        """Add a parameter that the source does not have, named ``wanted`` or nearly so. Returns its name."""
        name = self._names.fresh_parameter(wanted)
        self.parameters[name] = data
        return name

    def condition(self, wanted: str, value: Value) -> str:
        """Add a condition that the source does not have. Returns its name."""
        name = fresh(wanted, {*self._names.topology.conditions, *self.conditions})
        self.conditions[name] = value
        return name

    def secret(self, name: str, path: Path, kind: str = "string") -> str:
        """The hidden parameter that stands for a secret of the manager. ``kind``: ``json`` where parts of it are used
        (as text and in parts: two parameters, because Heat yields either)."""
        known = self._secrets.get((name, kind))
        if known is None:
            other = any(secret == name for secret, _ in self._secrets)
            description = f"Secret '{name}' of the {self._request.source.title} manager"
            data = {"type": kind, "description": description, "hidden": True}
            known = self._secrets[name, kind] = self.parameter(f"{name}_{kind}" if other else name, data)
        self._request.reporter.report("BPC234", path, name=name, parameter=known)
        return known

    def known_secret(self, name: Value, kind: str) -> str | None:
        """The parameter that stands for a secret already, if there is one."""
        return self._secrets.get((name, kind)) if isinstance(name, str) else None
