"""The mutants of a module: its syntax tree with one small mistake each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

_COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_CALLED: Final = {"any": "all", "all": "any", "min": "max", "max": "min", "startswith": "endswith"}
_CALLED["endswith"] = "startswith"
#: calls that yield something like their first argument, and methods that yield something like their object
_LIKE_ARGUMENT: Final = {"sorted", "reversed"}
_LIKE_OBJECT: Final = {"strip", "lstrip", "rstrip", "lower", "upper", "removeprefix", "removesuffix", "replace"}
#: fields that say nothing about what the program does
_WITHOUT_EFFECT: Final = {"annotation", "returns", "decorator_list", "type_comment"}
#: names whose values are for tools, and parameters that only watch
_FOR_TOOLS: Final = {"__all__", "__slots__"}
_WATCHING: Final = {"strict"}
#: the least text that shows where in a line a mutant is
_SHOWN: Final = 16


class Slot(NamedTuple):
    """A place in the tree: the attribute ``field`` of ``owner``, or one item of it."""

    owner: ast.AST
    field: str
    item: int | None = None

    def get(self) -> Any:
        """What stands here."""
        value = getattr(self.owner, self.field)
        return value if self.item is None else value[self.item]

    def put(self, new: Any) -> None:
        """Put ``new`` here."""
        if self.item is None:
            setattr(self.owner, self.field, new)
        else:
            getattr(self.owner, self.field)[self.item] = new


class Mutant(NamedTuple):
    """One mistake. ``scope``: names of the classes and the function around it; ``lines``: first and last line of its
    statement, without the statements inside."""

    slot: Slot
    new: Any
    scope: tuple[str, ...]
    lines: tuple[int, int]
    line: int
    before: str
    after: str

    @property
    def change(self) -> str:
        """What is changed, and in which function."""
        where = f"{'.'.join(self.scope)}: " if self.scope else ""
        return f"{where}{self.before} -> {self.after}"


class _Around(NamedTuple):
    """What a node stands in. ``shown``: the statement and the expressions around it, the innermost last; ``bound``:
    variables that have a value already when it is assigned, as far as one sees without running it."""

    scope: tuple[str, ...]
    lines: tuple[int, int]
    is_function: bool
    shown: tuple[Slot, ...]
    bound: frozenset[str]


def mutants(tree: ast.Module) -> list[Mutant]:
    """All mutants of ``tree``; each is made by ``mutant.slot.put(mutant.new)``."""
    return list(_below(tree, _Around((), (1, 1), False, (), frozenset())))


def _below(node: ast.AST, around: _Around) -> Iterator[Mutant]:
    for field, value in ast.iter_fields(node):
        if field in _WITHOUT_EFFECT:
            continue
        if isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _at(item, Slot(node, field, index), around)
        elif isinstance(value, ast.AST):
            yield from _at(value, Slot(node, field), around)


def _at(node: ast.AST, slot: Slot, around: _Around) -> Iterator[Mutant]:
    """The mutants of ``node`` and of what is below it."""
    if _is_without_effect(node, slot.owner):
        return
    if isinstance(node, ast.stmt):
        around = around._replace(lines=_lines(node), shown=())
    if isinstance(node, ast.expr) or (isinstance(node, ast.stmt) and not hasattr(node, "body")):
        around = around._replace(shown=(*around.shown, slot))
    for where, new in _changes(node, slot, around):
        yield _mutant(where, new, getattr(node, "lineno", around.lines[0]), around)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not around.is_function:
        around = around._replace(scope=(*around.scope, node.name), is_function=True, bound=_bound_again(node))
    elif isinstance(node, ast.ClassDef) and not around.is_function:
        around = around._replace(scope=(*around.scope, node.name))
    if not isinstance(node, ast.Raise):  # its message is for people
        yield from _below(node, around)


def _is_without_effect(node: ast.AST, owner: ast.AST) -> bool:
    """True for imports, docstrings, assertions, declarations of types and what only a type checker sees."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert, ast.Global, ast.Nonlocal)):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.AnnAssign):
        return node.value is None or "TypeAlias" in ast.unparse(node.annotation)
    if isinstance(node, ast.Assign):
        made = node.value.func if isinstance(node.value, ast.Call) else None
        is_type = isinstance(made, ast.Name) and made.id in ("TypeVar", "ParamSpec", "NewType")
        return is_type or any(isinstance(target, ast.Name) and target.id in _FOR_TOOLS for target in node.targets)
    if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "cast":
        return node is owner.args[0]
    return isinstance(node, ast.keyword) and node.arg in _WATCHING


