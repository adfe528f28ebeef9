"""The version that a template needs: the lowest one that has all that it uses."""

from __future__ import annotations

from typing import Any

from bpconvert.models import hot
from bpconvert.models.hot_versions import VERSIONS, nearest_version, resolve_version
from bpconvert.translators.hot.write.calls import needs
from bpconvert.translators.hot.write.context import Context


def version(context: Context, sections: dict[str, Any]) -> str:
    """The version to write: the lowest that has all that the result uses, or the one asked for."""
    needed, reason = next(iter(VERSIONS)), ""
    for since, what in [*wants(sections), (context.least_version, "what its values mean")]:
        if since > needed:
            needed, reason = since, what
    wanted = context.request.options.hot_version
    if wanted is None:
        return needed
    if not nearest_version(wanted).has(needed):
        context.reporter.report("BPC540", (), wanted=wanted, needed=needed, reason=reason)
        return needed
    return wanted if resolve_version(wanted) else nearest_version(wanted).date


def wants(sections: dict[str, Any]) -> list[tuple[str, str]]:
    """(version, what it is needed for) of everything that not every version has."""
    found = [(since, name) for name, since in hot.Template.SINCE.items() if sections.get(name)]
    for name, section, model in (
        ("parameters", sections["parameters"], hot.Parameter),
        ("resources", sections["resources"], hot.Resource),
        ("outputs", sections["outputs"], hot.Output),
    ):
        for entry, data in section.items():
            found += [(since, f"'{key}' of '{entry}'") for key, since in model.SINCE.items() if key in data]
            if name != "parameters":
                found.append((needs(_values(data)), f"a function that '{entry}' uses"))
    for entry, data in sections["parameters"].items():
        for item in data.get("constraints", ()):
            found += [(since, f"'{key}' of '{entry}'") for key, since in hot.Constraint.SINCE.items() if key in item]
    for entry, data in sections["resources"].items():
        policy = data.get("deletion_policy")
        if isinstance(policy, str) and policy.islower():
            found.append(("2016-10-14", f"the deletion policy of '{entry}'"))
    for entry, data in sections["conditions"].items():
        found.append((needs(data, "condition"), f"a function in condition '{entry}'"))
    return found


def _values(data: dict[str, Any]) -> list[Any]:
    """The parts of a resource or an output that are searched for calls."""
    return [value for key, value in data.items() if key not in ("type", "description", "depends_on")]
