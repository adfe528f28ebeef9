"""The oracle's script that takes over (takeover.py), prepared once; each of its steps runs in a process of its own.

    takeover_driver.py FOLDER heat | cloudify [--plugin DIR] [--imports DIR] [--also DIR ...]

FOLDER has the script. A request is a line of JSON: {verb, document, folder, template, values, environments, cloud,
timeout, before, changed}: ``before`` is the template of which a stack is created before it is updated to the document,
``changed`` the one that it is updated to in the end. The answer is what the verb prints, and of what was deployed what
run.py asks for.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

#: of a deployment, what the one who asks for it reads
_READ: Final = ("stage", "inputs", "failures", "mended", "types", "not_run", "outputs")


def answered(takeover: Any, driver: Any, request: dict[str, Any], options: Any) -> dict[str, Any]:
    """What a verb of the script yields."""
    deployed: dict[str, Any] = {}
    deploy = driver.deploy

    def deploying(*arguments: Any, **named: Any) -> dict[str, Any]:
        deployed.update(deploy(*arguments, **named, **(request.get("cloud") or {})))
        return deployed

    driver.deploy = deploying
    if "before" in request:
        created_before(driver, request["before"])
    if "changed" in request:
        changed_afterwards(driver, request["changed"])
    if request["verb"] == "heat-create":
        show_attributes(driver, Path(request["folder"]))
    given = json.dumps(request.get("values") or {})
    asked = SimpleNamespace(
        document=request["document"],
        folder=request["folder"],
        template=request.get("template"),
        params=given,
        inputs=given,
        environment=request.get("environments") or [],
        **vars(options),
    )
    result = getattr(takeover, request["verb"].replace("-", "_"))(asked)
    if request["verb"] == "cloudify-create" and result["ok"]:
        show_servers(takeover, Path(request["folder"]))
    if request["verb"] == "heat-create" and result["ok"]:
        result["left"] = left_by_its_own(takeover, driver)
    cloud = deployed.get("cloud") or {}
    seen = {key: deployed[key] for key in _READ if key in deployed}
    unseen = {"refused": cloud.get("refused"), "unknown": cloud.get("unknown")}
    return {**seen, **result, "cloud": unseen}


def created_before(driver: Any, template: str) -> None:
    """Let a stack be created of another template, and then be updated."""
    service = driver.ENGINE.service
    create = service.create_stack

    def created(context: Any, name: str, body: Any, environment: Any, files: Any, arguments: Any) -> Any:
        service.create_stack = create
        made = create(context, name, json.loads(template), environment, files, arguments)
        service.update_stack(context, made, body, environment, files, arguments)
        return made

    service.create_stack = created


def changed_afterwards(driver: Any, template: str) -> None:
    """Let the second update be one to another template."""
    service = driver.ENGINE.service
    update, calls = service.update_stack, []

    def updated(context: Any, stack: Any, body: Any, *arguments: Any) -> Any:
        calls.append(body)
        return update(context, stack, json.loads(template) if len(calls) > 1 else body, *arguments)

    service.update_stack = updated


def left_by_its_own(takeover: Any, driver: Any) -> list[Any]:
    """What remains in the cloud when the stack is deleted by the engine that has created it."""
    service, context = driver.ENGINE.service, driver.context()
    for stack in service.list_stacks(context):
        service.delete_stack(context, stack["stack_identity"])
    return sorted(map(list, takeover.created(driver.CLOUD.cloud)))


def show_attributes(driver: Any, folder: Path) -> None:
    """Let a deployment keep what 'openstack stack resource show -f json' prints of each resource."""
    listing, api = driver.listing, importlib.import_module("heat.engine.api")

    def listed(stack: Any) -> Any:
        folder.mkdir(parents=True, exist_ok=True)
        shown = {name: {"attributes": api.format_resource_attributes(one)} for name, one in stack.items()}
        (folder / "attributes.json").write_text(json.dumps(shown, default=driver.plain), "utf-8")
        driver.listing = listing
        return listing(stack)

    driver.listing = listed


def show_servers(takeover: Any, folder: Path) -> None:
    """Keep what 'openstack server show -f json' prints of the addresses of each server."""
    cloud, shown = takeover.load(str(folder)), {}
    for row in json.loads((folder / "node-instances.json").read_bytes()):
        properties = row["runtime_properties"] or {}
        if properties.get("type") == "server":
            _, _, answer = cloud.handle("GET", f"http://compute.fake/v2.1/servers/{properties['id']}", {}, None)
            shown[row["node_id"]] = {"addresses": answer["server"]["addresses"]}
    (folder / "attributes.json").write_text(json.dumps(shown), "utf-8")


def find_nothing_deleted(fake: Any) -> None:
    """Let no client find by name what is deleted: openstacksdk looks for an id that is gone as a name, and a name that
    is not known comes to exist."""
    query = fake.Cloud.query

    def queried(cloud: Any, kind: str, filters: dict[str, list[str]]) -> Any:
        return [] if cloud.deleted & set(filters.get("name", ())) else query(cloud, kind, filters)

    fake.Cloud.query = queried


def main() -> None:
    """Answer requests until there are none."""
    folder, language = sys.argv[1:3]
    sys.path[:0] = [folder, str(Path(__file__).parent)]
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--imports")
    parser.add_argument("--also", action="append", default=[])
    options = parser.parse_args(sys.argv[3:])
    takeover: Any = importlib.import_module("takeover")
    driver: Any = importlib.import_module(f"{language}_deploy")
    if language == "heat":
        importlib.import_module("heat_driver").quickened(driver)
        driver.prepare()
        cfg: Any = importlib.import_module("oslo_config.cfg")
        cfg.CONF.register_opt(cfg.IntOpt("rpc_response_timeout", default=60))
    else:
        driver.prepare(options.plugin)
        sys.path += options.also
    find_nothing_deleted(takeover.fake)
    driver.prepare = lambda *_: None
    values: Any = importlib.import_module("values")
    for line in sys.stdin:
        request = json.loads(line)
        values.forked(lambda: answered(takeover, driver, request, options), request.get("timeout", 120))  # noqa: B023


if __name__ == "__main__":
    main()
