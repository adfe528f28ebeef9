"""What an evaluation knows (:class:`Scope`), how it refuses (:class:`Refused`), and the walk all handlers share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, TypeAlias, TypeVar

from bpconvert.limits import limit, spend
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, SCALARS, Expr, Path, Value, is_constant, walk
from bpconvert.models.light import NamedTuple, dataclass, field, replace

E = TypeVar("E", bound=Expr)

#: what installs the package that computes queries
INSTALL: Final = "pip install 'yaql>=3.1.0'"


class Refused(Exception):
    """The engine would refuse to compute a value. ``path`` is the place of the expression in the source."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


class Note(NamedTuple):
    """A fold that is exact only under a condition. ``kind`` is ``repeat-runtime``: a loop was unrolled around values
    that are known at run time only, which is exact unless such a value contains the text of a loop variable."""

    kind: str
    path: Path
    text: str


#: Attribute values of one node. A key is an attribute's name, or a tuple (name, step, ...) for an exact path.
AttributeData: TypeAlias = Mapping[Any, Value]


@dataclass(eq=False, repr=False)
class Scope:
    """One set of facts to evaluate under. What is not given is unknown, and what depends on it stays symbolic."""

    #: input name -> value as a reference yields it (may hold expressions, then they are folded where used)
    inputs: Mapping[str, Value] = field(default_factory=dict)
    #: names of all inputs; a reference to another one is refused. None: any name may exist.
    declared: Collection[str] | None = None
    #: condition name -> expression. None: conditions are unknown; an absent name is refused.
    conditions: Mapping[str, Value] | None = None
    #: node -> its attributes, as a map or a function that gives None for an unknown node. An absent attribute is null.
    attributes: Mapping[str, AttributeData] | Callable[[str], AttributeData | None] | None = None
    #: node -> what identifies the created resource
    identities: Mapping[str, Value] = field(default_factory=dict)
    #: node -> its properties; an absent property is refused
    properties: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    secrets: Mapping[str, Value] = field(default_factory=dict)
    #: file name -> text, or None for a file that cannot be had here
    files: Callable[[str], str | None] | None = None
    #: name of a :class:`System` fact -> value
    system: Mapping[str, Value] = field(default_factory=dict)
    #: section of the parent resource -> value, for :class:`Facade`
    parent: Mapping[str, Value] = field(default_factory=dict)
    #: place of a call that was not readable -> why the engine refuses to compute it
    refused: Mapping[Path, str] = field(default_factory=dict)
    #: approximations are appended here
    notes: list[Note] | None = None
    #: conditions decided so far
    decided: dict[str, bool] = field(default_factory=dict)
    #: conditions that cannot be decided, and why the engine refuses those that it does
    open: dict[str, Refused | None] = field(default_factory=dict)
    #: what is being evaluated, to find circles
    busy: set[Any] = field(default_factory=set)
    #: how much has been followed for the value that is being evaluated
    followed: int = 0
    #: long texts that inputs and properties have
    texts: dict[Any, str] = field(default_factory=dict)
    #: id of a call -> the call, its characters and parts, and its parts alone
    extents: dict[int, tuple[Expr, tuple[int, int]]] = field(default_factory=dict)

    def note(self, kind: str, path: Path, text: str) -> None:
        """Record an approximation if somebody listens."""
        if self.notes is not None:
            self.notes.append(Note(kind, path, text))

    def enter(self, key: Any, message: str, path: Path) -> None:
        """Mark ``key`` as being evaluated until it is taken out of ``busy``; raise Refused with ``message`` when it
        already is, and where one value needs more of them than the limit of copies."""
        if key in self.busy:
            raise Refused(message, path)
        self.followed = self.followed + 1 if self.busy else 1
        if self.followed > limit("copies"):
            raise Refused(f"more than {limit('copies')} values are copied into others", path)
        self.busy.add(key)


#: characters of a text that is remembered where others have it
_LONG: Final = 1_000


def remembered(scope: Scope, key: Any, compute: Callable[[], Value]) -> Value:
    """What ``compute`` yields; a long text is computed once for each ``key``: what has it twice, and is had twice, and
    so on, does not take twice as long each time."""
    if key in scope.texts:
        return scope.texts[key]
    computed = compute()
    if isinstance(computed, str) and len(computed) > _LONG:
        scope.texts[key] = computed
    return computed


#: Evaluates one expression: the value, or the expression folded as far as possible, or MISSING for an ``if`` without
#: an else branch whose condition is false.
Folder: TypeAlias = Callable[[Any, Scope], Value]
FOLDERS: dict[type[Expr], Folder] = {}


