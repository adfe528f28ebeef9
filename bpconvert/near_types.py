"""Findings about types that an environment maps which nobody named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Meant
from bpconvert.translation import Way

#: findings of a node that creates nothing because nothing is known of its type, and that of a whole document
_UNKNOWN: Final = ("BPC300", "BPC801", "BPC787")


def report_nearby(near: Mapping[str, Meant], way: Way, reporter: Reporter) -> None:
    """Report which environments count for the types of resources, and where two say different things; let findings
    about unknown types name the environment that would map them."""
    section = way.source.section("nodes")
    helps: dict[str, str] = {}
    for name, meant in near.items():
        place = (section, name, "type")
        if meant.path:
            reporter.report("BPC216", place, type=meant.path[-1], other=meant.name, environment=meant.environment)
        elif meant.others:
            reporter.report("BPC217", place, type=meant.name, places=" and ".join(meant.others))
            helps[name] = "-e FILE or --environments GLOB=FILE"
        else:
            helps[name] = f"-e {meant.environment}"
    for index, found in enumerate(reporter.diagnostics if helps else ()):
        own = helps.get(str(found.path[1]), "") if found.path[:1] == (section,) and len(found.path) > 1 else ""
        named = own or ("" if found.path else ", ".join(sorted(set(helps.values()))))
        if named and found.code in _UNKNOWN:
            stands = "the type stands" if found.path else "its types stand"
            reporter.diagnostics[index] = found._replace(hint=f"Give {named}, which says what {stands} for.")
