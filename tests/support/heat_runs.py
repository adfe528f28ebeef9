"""Runs of the cases of ``corpus/hot``: with which parameters, and what both engines say."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import yaml
from corpus_cases import Case
from corpus_runs import STACK_ID, STACK_NAME
from engine_processes import ask
from yaml_as_engines import by_engine

from bpconvert.yamlio.document import load

#: calls whose value only exists at run time, or only in OpenStack
RUNTIME = {"get_attr", "get_resource", "resource_facade", "Fn::ResourceFacade", "Fn::GetAZs"}
RUNTIME_PARAMETERS = {"OS::stack_id", "OS::project_id"}


@dataclass
class Run:
    """One case with one set of parameters, and what both engines say. ``blueprint`` is None where there is none."""

    case: Case
    number: int
    given: dict[str, Any]
    heat: dict[str, Any] = field(default_factory=dict, repr=False)
    cloudify: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def id(self) -> str:
        return f"{self.case.name}-{self.number}"

    @cached_property
    def source(self) -> dict[str, Any]:
        found: dict[str, Any] = load(self.case.source.read_bytes()).data
        return found

    @cached_property
    def blueprint(self) -> dict[str, Any] | None:
        path = self.case.target
        found: dict[str, Any] | None = yaml.safe_load(path.read_bytes()) if path.exists() else None
        return found

    @property
    def types(self) -> str:
        """Which types the blueprint has: of a generation of the OpenStack plugin, or some that are known to nobody."""
        return "unknown" if self.case.engines.get("cloudify", {}).get("stub") else self.case.options.plugin

    @property
    def has_values(self) -> bool:
        """Both engines computed the values of the template."""
        return not self.case.is_mistake and bool(self.heat.get("ok")) and "outputs" in self.cloudify

    def inputs(self) -> dict[str, Any]:
        """Heat's values for the inputs that need one or were given; all others are left to their defaults. Where the
        conversion reports that a text has to be given as a number, it is."""
        declared = (self.blueprint or {}).get("inputs") or {}
        values = self.heat.get("parameters") or {}
        wanted = {
            name for name, schema in declared.items() if name in self.given or (schema or {}).get("default") is None
        }
        path = self.case.folder / "files" / "hot.inputs.yaml"
        from_file = yaml.safe_load(path.read_bytes()) if path.exists() else {}
        from_file = {name: value for name, value in from_file.items() if name not in self.given}
        numbers = {d.path[1] for d in self.case.outcome.diagnostics if d.code == "BPC218"}
        values = {name: int(value) if name in numbers else value for name, value in values.items()}
        return {name: values[name] for name in wanted & values.keys()} | from_file

    @property
    def decided(self) -> set[str]:
        """Names of the parameters whose values the conversion was given."""
        return {d.path[1] for d in self.case.outcome.diagnostics if d.code == "BPC514"}

    def renamed(self, section: str) -> set[str]:
        """Names of the section's entries that are called otherwise in the blueprint."""
        return {d.path[1] for d in self.case.outcome.diagnostics if d.code == "BPC604" and d.path[:1] == (section,)}


def heat_request(run: Run) -> dict[str, Any]:
    """What to ask Heat: unknown types are errors, what is not given is invented, the case has the last word."""
    return {
        "template": str(run.case.source),
        "files_root": str(run.case.folder),
        "params": run.given,
        "runtime": {"stack_name": STACK_NAME, "stack_id": STACK_ID},
        "fake_params": True,
        "fake_attrs": True,
        "strict_types": True,
        **_as_sent(run.case),
        **run.case.engines.get("heat", {}),
    }


def _as_sent(case: Case) -> dict[str, str]:
    """The template as clients send it, where that makes a difference: they parse the file and send JSON, in which all
    keys are texts (heatclient/common/template_utils.py, ``get_template_contents``)."""
    data = None if case.is_mistake else by_engine(case.source.read_bytes())
    return {} if _has_texts_for_keys(data) else {"text": json.dumps(data)}


def _has_texts_for_keys(data: Any) -> bool:
    rows = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return all((isinstance(data, list) or isinstance(key, str)) and _has_texts_for_keys(item) for key, item in rows)


def ask_heat(command: list[str], runs: list[Run]) -> list[dict[str, Any]]:
    """Heat's answers to the runs, each asked for once in a session."""
    new = [run for run in runs if run.id not in _ANSWERS]
    _ANSWERS.update(zip([run.id for run in new], ask(command, [heat_request(run) for run in new]), strict=True))
    return [_ANSWERS[run.id] for run in runs]


#: id of a run -> Heat's answer
_ANSWERS: Final[dict[str, dict[str, Any]]] = {}


def needs_run_time(value: Any, resources: dict[str, Any]) -> bool:
    """True if a value holds a call that only the running stack answers."""
    if isinstance(value, list):
        return any(needs_run_time(item, resources) for item in value)
    if not isinstance(value, dict):
        return False
    return any(
        (key in RUNTIME and not is_given(key, item, resources))
        or (key in ("Ref", "get_param") and isinstance(item, str) and item in RUNTIME_PARAMETERS | resources.keys())
        or needs_run_time(item, resources)
        for key, item in value.items()
    )


def is_given(name: str, argument: Any, resources: dict[str, Any]) -> bool:
    """True for a call that yields what the template gives to a resource that is nothing but a value."""
    if name != "get_attr" or not isinstance(argument, list) or not isinstance(argument[0], str):
        return False
    resource = resources.get(argument[0], {})
    return resource.get("type") == "OS::Heat::Value" and not needs_run_time(resource["properties"], resources)
