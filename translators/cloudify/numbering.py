"""Numbers of instances from 0. Cloudify counts from 1, and the DSL has no arithmetic: a node of its own keeps a list of
them, in which the number of an instance finds the one below it. The engine resolves it in properties, too, as an
instance may have its own number there, and the list has one instance (dsl_parser/functions.py, ``GetAttribute``)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path
from bpconvert.translators.cloudify.computed import PROPERTY
from bpconvert.translators.cloudify.vocabulary import NUMBERS
from bpconvert.translators.passes.expressions.kinds import INSTANCE_NUMBER, MEMBER_INDEX

#: where the script is in the bundle
PATH: Final = NUMBERS
#: how the operation is run: beside the manager
SETTINGS: Final[dict[str, Any]] = {"executor": "central_deployment_agent"}
#: as many as Heat creates resources in a stack (heat.conf, ``max_resources_per_stack``)
PROGRAM: Final = '''"""The numbers of a group's members in Heat, from 0, by their numbers in Cloudify, from 1."""

from cloudify import ctx

ctx.instance.runtime_properties["result"] = [0] + list(range(1000))
'''


def is_program(text: str | None) -> bool:
    """True where ``text`` is that of the script; for None, where nobody knows it."""
    return text in (None, PROGRAM)


def written(numbers: str, node: str, path: Path) -> ex.Attribute:
    """The number from 0 of an instance of ``node``, which the node ``numbers`` has."""
    return ex.Attribute(numbers, PROPERTY, (ex.Attribute(node, INSTANCE_NUMBER, path=path),), path=path)


def read(names: Collection[str]) -> Callable[[ex.Expr], ex.Expr]:
    """What puts the number from 0 in place of what :func:`written` yields for a node of these ``names``."""

    def number(expr: ex.Expr) -> ex.Expr:
        if isinstance(expr, ex.Attribute) and expr.node in names and expr.name == PROPERTY and len(expr.keys) == 1:
            (own,) = expr.keys
            if isinstance(own, ex.Attribute) and (own.name, own.keys) == (INSTANCE_NUMBER, ()):
                return ex.Attribute(own.node, MEMBER_INDEX, path=expr.path)
        return expr

    return number
