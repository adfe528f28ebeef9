"""What the source has and the target has no place for is reported."""

from __future__ import annotations

from bpconvert.models.topology import Topology
from bpconvert.translators.passes.request import Request


def report_features(topology: Topology, request: Request) -> Topology:
    """``topology`` as it is, after a report of each of its features that the target does not keep."""
    for feature in topology.features:
        if feature.name not in request.target.keeps:
            request.reporter.report(feature.code, feature.path, **feature.texts)
    return topology
