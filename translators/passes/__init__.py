"""Rewritings of the neutral topology, each asked for by what the target language lacks.

A pass takes a topology and a :class:`~.request.Request` and yields a topology (the same one, changed, or another). It
asks what the target can express, never which language it is. Between two passes the topology can be looked at: give
:func:`run` a ``watch``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from bpconvert.models.topology import Topology
    from bpconvert.translators.passes.request import Request


class Pass(NamedTuple):
    """One rewriting. ``function``: ``module:function`` in this package, imported when it is needed first; ``needed``:
    whether the request asks for it at all."""

    name: str
    function: str
    needed: Callable[[Request], bool]

    def apply(self, topology: Topology, request: Request) -> Topology:
        """The topology after this pass."""
        module, _, name = self.function.partition(":")
        found: Topology = getattr(import_module(f"{__name__}.{module}"), name)(topology, request)
        return found


#: all passes, in their order
PASSES: Final = (
    Pass("features", "features:report_features", lambda request: True),
    Pass("specialise", "specialise:decide_inputs", lambda request: request.options.decides),
    Pass("documents", "nesting.documents:open_documents", lambda request: request.target.nesting == "components"),
    Pass(
        "group templates",
        "groups.to_nested_templates:to_nested_templates",
        lambda request: request.target.groups == "templates",
    ),
    Pass(
        "deployments",
        "software.to_deployments:to_deployments",
        lambda request: request.target.software == "deployments",
    ),
    Pass("fold", "expressions.fold:fold", lambda request: not request.target.conditions),
    Pass("groups", "groups.grouping:resolve_groups", lambda request: request.target.groups == "scaling"),
    Pass("stacks", "nesting.documents:as_stacks", lambda request: request.target.nesting == "components"),
    Pass(
        "operations", "software.as_operations:as_operations", lambda request: request.target.software == "operations"
    ),
)


def run(
    topology: Topology, request: Request, watch: Callable[[str, Topology], None] = lambda name, topology: None
) -> Topology:
    """The topology after all passes that the request needs; ``watch`` is given each one's name and result."""
    for one in PASSES:
        if one.needed(request):
            topology = one.apply(topology, request)
            watch(one.name, topology)
    return topology