def _lines(node: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement without the statements inside."""
    inside = getattr(node, "body", None)
    end = inside[0].lineno - 1 if inside else node.end_lineno or node.lineno
    return node.lineno, max(node.lineno, end)


def _bound_again(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    times = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    times += [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return frozenset(name for name in times if times.count(name) > 1)


def _mutant(slot: Slot, new: Any, line: int, around: _Around) -> Mutant:
    shown = slot
    for shown in reversed(around.shown):
        if len(ast.unparse(shown.get())) >= _SHOWN:
            break
    before, old = ast.unparse(shown.get()), slot.get()
    slot.put(new)
    after = ast.unparse(shown.get())
    slot.put(old)
    name = _parameter(slot)
    return Mutant(slot, new, around.scope, around.lines, line, name + before, name + after)


def _parameter(slot: Slot) -> str:
    """For a default value: the parameter that has it."""
    if not isinstance(slot.owner, ast.arguments) or slot.item is None:
        return ""
    given = slot.owner
    if slot.field == "kw_defaults":
        return f"{given.kwonlyargs[slot.item].arg}="
    return f"{[*given.posonlyargs, *given.args][slot.item - len(given.defaults)].arg}="


def _changes(node: ast.AST, slot: Slot, around: _Around) -> Iterator[tuple[Slot, Any]]:
    """The mistakes in ``node`` itself: where, and what stands there."""
    if isinstance(node, ast.stmt):
        yield from _of_statement(node, slot, around.bound)
    elif isinstance(node, ast.Constant):
        yield from ((slot, ast.Constant(value)) for value in _constants(node.value, slot))
    elif isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            yield Slot(node, "ops", index), _COMPARED[type(operator)]()
    elif isinstance(node, ast.BoolOp):
        yield Slot(node, "op"), ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield slot, node.operand
    elif isinstance(node, ast.IfExp):
        yield slot, ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.BinOp) and type(node.op) in _COMPUTED:
        yield Slot(node, "op"), _COMPUTED[type(node.op)]()
    elif isinstance(node, ast.comprehension):
        for index in range(len(node.ifs)):
            yield Slot(node, "ifs"), _without(node.ifs, index)
    elif isinstance(node, ast.Slice):
        for field in ("lower", "upper"):
            bound = getattr(node, field)
            if bound is not None and not isinstance(bound, (ast.Constant, ast.UnaryOp)):
                yield Slot(node, field), ast.BinOp(bound, ast.Add(), ast.Constant(1))
    elif isinstance(node, ast.Call):
        yield from _of_call(node, slot)
    else:
        yield from _of_collection(node, slot)


def _of_statement(node: ast.stmt, slot: Slot, bound: frozenset[str]) -> Iterator[tuple[Slot, Any]]:
    if isinstance(node, ast.If):
        if not _has_opposite(node.test):
            yield Slot(node, "test"), ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.While):
        yield Slot(node, "test"), ast.Constant(False)
    elif isinstance(node, ast.Return):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield Slot(node, "value"), ast.Constant(None)
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield slot, ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    elif isinstance(node, ast.AugAssign):
        yield slot, ast.Pass()
        if type(node.op) in _COMPUTED:
            yield Slot(node, "op"), _COMPUTED[type(node.op)]()
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if all(isinstance(to, (ast.Attribute, ast.Subscript)) or getattr(to, "id", "") in bound for to in targets):
            yield slot, ast.Pass()
    elif isinstance(node, (ast.Raise, ast.Delete)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Yield, ast.YieldFrom))
    ):
        yield slot, ast.Pass()


def _has_opposite(test: ast.expr) -> bool:
    """True for a test with a mutant that is its opposite anyway."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn))
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _constants(value: Any, slot: Slot) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1] if isinstance(slot.owner, ast.Slice) else [value + 1]
    if isinstance(value, str):
        return [f"XX{value}"]
    is_tested = isinstance(slot.owner, ast.Compare)  # the operator has a mutant
    return ["XX"] if value is None and not is_tested else []


def _of_call(node: ast.Call, slot: Slot) -> Iterator[tuple[Slot, Any]]:
    function = node.func
    if isinstance(function, ast.Name):
        if function.id in _CALLED:
            yield Slot(node, "func"), ast.Name(_CALLED[function.id], ast.Load())
        if function.id in _LIKE_ARGUMENT and node.args:
            yield slot, node.args[0]
    elif isinstance(function, ast.Attribute):
        if function.attr in _CALLED:
            yield Slot(function, "attr"), _CALLED[function.attr]
        if function.attr in _LIKE_OBJECT:
            yield slot, function.value


def _of_collection(node: ast.AST, slot: Slot) -> Iterator[tuple[Slot, Any]]:
    """Sets, dictionaries and what ``in`` looks through, with one entry less."""
    if isinstance(node, ast.Dict):
        for index in range(len(node.keys)):
            yield slot, ast.Dict(_without(node.keys, index), _without(node.values, index))
    elif isinstance(node, ast.Set) and len(node.elts) > 1:
        for index in range(len(node.elts)):
            yield slot, ast.Set(_without(node.elts, index))
    elif isinstance(node, (ast.Tuple, ast.List)) and isinstance(slot.owner, ast.Compare):
        for index in range(len(node.elts)):
            yield slot, type(node)(_without(node.elts, index), ast.Load())


def _without(items: list[Any], index: int) -> list[Any]:
    return items[:index] + items[index + 1 :]