def fold_item(value: Value, scope: Scope) -> Value:
    """``value`` folded; MISSING when it vanishes from the list or map that holds it. Unchanged parts are shared."""
    kind = type(value)
    if kind in SCALARS:
        return value
    folder = FOLDERS.get(kind)
    if folder is not None:
        return folder(value, scope)
    if isinstance(value, dict):
        pairs: dict[Any, Value] = {}
        same = True
        for key, old in value.items():
            pairs[key] = new = old if type(old) in SCALARS else fold_item(old, scope)
            same = same and new is old
        return value if same else {key: new for key, new in pairs.items() if new is not MISSING}
    if isinstance(value, (list, tuple)):
        items, same = [], True
        for old in value:
            new = old if type(old) in SCALARS else fold_item(old, scope)
            items.append(new)
            same = same and new is old
        if same:
            return value
        left = [item for item in items if item is not MISSING]
        return tuple(left) if isinstance(value, tuple) else left
    return value


def fold_field(value: Value, scope: Scope) -> Value:
    """An argument folded: one that vanishes is null, one that was not written stays MISSING."""
    if value is MISSING:
        return MISSING
    new = fold_item(value, scope)
    return None if new is MISSING else new


def lenient(value: Value, scope: Scope) -> Value:
    """``value`` folded, or as it is when that is refused: for what the engine may never evaluate."""
    try:
        return fold_item(value, scope)
    except Refused:
        return value


def rebuilt(expr: E, **fields: Value) -> E:
    """``expr`` with other fields; itself when none differs."""
    if all(getattr(expr, name) is value for name, value in fields.items()):
        return expr
    return replace(expr, **fields)


def fold_fields(expr: Expr, scope: Scope, *names: str) -> Expr:
    """``expr`` with the named fields folded: the handler of what only a running deployment knows."""
    return rebuilt(expr, **{name: fold_field(getattr(expr, name), scope) for name in names})


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn the errors that the engines' own code runs into, in here, into :class:`Refused` at ``path``."""
    try:
        yield
    except Refused as wrong:
        if wrong.path:
            raise
        raise Refused(wrong.message, path) from wrong
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as wrong:
        raise Refused(str(wrong), path) from wrong


#: characters and parts of the largest value that is computed: Heat takes no template of more than 512 KiB
LONGEST: Final = 1_000_000


def is_affordable(size: int, before: int) -> bool:
    """True where a value of about ``size`` characters and parts may be computed from arguments of ``before``."""
    return size <= LONGEST and spend("growth", max(size - before, 0))


def weight(value: Value) -> int:
    """About how many characters and parts ``value`` has."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Expr):
        return 1 + sum(weight(getattr(value, name)) for name in ex.field_names(type(value)))
    if isinstance(value, dict):
        return 1 + sum(weight(key) + weight(item) for key, item in value.items())
    return 1 + sum(map(weight, value)) if isinstance(value, (list, tuple)) else 1


def may_vanish(value: Value) -> bool:
    """True for an undecided ``if`` that may leave no value."""
    if not isinstance(value, ex.If):
        return False
    return value.otherwise is MISSING or may_vanish(value.then) or may_vanish(value.otherwise)


_NODE_REFERENCES = (ex.Identity, ex.Attribute, ex.AttributeList, ex.AttributeDict, ex.Property)
_HARMLESS = (ex.Input, ex.System)


def keeps(before: Iterable[Value], after: Value) -> bool:
    """True when no expression of ``before`` is lost in ``after``: what the engine would refuse must not be hidden.

    Of a reference to a node, the node must occur: it is a dependency too. A reference to an input may go."""
    wanted = [expr for value in before for expr in walk(value) if not isinstance(expr, _HARMLESS)]
    if not wanted:
        return True
    left = [expr for expr in walk(after) if not isinstance(expr, _HARMLESS)]
    nodes = [expr.node for expr in left if isinstance(expr, _NODE_REFERENCES)]
    return all(expr.node in nodes if isinstance(expr, _NODE_REFERENCES) else expr in left for expr in wanted)


def is_known(*values: Value) -> bool:
    """True when no expression occurs in any of ``values``."""
    return all(map(is_constant, values))


def quoted(value: Value) -> str:
    """A value as Heat's messages show it; one with calls in it by what it is."""
    if is_constant(value):
        return repr(value)[:200]
    return "a map" if isinstance(value, dict) else "a list" if isinstance(value, (list, tuple)) else "a call"


@cache
def is_installed() -> bool:
    """True when queries can be computed here. The package is only looked for: importing it takes long."""
    return find_spec("yaql") is not None


def uncomputed(value: Value) -> Iterator[ex.Query]:
    """The queries in ``value`` that only want for the package."""
    for query in () if is_installed() else walk(value):
        if isinstance(query, ex.Query) and is_known(query.expression, query.data):
            yield query
