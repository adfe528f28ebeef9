"""Installs blueprints with Cloudify's local workflow engine. Run by a Python that has cloudify-common.

Each line of the input is the path of a blueprint, each line of the output {"outputs": ...} or {"error": ...}.
The argument is the folder with types.yaml. Scripts run for real, plugins are not there."""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import Any

import yaml


def read(inputs: str) -> Any:
    """The values of a file with inputs; none where it is not there."""
    if not os.path.exists(inputs):
        return {}
    with open(inputs, encoding="utf-8") as file:
        return yaml.safe_load(file)


def installed(blueprint: str, types: str) -> dict[str, Any]:
    """The outputs of a blueprint after the workflow ``install``."""
    from cloudify.workflows import local
    from dsl_parser import functions
    from dsl_parser.import_resolver.default_import_resolver import DefaultImportResolver

    class Resolver(DefaultImportResolver):  # type: ignore[misc]
        def fetch_import(self, import_url: str, dsl_version: str = "1_3", **_: Any) -> str:
            own = os.path.join(types, f"types_{dsl_version}.yaml")
            path = own if import_url.endswith("/types.yaml") else import_url.partition("file:")[2]
            with open(path) as file:
                return file.read()

    try:
        inputs = blueprint.replace(".yaml", ".inputs.yaml")  # defaults that no blueprint can have
        environment = local.init_env(blueprint, name="local", inputs=read(inputs), resolver=Resolver())
        for node in environment.plan["nodes"]:  # a manager evaluates the inputs of operations when they run
            for operation in node["operations"].values():
                operation.setdefault("has_intrinsic_functions", True)
        environment.execute("install", task_retries=0, task_retry_interval=0)
        found = functions.evaluate_outputs(environment.plan["outputs"], environment.storage)
        return {"outputs": json.loads(json.dumps(found))}
    except Exception as wrong:
        return {"error": f"{type(wrong).__name__}: {wrong}"}


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        print(json.dumps(installed(line.strip(), sys.argv[1])), file=answers, flush=True)
