"""Rewritings of the neutral topology, each asked for by what the target language lacks.

A pass takes a topology and a :class:`~.request.Request` and yields a topology (the same one, changed, or another). It
asks what the target can express, never which language it is. Between two passes the topology can be looked at: give
:func:`run` a ``watch``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from bpconvert.models.light import NamedTuple
from bpconvert.translators.passes.software.kinds import ALL as SOFTWARE
from bpconvert.translators.passes.software.kinds import DEPLOYMENT
from bpconvert.translators.support import imported

if TYPE_CHECKING:
    from bpconvert.models.topology import Topology
    from bpconvert.translators.passes.request import Request

    #: is given the name of a pass and the topology after it
    Watch: TypeAlias = Callable[[str, Topology], None]


class Pass(NamedTuple):
    """One rewriting. ``function``: ``module:function`` in this package, imported when it is needed first; ``needed``:
    whether there is something to do."""

    name: str
    function: str
    needed: Callable[[Topology, Request], bool] = lambda topology, request: True

    def apply(self, topology: Topology, request: Request) -> Topology:
        """The topology after this pass."""
        rewritten: Topology = imported(f"{__name__}.{self.function}")(topology, request)
        return rewritten


#: the nesting of a language whose nodes have types that stand for documents, and of all in which no type is a document
_TYPES: Final = "types"
_OTHERS: Final = ("components", _TYPES)


def _orders_by_values(topology: Topology, request: Request) -> bool:
    return request.source.references == "relationships" and request.target.references == "values"


def _computed_defaults(topology: Topology, request: Request) -> bool:
    is_possible = request.target.computes_defaults and not request.source.computes_defaults
    return is_possible and bool(topology.conditions)


def _groups(topology: Topology, request: Request) -> bool:
    types = request.source.group_types.types
    return request.target.groups == "scaling" and any(node.source_type in types for node in topology.nodes.values())


def _members_with_documents(topology: Topology, request: Request) -> bool:
    types = {**request.source.group_types.types, **request.target.group_types.types}
    stays = request.target.nesting in ("templates", _TYPES)
    return stays and any(node.source_type in types for node in topology.nodes.values())


def _members(topology: Topology, request: Request) -> bool:
    several = request.target.groups == "scaling" and request.source is not request.target
    return several and any(node.is_scaled for node in topology.nodes.values())


def _deployments(topology: Topology, request: Request) -> bool:
    return request.target.software == "operations" and any(node.kind in SOFTWARE for node in topology.nodes.values())


def _at_urls(topology: Topology, request: Request) -> bool:
    is_possible = bool(request.target.programs.operations.own) and not request.target.software
    return is_possible and any(node.was and node.kind == DEPLOYMENT for node in topology.nodes.values())


def _drawn(topology: Topology, request: Request) -> bool:
    return bool(request.options.running) and not request.target.owns


def _owned(topology: Topology, request: Request) -> bool:
    return bool(request.options.running) and request.target.owns


def _interfaces(topology: Topology, request: Request) -> bool:
    both = request.source.programs.operations.own and request.target.programs.operations.own
    return bool(both) and request.source is not request.target


def _properties(topology: Topology, request: Request) -> bool:
    return request.source.names_properties and request.target.names_properties and request.source is not request.target


def _words_of_resources(topology: Topology, request: Request) -> bool:
    return not request.target.describes and any("description" in node.extra for node in topology.nodes.values())


#: all passes, in their order
PASSES: Final = (
    Pass("stand-ins", "stand_ins:restore", lambda topology, _: any(node.shows for node in topology.nodes.values())),
    Pass("features", "features:report_features"),
    Pass("descriptions", "descriptions:describe", _words_of_resources),
    Pass("drawn texts", "running:drawn_texts", _drawn),
    Pass("existing ids", "running:existing_ids", lambda _, request: bool(request.options.running)),
    Pass("keys of the engine", "running:keys_of_the_engine", _owned),
    Pass("addresses of servers", "running:addresses_of_servers", _owned),
    Pass("groups that run", "running:groups_that_run", _owned),
    Pass("programs that ran", "running:programs_that_ran", lambda _, request: bool(request.options.running)),
    Pass("order", "order:leave_out_implied", _orders_by_values),
    Pass("policies", "groups.members:refer_to_groups", lambda _, request: bool(request.target.group_types.policies)),
    Pass("inputs", "specialise:decide_inputs", lambda _, request: request.options.decides),
    Pass(
        "tables",
        "choosing:choose",
        lambda topology, _: any(declared.asked or declared.unit for declared in topology.inputs.values()),
    ),
    Pass(
        "one parameter",
        "given_together:give_together",
        lambda _, request: request.options.orchestrator in request.target.given_in and not request.files.inner,
    ),
    Pass("defaults", "expressions.own_defaults:own_defaults", _computed_defaults),
    Pass("documents", "nesting:open_documents", lambda _, request: request.target.nesting in _OTHERS),
    Pass("templates", "handing_on:as_templates", lambda _, request: request.target.nesting in ("templates", _TYPES)),
    Pass("documents of members", "groups.documents:open_members", _members_with_documents),
    Pass(
        "group templates",
        "groups.to_nested_templates:to_nested_templates",
        lambda _, request: request.target.groups == "templates",
    ),
    Pass(
        "deployments",
        "software.to_deployments:to_deployments",
        lambda _, request: request.target.software == "deployments",
    ),
    Pass("files at URLs", "software.at_urls:to_software", _at_urls),
    Pass("properties", "properties:write_out", _properties),
    Pass("interfaces", "software.to_interfaces:to_interfaces", _interfaces),
    Pass("known values", "expressions.fold:fold", lambda _, request: not request.target.conditions),
    Pass("members", "groups.to_members:to_members", _members),
    Pass("scaling groups", "groups.to_scaling_groups:to_scaling_groups", _groups),
    Pass("components", "nesting:as_stacks", lambda _, request: request.target.nesting == "components"),
    Pass("operations", "software.to_operations:to_operations", _deployments),
    Pass("places", "expressions.places:texts_to_numbers", lambda _, request: request.target.whole_numbers),
)


def unwatched(name: str, topology: Topology) -> None:
    """Nobody looks at the topology between passes."""


def run(topology: Topology, request: Request, watch: Watch = unwatched) -> Topology:
    """The topology after all passes that the request needs; ``watch`` is given each one's name and result, and before
    them ``read`` and the topology as it was read."""
    watch("read", topology)
    for step in PASSES:
        if step.needed(topology, request):
            topology = step.apply(topology, request)
            watch(step.name, topology)
    return topology
