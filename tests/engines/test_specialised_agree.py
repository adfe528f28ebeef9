"""Decided parameters: what Cloudify computes without any input is what Heat computes with those parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus_cases import HOT, Case, cases_of
from corpus_runs import SYSTEM, ask_cloudify, cloudify_command, heat_command, same, second_generation
from heat_runs import Run, ask_heat, needs_run_time

from bpconvert import Fidelity, Result, convert
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.engines

#: fewer outputs than this are compared only if the comparison itself is broken
FEWEST_OUTPUTS = 200


def specialised(case: Case, values: dict[str, Any], folder: Path) -> tuple[Result, Path]:
    """The blueprint with these values decided, in a folder with the files of its bundle."""
    options = case.options._replace(params=values, carry=False)
    result = convert(case.source, "hot", "cloudify", options=options)
    place = folder / case.name
    for name, text in {"blueprint.yaml": result.text, **result.files}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return result, place / "blueprint.yaml"


def expected(case: Case, heat: dict[str, Any], result: Result) -> dict[str, Any]:
    """The outputs that do not depend on the run time, and about which nothing is said that explains a difference."""
    source = load(case.source.read_bytes()).data
    told = {d.path[1] for d in result.diagnostics if d.fidelity >= Fidelity.APPROXIMATED and d.path[:1] == ("outputs",)}
    told |= {d.path[1] for d in result.diagnostics if d.code == "BPC604" and d.path[:1] == ("outputs",)}
    resources = source.get("resources") or {}
    return {
        name: heat["outputs"][name]["value"]
        for name, output in (source.get("outputs") or {}).items()
        if name not in told and "error" not in heat["outputs"][name] and not needs_run_time(output["value"], resources)
    }


def test_outputs(engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    engines = heat_engine.parent
    cases = [case for case in cases_of(HOT) if case.target.exists() and not _is_special(case)]
    runs = [Run(case, 0, case.engines.get("parameters", [{}])[0]) for case in cases]
    answers = ask_heat(heat_command(engines_python, engines), runs)
    compared, different = 0, []
    for plugin, options in (("v3", []), ("v2", second_generation(engines, "plugin:cloudify-openstack-plugin"))):
        both = zip(cases, answers, strict=True)
        chosen = [(case, heat) for case, heat in both if case.options.plugin == plugin and heat["ok"]]
        made = [
            specialised(case, {k: v for k, v in heat["parameters"].items() if not k.startswith("OS::")}, tmp_path)
            for case, heat in chosen
        ]
        requests = [
            {
                "blueprint": str(path),
                "inputs": _given(result),
                "runtime": {"sys": SYSTEM},
                "options": {"synthesize": True, "strict": False},
            }
            for result, path in made
        ]
        found = ask_cloudify(cloudify_command(engines_python, engines, *options), requests)
        for (case, heat), (result, _), answer in zip(chosen, made, found, strict=True):
            cloudify = answer["result"]
            if cloudify.get("error") is not None:
                different.append(f"{case.name}: {cloudify['error']}")
                continue
            wanted = expected(case, heat, result)
            compared += len(wanted)
            different += [
                f"{case.name}.{name}: Heat {value!r}, Cloudify {cloudify['outputs'].get(name)!r}"
                for name, value in wanted.items()
                if not same(cloudify["outputs"].get(name), value)
            ]
    print(f"{compared} outputs compared")
    assert not different, "\n".join(different)
    assert compared >= FEWEST_OUTPUTS


def _is_special(case: Case) -> bool:
    """True for a case with mistakes, or with node types that nobody else knows."""
    return case.is_mistake or bool(case.engines.get("cloudify", {}).get("stub"))


def _given(result: Result) -> dict[str, Any]:
    """What the conversion says is to be given when deploying."""
    names = [name for name in result.files if name.endswith(".inputs.yaml")]
    return {key: value for name in names for key, value in load(result.files[name]).data.items()}
