"""The command: records the clouds of cases of the corpus, and why there is none of the others."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import cloud_cases as cases
import cloud_oracle as oracle
from cloud_files import written
from cloud_table import Table
from corpus_cases import CFY, HOT, Case, cases_of
from recording import Outcome, Recorder


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/clouds",
        description="Deploys the blueprints of the corpus with the real OpenStack plugin, in a fake OpenStack, and "
        "writes what stands there afterwards to cloud.json in each case.",
    )  # fmt: skip
    parser.add_argument("cases", nargs="*", metavar="CASE", help="folders or names (hot/NAME, cfy/NAME); default: all")
    parser.add_argument("--plugin", type=Path, required=True, help="checkout of cloudify-openstack-plugin 3.x")
    parser.add_argument("--also", type=Path, action="append", default=[], help="checkout of cloudify-utilities-plugin")
    parser.add_argument(
        "--heat", default=os.environ.get("BPCONVERT_ENGINES_PYTHON", sys.executable),
        help="Python with openstack-heat (default: BPCONVERT_ENGINES_PYTHON)",
    )  # fmt: skip
    parser.add_argument(
        "--cloudify", default=os.environ.get("BPCONVERT_CLOUDIFY_PYTHON", sys.executable),
        help="Python with cloudify-common and openstacksdk 0.53 (default: BPCONVERT_CLOUDIFY_PYTHON)",
    )  # fmt: skip
    parser.add_argument("--stale", action="store_true", help="only what is not known, or known of another blueprint")
    parser.add_argument("--afresh", action="store_true", help="do not keep the values that were given before")
    return parser.parse_args(arguments)


def recorder(options: argparse.Namespace) -> Recorder:
    """Both engines, or what is missing for them."""
    compare, run = oracle.modules()
    described = options.plugin / "plugin.yaml"
    if not described.exists() or not (options.plugin / "openstack_plugin").is_dir():
        raise oracle.Missing(f"{options.plugin} is no checkout of cloudify-openstack-plugin 3.x")
    for python, module, name in (
        (options.heat, "heat.engine", "--heat: a Python with openstack-heat"),
        (options.cloudify, "dsl_parser, openstack", "--cloudify: a Python with cloudify-common and openstacksdk 0.53"),
    ):
        if not oracle.can(python, module):
            raise oracle.Missing(f"{name} (see {oracle.FOLDER}/README.md); {python} is none")
    version = re.search(r"package_version: *['\"]?([\w.]+)", described.read_text(encoding="utf-8"))
    heat = oracle.heat(run, options.heat)
    cloudify = oracle.cloudify(run, options.cloudify, options.plugin, options.also)
    return Recorder(compare, run, heat, cloudify, f"cloudify-openstack-plugin {version[1] if version else '?'}")


def chosen(names: Sequence[str]) -> list[Case]:
    """The cases that are named, or all; those whose blueprint has nothing of OpenStack are left out."""
    wanted = {"/".join(Path(name).resolve().parts[-2:]) if "/" in name else name for name in names}
    known = (*cases_of(HOT), *cases_of(CFY))
    found = [case for case in known if not wanted or wanted & {f"{case.language}/{case.name}", case.name}]
    return [case for case in found if cases.has_openstack_nodes(case) and not case.is_mistake]


def is_stale(case: Case, table: Table) -> bool:
    """True if nothing is known of the case, or what was recorded is of another blueprint."""
    path = cases.recorded_in(case)
    if not path.exists():
        return case.id not in table.without
    return bool(json.loads(path.read_bytes())["blueprint"] != cases.digest_of(case))


def tried(recorder: Recorder, case: Case) -> Outcome:
    """What is found of a case; one that breaks the recorder does not stop the others."""
    try:
        return recorder.record(case)
    except Exception as error:
        text = f"the recorder fails: {str(error)[:300]}"
        return Outcome(why=text, unexplained=[text])


def kept(case: Case, outcome: Outcome, table: Table) -> str:
    """Write what was found of a case; -> one line about it."""
    path = cases.recorded_in(case)
    table.put(case, outcome)
    if outcome.cloud is None:
        path.unlink(missing_ok=True)
        return f"{case.id}: none, {outcome.why}{f' ({outcome.code})' if outcome.code else ''}"
    path.write_text(written(outcome.cloud), encoding="utf-8")
    clouds = outcome.cloud["clouds"]
    lines = sum(len(cloud["differences"]) + len(cloud["faults"]) for cloud in clouds)
    return f"{case.id}: {len(clouds)} clouds, {lines} differences, {len(outcome.unexplained)} of them unexplained"


def main(arguments: Sequence[str] | None = None) -> int:
    options = parsed(arguments)
    try:
        found = recorder(options)
    except oracle.Missing as missing:
        print(f"tools/clouds: {missing}", file=sys.stderr)
        return 2
    todo = chosen(options.cases)
    if options.afresh:
        for case in todo:
            cases.recorded_in(case).unlink(missing_ok=True)
    table = Table.read()
    if options.stale:
        todo = [case for case in todo if is_stale(case, table)]
    with ThreadPoolExecutor(2) as pool:
        for case, outcome in zip(todo, pool.map(partial(tried, found), todo), strict=True):
            print(kept(case, outcome, table), flush=True)
            table.write()
    found.heat.close()
    found.cloudify.close()
    return 0
