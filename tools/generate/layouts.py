"""The built-in layouts without jinja2 (``templates/compiled.py``), from the templates: a function for each. What a
template uses and is not known here stops the generator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from formatting import formatted
from jinja2 import nodes

from bpconvert import templates
from bpconvert.render import PAGE_NAMES, environment

_FOLDER = Path(templates.__file__).parent
_HEAD = '''"""Generated from the layouts beside it (``python tools/generate``): what jinja2 makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

Filters: TypeAlias = Mapping[str, Callable[..., Any]]

'''
_FILTERS = {
    "join": "{1}.join(map(str, {0}))",
    "replace": "str({0}).replace({1}, {2})",
    "spaced": '_filters["spaced"]({0})',
    "tall": '_filters["tall"]({0})',
}
_COMPARISONS = {"eq": "==", "ne": "!=", "in": "in", "notin": "not in", "lt": "<", "gt": ">", "lteq": "<=", "gteq": ">="}


def module() -> dict[str, str]:
    """Path -> text of the generated module."""
    names = sorted(place.name for place in _FOLDER.glob("*.yaml.j2"))
    functions = [_Layout(name).function() for name in names]
    rows = "".join(f'    "{name}": {_called(name)},\n' for name in names)
    table = f"#: name of a template -> (names that it sees, filters) -> its text\nLAYOUTS: Final = {{\n{rows}}}\n"
    path = "templates/compiled.py"
    return {path: formatted(_HEAD + "\n" + "\n\n\n".join(functions) + "\n\n\n" + table, path)}


def _called(name: str) -> str:
    return "_" + name.removesuffix(".yaml.j2")


def _parsed(name: str) -> nodes.Template:
    return environment().parse((_FOLDER / name).read_text("utf-8"), name)


class _Layout:
    """One template."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.used: set[str] = set()

    def function(self) -> str:
        """The function that lays a document out."""
        self._block(_parsed(self.name).body, 1, "out")
        head = [f"def {_called(self.name)}(_page: Mapping[str, Any], _filters: Filters) -> str:"]
        head += [f'    {name} = _page["{name}"]' for name in PAGE_NAMES if name in self.used]
        return "\n".join([*head, "    out: list[str] = []", *self.lines, '    return "".join(out)'])

    def _block(self, body: Iterable[nodes.Node], depth: int, out: str) -> None:
        pad = "    " * depth
        before = len(self.lines)
        for node in body:
            for line in self._statement(node, depth, out):
                self.lines.append(pad + line)
        if len(self.lines) == before:
            self.lines.append(pad + "pass")

    def _statement(self, node: nodes.Node, depth: int, out: str) -> Iterator[str]:
        pad = "    " * depth
        if isinstance(node, nodes.Output):
            for part in node.nodes:
                is_text = isinstance(part, nodes.TemplateData)
                yield f"{out}.append({part.data!r})" if is_text else f"{out}.append(str({self._value(part)}))"
        elif isinstance(node, nodes.For) and not node.else_ and not node.recursive:
            self.lines.append(f"{pad}for {self._target(node.target)} in {self._value(node.iter)}:")
            if node.test is not None:
                self.lines += [f"{pad}    if not ({self._value(node.test)}):", f"{pad}        continue"]
            self._block(node.body, depth + 1, out)
        elif isinstance(node, nodes.If):
            for word, one in [("if", node), *(("elif", other) for other in node.elif_)]:
                self.lines.append(f"{pad}{word} {self._value(one.test)}:")
                self._block(one.body, depth + 1, out)
            if node.else_:
                self.lines.append(f"{pad}else:")
                self._block(node.else_, depth + 1, out)
        elif isinstance(node, nodes.Assign):
            yield f"{self._target(node.target)} = {self._value(node.node)}"
        elif isinstance(node, nodes.FromImport) and node.with_context and isinstance(node.template, nodes.Const):
            wanted = set(node.names)
            for one in _parsed(node.template.value).find_all(nodes.Macro):
                if one.name in wanted:
                    self._macro(one, depth)
        else:
            raise TypeError(f"{self.name}:{node.lineno}: {node!r} is not known to tools/generate/layouts.py")

    def _macro(self, node: nodes.Macro, depth: int) -> None:
        pad, names = "    " * depth, [one.name for one in node.args]
        given = [None] * (len(names) - len(node.defaults)) + [self._value(one) for one in node.defaults]
        arguments = [f"{n}: Any" + (f" = {d}" if d is not None else "") for n, d in zip(names, given, strict=True)]
        self.lines.append(f"{pad}def {node.name}({', '.join(arguments)}) -> str:")
        self.lines.append(f"{pad}    lines: list[str] = []")
        self._block(node.body, depth + 1, "lines")
        self.lines.append(f'{pad}    return "".join(lines)')
        self.lines.append("")

    def _target(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.NSRef):
            return f"{node.name}.{node.attr}"
        if isinstance(node, nodes.Tuple):
            return ", ".join(map(self._target, node.items))
        if isinstance(node, nodes.Name):
            return node.name
        raise TypeError(f"{self.name}:{node.lineno}: {node!r} is not known to tools/generate/layouts.py")

    def _value(self, node: nodes.Node) -> str:
        """An expression."""
        if isinstance(node, nodes.Const):
            return repr(node.value)
        if isinstance(node, nodes.Name):
            self.used.add(node.name)
            return "SimpleNamespace" if node.name == "namespace" else node.name
        if isinstance(node, (nodes.List, nodes.Dict)):
            inner = ", ".join(map(self._value, node.items))
            return f"[{inner}]" if isinstance(node, nodes.List) else f"{{{inner}}}"
        if isinstance(node, nodes.Getattr):
            return f"{self._value(node.node)}.{node.attr}"
        if isinstance(node, nodes.Getitem):
            return f"{self._value(node.node)}[{self._value(node.arg)}]"
        if isinstance(node, nodes.Test) and node.name == "mapping":
            return f"isinstance({self._value(node.node)}, Mapping)"
        if isinstance(node, nodes.Call) and node.dyn_args is None and node.dyn_kwargs is None:
            named = [f"{one.key}={self._value(one.value)}" for one in node.kwargs]
            return f"{self._value(node.node)}({', '.join([*map(self._value, node.args), *named])})"
        if isinstance(node, nodes.Filter) and node.node is not None and not node.kwargs:
            if node.name == "default" and isinstance(node.node, nodes.Getitem):  # only of an entry of a map
                return f"{self._value(node.node.node)}.get({self._value(node.node.arg)}, {self._value(node.args[0])})"
            if node.name in _FILTERS:
                return _FILTERS[node.name].format(self._value(node.node), *map(self._value, node.args))
        return self._operation(node)

    def _operation(self, node: nodes.Node) -> str:
        """An operator with its operands."""
        if isinstance(node, nodes.Concat):
            return f"({' + '.join(f'str({self._value(one)})' for one in node.nodes)})"
        if isinstance(node, nodes.Add):
            return f"({self._value(node.left)} + {self._value(node.right)})"
        if isinstance(node, (nodes.And, nodes.Or)):
            word = "and" if isinstance(node, nodes.And) else "or"
            return f"({self._value(node.left)} {word} {self._value(node.right)})"
        if isinstance(node, nodes.Not):
            return f"(not {self._value(node.node)})"
        if isinstance(node, nodes.CondExpr) and node.expr2 is not None:
            return f"({self._value(node.expr1)} if {self._value(node.test)} else {self._value(node.expr2)})"
        if isinstance(node, nodes.Compare):
            rest = " ".join(f"{_COMPARISONS[one.op]} {self._value(one.expr)}" for one in node.ops)
            return f"{self._value(node.expr)} {rest}"
        raise TypeError(f"{self.name}:{node.lineno}: {node!r} is not known to tools/generate/layouts.py")
