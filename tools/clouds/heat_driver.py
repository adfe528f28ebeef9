"""The oracle's driver of Heat, made quicker: what every deployment would do alike is done once, before it forks.

    heat_driver.py FOLDER [options of heat_deploy.py, which is in FOLDER]

Runs with the engines' Python. Nothing of a deployment is kept: only modules that it imports late are imported early,
copies of the catalogue of services are made in a plainer way, and a process that lives for one deployment collects no
garbage.
"""

from __future__ import annotations

import copy
import gc
import importlib
import json
import os
import sys
import tempfile
from types import SimpleNamespace
from typing import Any

#: so much of a cloud that a deployment uses all clients that most need
TEMPLATE = """
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  volume: {type: OS::Cinder::Volume, properties: {size: 1}}
  server:
    type: OS::Nova::Server
    properties: {flavor: small, image: cirros, networks: [{network: {get_resource: net}}]}
"""


def imported(driver: Any) -> list[str]:
    """The modules that a process has after a deployment."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as template, tempfile.NamedTemporaryFile("r") as names:
        template.write(TEMPLATE)
        template.flush()
        child = os.fork()
        if child == 0:
            try:
                driver.deploy(template.name)
                with open(names.name, "w", encoding="utf-8") as out:
                    json.dump(sorted(sys.modules), out)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        found: list[str] = json.loads(names.read() or "[]")
    return found


def plain_copy(value: Any) -> Any:
    """A deep copy of data as JSON has it, of all else as usual."""
    if type(value) is dict:
        return {key: plain_copy(item) for key, item in value.items()}
    if type(value) is list:
        return [plain_copy(item) for item in value]
    return value if isinstance(value, (str, int, float, type(None))) else copy.deepcopy(value)


def quickened(driver: Any) -> None:
    """Let what a driver prepares once include what every deployment would do alike."""
    prepare = driver.prepare

    def prepared() -> None:
        prepare()
        for name in imported(driver):
            if name not in sys.modules:
                importlib.import_module(name)
        importlib.import_module("sqlalchemy.orm").configure_mappers()
        importlib.import_module("keystoneauth1.access.service_catalog").__dict__["copy"] = SimpleNamespace(
            deepcopy=plain_copy
        )
        gc.collect()
        gc.freeze()
        gc.disable()

    driver.prepare = prepared


def main() -> None:
    """Serve as the driver does."""
    sys.path.insert(0, sys.argv.pop(1))
    driver: Any = importlib.import_module("heat_deploy")
    quickened(driver)
    driver.main()


if __name__ == "__main__":
    main()
