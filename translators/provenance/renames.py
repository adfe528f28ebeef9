"""Entries that were renamed: the same content under another name, and the references to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.provenance.differences import Difference, differences, weight
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit, Token, scalar, tokens
from bpconvert.translators.support.places import mapped, value_at
from bpconvert.yamlio.document import Document

#: keys of which a name that is their value, or an item of it, is another entry's; besides calls of functions
_REFERENCES: Final = frozenset(
    {
        "depends_on", "target", "node", "host", "members", "targets", "source_node", "condition", "requirements",
        "scaling_groups", "substitution_mappings",
    }
)  # fmt: skip
#: how much larger an entry is than what was edited in it when it was renamed
_SHARE: Final = 3
#: sections whose entries name others everywhere
_SECTIONS: Final = ("groups", "policies", "conditions")


def renamed_entries(left: Iterable[Difference], is_near: bool = False) -> Iterator[tuple[Path, Path]]:
    """The entries that went, each with one of its section that was added and has the same content; with ``is_near``
    then those of the same type that have most of it."""
    every = [change for change in left if len(change.path) == 2 and isinstance(change.path[1], str)]
    added = [change for change in every if change.before is MISSING]
    gone = [change for change in every if change.after is MISSING]
    for alike in (_same, _near) if is_near else (_same,):
        for entry in [*gone]:
            match = next((other for other in added if other.path[0] == entry.path[0] and alike(entry, other)), None)
            if match is not None:
                added.remove(match)
                gone.remove(entry)
                yield entry.path, match.path


def _near(gone: Difference, added: Difference) -> bool:
    """Whether most of the content is the same, and the type."""
    old, new = with_names(gone.before, {gone.path[1]: added.path[1]}, keys=False), added.after
    if not isinstance(old, dict) or not isinstance(new, dict) or old.get("type") != new.get("type"):
        return False
    return _SHARE * weight(differences(old, new)) <= weight([gone])


def _same(gone: Difference, added: Difference) -> bool:
    """Whether the content is the same, whichever of what has the name of the entry followed it."""
    names = {gone.path[1]: added.path[1]}
    return digest(with_names(gone.before, names, keys=False)) == digest(with_names(added.after, names, keys=False))


def _is_part(token: Token, rewriter: Rewriter) -> bool:
    """Whether a value is a later argument of a reference: the first one names an entry, these a part of it."""
    *_, call, step = ("", *token.path)
    return isinstance(step, int) and step > 0 and call in rewriter.calls and str(call).startswith("get_")


def _is_argument(token: Token, rewriter: Rewriter) -> bool:
    """Whether a value is what a key or a call refers to, not the value that a call yields (``if``, ``concat``)."""
    key = next((step for step in reversed(token.path) if not isinstance(step, int)), "")
    return key in _REFERENCES or key not in rewriter.calls or str(key).startswith("get_") or token.path[-1] == 0


def renaming(document: Document, rewriter: Rewriter, entry: Path, name: str) -> Iterator[list[TextEdit]]:
    """The edits that give an ``entry`` of a source another ``name``: with the references to it, with what calls yield,
    then with every value that is its name."""
    key = rewriter.key(entry, name)
    if len(entry) != 2 or key is None or name in value_at(document.data, entry[:1]):
        return
    using = [token for token in tokens(document) if token.value == entry[1] and isinstance(token.value, str)]
    names = _REFERENCES.union(rewriter.calls)
    using = [token for token in using if not _is_part(token, rewriter)]
    chosen = [token for token in using if token.path[0] in _SECTIONS or not names.isdisjoint(token.path[2:])]
    strict = [token for token in chosen if token.path[0] in _SECTIONS or _is_argument(token, rewriter)]
    for each in {len(each): each for each in (strict, chosen, using)}.values():
        edits = [scalar(document, token, name) for token in each]
        if all(edit is not None for edit in edits):
            yield [key, *(edit for edit in edits if edit is not None)]


def called_after(old: str, new: str, generated: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, str]:
    """What is called after an entry that has the name ``new`` now: how a document has it that has renamed the entry
    alone, whose name was ``old``."""
    names: dict[str, str] = {}
    for section, content in generated.items():
        there = wanted.get(section)
        if isinstance(content, dict) and isinstance(there, dict):
            rows = {name: name.replace(new, old) for name in content.keys() - there.keys() if isinstance(name, str)}
            names |= {name: before for name, before in rows.items() if before in there and before not in content}
    return names


def with_names(value: Any, names: Mapping[Any, Any], *, keys: bool = True) -> Any:
    """``value`` with other names in place of these, as values and as ``keys``."""
    return mapped(value, lambda name: names.get(name, name) if isinstance(name, str) else name, keys=keys)
