"""Findings about types that an environment maps which nobody named."""

from __future__ import annotations

from collections.abc import Mapping

from bpconvert.diagnostics import Reporter
from bpconvert.environments import environments_in
from bpconvert.files import UNKNOWN, Files, Meant
from bpconvert.models.topology import Topology
from bpconvert.options import Nearby
from bpconvert.translation import Way
from bpconvert.translators.dialects import with_nearby


def report_nearby(near: Mapping[str, Meant], way: Way, reporter: Reporter) -> None:
    """Report which environments count for the types of resources, and where two say different things."""
    section = way.source.section("nodes")
    helps: dict[str, str] = {}
    for name, meant in near.items():
        place = (section, name, "type")
        if meant.path:
            reporter.report("BPC216", place, type=meant.path[-1], other=meant.name, environment=meant.environment)
        else:
            reporter.report("BPC217", place, type=meant.name, places=" and ".join(meant.others))
            helps[name] = "-e FILE or --environments GLOB=FILE"
    _point(helps, section, reporter)


def name_environments(topology: Topology | None, way: Way, files: Files, reporter: Reporter) -> None:
    """Let findings about unknown types of a single document name the environment beside it that would map them."""
    if topology is None or files.folder is None or files.inner or way.options.nearby is not None:
        return
    folder, section = str(files.folder), way.source.section("nodes")
    environments = environments_in(files.folder, way.source.registry) if way.source.registry else ()
    around = with_nearby(None, Nearby(environments, folder, folder), way.options.types, way.source)
    helps: dict[str, str] = {}
    for finding in reporter.diagnostics if around is not None else ():
        node = topology.nodes.get(str(finding.path[1])) if finding.code in UNKNOWN and len(finding.path) == 2 else None
        if node is not None:
            file = around.resolve(node.source_type, node.name).environment
            helps |= {node.name: f"-e {file}"} if file else {}
    _point(helps, section, reporter)


def _point(helps: Mapping[str, str], section: str, reporter: Reporter) -> None:
    """Let findings about unknown types say what ``helps``: node -> options."""
    for index, finding in enumerate(reporter.diagnostics if helps else ()):
        own = helps.get(str(finding.path[1]), "") if finding.path[:1] == (section,) and len(finding.path) > 1 else ""
        options = own or ("" if finding.path else ", ".join(sorted(set(helps.values()))))
        if options and finding.code in UNKNOWN:
            stands = "the type stands" if finding.path else "its types stand"
            reporter.diagnostics[index] = finding._replace(hint=f"Give {options}, which says what {stands} for.")
