"""Software configurations and deployments as operations of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.nodes import Nodes


def prepare(nodes: Nodes) -> None:
    """Rewrite the topology before anything is decided about its nodes."""
