"""Findings about types that an environment maps which nobody named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as File
from typing import Any

from bpconvert.diagnostics import GUESS, Reporter
from bpconvert.environments import environments_in
from bpconvert.files import UNKNOWN, Files, Meant
from bpconvert.models.expressions import Path
from bpconvert.models.topology import Topology
from bpconvert.options import Nearby
from bpconvert.translation import Way
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import with_nearby
from bpconvert.translators.support.places import inside
from bpconvert.yamlio.document import Document


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


def name_environments(topology: Topology | None, way: Way, files: Files, reporter: Reporter) -> frozenset[Path]:
    """Let findings about unknown types of a single document name the environment beside it that would map them; the
    places of these types are returned."""
    if topology is None or files.folder is None or files.inner or way.options.nearby is not None:
        return frozenset()
    section = way.source.section("nodes")
    around = _around(files, files.stem, way.source, way.options.types)
    helps: dict[str, str] = {}
    for finding in reporter.diagnostics if around is not None else ():
        node = topology.nodes.get(str(finding.path[1])) if finding.code in UNKNOWN and len(finding.path) == 2 else None
        if node is not None:
            file = around.resolve(node.source_type, node.name).environment
            helps |= {node.name: f"-e {file}"} if file else {}
    _point(helps, section, reporter)
    return frozenset((section, name, "type") for name in helps)


def _around(files: Files, stem: str, dialect: Dialect, types: Sequence[str]) -> Any:
    """What the environments beside a document say; one with the document's name, ``stem``, comes before others."""
    if files.folder is None or not dialect.registry:
        return None
    folder, environments = str(files.folder), environments_in(files.folder, dialect.registry)
    ordered = sorted(environments, key=lambda file: File(file).stem != stem)
    return with_nearby(None, Nearby(tuple(ordered), folder, folder), types, dialect)


def explain_types(
    document: Document, dialect: Dialect, types: tuple[str, ...], files: Files, reporter: Reporter
) -> None:
    """Let errors of a check about unknown types name the environment beside the document that would map them."""
    unknown = [index for index, finding in enumerate(reporter.diagnostics) if finding.code == "BPC175"]
    if not unknown:
        return
    around = _around(files, File(document.name).stem, dialect, types)
    for index in unknown if around is not None else ():
        finding = reporter.diagnostics[index]
        type, owner = inside(document.data, finding.path), str(finding.path[1])
        file = around.resolve(type, owner).environment if isinstance(type, str) else ""
        if file:
            hint = f"Give -e {file}, which says what the type stands for."
            reporter.diagnostics[index] = finding._replace(
                message=finding.message.partition(f"; {GUESS}")[0], hint=hint
            )


def _point(helps: Mapping[str, str], section: str, reporter: Reporter) -> None:
    """Let findings about unknown types say what ``helps``: node -> options."""
    for index, finding in enumerate(reporter.diagnostics if helps else ()):
        own = helps.get(str(finding.path[1]), "") if finding.path[:1] == (section,) and len(finding.path) > 1 else ""
        options = own or ("" if finding.path else ", ".join(sorted(set(helps.values()))))
        if options and finding.code in UNKNOWN:
            stands = "the type stands" if finding.path else "its types stand"
            reporter.diagnostics[index] = finding._replace(hint=f"Give {options}, which says what {stands} for.")
