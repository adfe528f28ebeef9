"""What reads nodes of a type that is more, or less, than a resource: the functions that the catalogue names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from bpconvert.translators.tosca.column import PURPOSE
from bpconvert.translators.tosca.read import balancing, compute, networks, nfv, storage
from bpconvert.translators.tosca.read.making import NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.user_types import Hooks

HOOKS: Final[Mapping[str, Callable[[NodeBuilder, RawNode], None]]] = {
    "any_storage": nfv.any_storage,
    "balancer": balancing.balancer,
    "block_storage": nfv.block_storage,
    "connection_point": nfv.connection_point,
    "container": storage.container,
    "deployment_unit": nfv.vdu,
    "file_storage": nfv.file_storage,
    "machine": compute.server,
    "network": networks.network,
    "network_function": nfv.function,
    "object_storage": nfv.object_storage,
    "port": networks.port,
    "virtual_link": nfv.virtual_link,
    "volume": storage.volume,
    "volume_that_may_stay": storage.volume_that_may_stay,
}


def hooks() -> Hooks:
    """Their names, for the files of users."""
    from bpconvert.translators.catalogue.user_types import Hooks  # few conversions have such files

    return Hooks({PURPOSE: frozenset(HOOKS)}, lambda value: False)
