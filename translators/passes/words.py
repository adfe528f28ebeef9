"""How a language names the parts of a document and spells its calls: what places, names and messages are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bpconvert.models.expressions import Expr, Foreign, Path, Value


@dataclass(frozen=True, eq=False, repr=False)
class Words:
    """The words of one language. This one knows the names that it is given, and takes any map of one key for a call.

    sections: neutral name of a section (``version``, ``description``, ``inputs``, ``nodes``, ``outputs``,
        ``capabilities``) -> its name, where that is another one.
    keys: the same for the keys of inputs and nodes (``label``, ``depends_on``, ``operations``).
    imports: the section whose content becomes part of others; "" for none.
    empty: keys and functions that mean nothing for what stands behind them.
    calls: keys of maps with one entry that stand on one line, as calls do. A matter of looks only.
    facts: what is known about a deployment (``project.id``, ``region``) -> how it is asked for."""

    sections: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    imports: str = ""
    empty: Collection[str] = frozenset({"properties", "value", "default"})
    calls: Collection[str] = frozenset()
    facts: Mapping[str, str] = field(default_factory=dict)

    def section(self, neutral: str) -> str:
        """The name of a section."""
        return self.sections.get(neutral, neutral)

    def key(self, neutral: str) -> str:
        """The name of a key."""
        return self.keys.get(neutral, neutral)

    def legal(self, name: str) -> str:
        """``name``, or the nearest one that an entry may have."""
        return name

    def is_imported(self, path: Path) -> bool:
        """True for the place of something that is in another file."""
        return bool(self.imports) and path[:1] == (self.imports,)

    def entry(self, path: Path) -> Path:
        """The entry of the document that ``path`` is in; what another file has is part of the imports."""
        return path[:1] if self.is_imported(path) else path[:2]

    def inside(self, path: Path, *steps: Any) -> Path:
        """A place inside of what stands at ``path``; of something imported, ``path`` itself."""
        return path if self.is_imported(path) else (*path, *steps)

    def called(self, data: Any) -> str | None:
        """The function that plain ``data`` is a call of; None where it is none."""
        return str(next(iter(data))) if isinstance(data, dict) and len(data) == 1 else None

    def name(self, expr: Expr) -> str:
        """The name of the function that makes ``expr``."""
        return type(expr).__name__.lower()

    def written(self, value: Value) -> Any:
        """``value`` as plain data with calls; ValueError where the language has no function for a part of it."""
        raise ValueError(f"there is no way to write {value!r}")

    def annotated(self, expr: Foreign) -> tuple[Value, str] | None:
        """The call and the type, of a call beside which its type stands; None for others."""
        return None

    def obstacle(self, expr: Foreign) -> str:
        """Why no other language has the call ``expr``; "" where the engine refuses it."""
        return ""

    def inputs_in(self, data: Any) -> Iterator[Any]:
        """The names of the inputs that calls in plain ``data`` ask for."""
        return iter(())
