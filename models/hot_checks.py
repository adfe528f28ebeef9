"""What the engine refuses in a template as a whole: keys that its version does not have, names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models.checks import Problem
from bpconvert.models.hot_rules import CONSTRAINT_KINDS, CONSTRAINT_TYPES
from bpconvert.models.hot_versions import VERSIONS, resolve_version
from bpconvert.models.plain import Plain
from bpconvert.models.plain.hot import Constraint, Template


def kind_of(constraint: Constraint) -> str:
    """The key of a constraint that counts: the first of ``CONSTRAINT_KINDS`` that was written."""
    return next(kind for kind in CONSTRAINT_KINDS if kind in constraint.model_fields_set)


def check_version(template: Template, version: str | None = None) -> list[Problem]:
    """Keys and values that ``version`` (default: the template's own) does not have, and an unknown version itself."""
    version = template.heat_template_version if version is None else version
    version_known = resolve_version(version)
    if version_known is None:
        aliases = ", ".join([*VERSIONS, *(version_row.alias for version_row in VERSIONS.values() if version_row.alias)])
        text = f"unknown version {version!r} (known: {aliases})" if version else "'heat_template_version' is missing"
        return [Problem(("heat_template_version",), text)]
    return [
        Problem(path, f"{words} exists since version {since}, this template says {version}")
        for path, words, since in _gated(template)
        if not version_known.has(since)
    ]


def _gated(template: Template) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """What not every version has: path, what it is, first version."""

    def keys(model: Plain, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str, str]]:
        for key, since in model.SINCE.items():
            if key in model.model_fields_set:
                yield (*path, key), f"{model.KEY} '{key}' of {model.NOUN}", since

    yield from keys(template, ())
    for name, parameter in template.parameters.items():
        yield from keys(parameter, ("parameters", name))
        for index, constraint in enumerate(parameter.constraints or ()):
            yield from keys(constraint, ("parameters", name, "constraints", index))
    for name, resource in template.resources.items():
        yield from keys(resource, ("resources", name))
        policy = resource.deletion_policy
        if isinstance(policy, str) and policy.islower():
            yield ("resources", name, "deletion_policy"), f"deletion policy {policy!r} in lower case", "2016-10-14"
    for name, output in template.outputs.items():
        for path, words, since in keys(output, ("outputs", name)):
            yield path, f"{words} (ignored in older versions)", since


_PSEUDO: Final = frozenset({"OS::stack_id", "OS::stack_name", "OS::project_id", "OS::region"})


def check_names(template: Template) -> list[Problem]:
    """Names that the engine refuses: a parameter called like a resource, ``/`` in a resource's name, parameter groups
    that name unknown parameters or one parameter twice, constraints that their parameter's type does not take."""
    problems = []
    for name in template.resources:
        if name in template.parameters:
            problems.append(Problem(("resources", name), f"'{name}' is the name of a parameter too"))
        if "/" in name:
            problems.append(Problem(("resources", name), "the name of a resource cannot contain '/'"))
    seen: set[Any] = set()
    for index, group in enumerate(template.parameter_groups or ()):
        for place, name in enumerate(group.parameters):
            path = ("parameter_groups", index, "parameters", place)
            if not isinstance(name, str) or (name not in template.parameters and name not in _PSEUDO):
                problems.append(Problem(path, f"there is no parameter {name!r}"))
            elif name in seen:
                problems.append(Problem(path, f"parameter '{name}' is in a group already"))
            else:
                seen.add(name)
    for name, parameter in template.parameters.items():
        for index, constraint in enumerate(parameter.constraints or ()):
            if parameter.type and parameter.type not in CONSTRAINT_TYPES[kind_of(constraint)]:
                text = f"a {parameter.type} parameter cannot have '{kind_of(constraint)}'"
                problems.append(Problem(("parameters", name, "constraints", index), text))
    return problems
