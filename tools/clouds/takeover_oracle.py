"""The oracle's script that takes over, as a process that stays (``takeover_driver.py``)."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cloud_oracle

Json = dict[str, Any]
_SCRIPT: Final = str(Path(__file__).with_name("takeover_driver.py"))


class Driver:
    """A driver of one engine; one request at a time."""

    def __init__(self, *command: str) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self.request: Json = {}

    def run(self, verb: str, timeout: int = 120, **request: Any) -> Json:
        """The answer of a verb of takeover.py."""
        self.request = {"verb": verb, "timeout": timeout, **request}
        return self(request["document"], request.get("values"), timeout)

    def __call__(self, document: str, values: Any = None, timeout: int = 120, cloud: Any = None) -> Json:
        """As run.py calls it, which gives a source what it lacks."""
        cloud = dict(cloud or {})
        more = {"environments": cloud.pop("environments", self.request.get("environments") or [])}
        request = {**self.request, **more, "document": str(document), "values": values, "cloud": cloud}
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request, default=str) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], timeout + 60)
        line = process.stdout.readline() if ready else ""
        if not line:
            self.close()
            return {"ok": False, "error": "the driver died", "writes": {}}
        answer: Json = json.loads(line)
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self._process = subprocess.Popen(
                self._command, **pipes, text=True, env={**os.environ, "PYTHONHASHSEED": "0"}
            )
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None


def heat(python: str) -> Driver:
    """The driver of Heat."""
    return Driver(python, _SCRIPT, str(cloud_oracle.FOLDER), "heat")


def cloudify(python: str, plugin: Path, also: Sequence[Path] = ()) -> Driver:
    """The driver of Cloudify with the OpenStack plugin's code."""
    further = [word for path in also for word in ("--also", str(path.resolve()))]
    options = ["--plugin", str(plugin.resolve()), "--imports", str(cloud_oracle.ENGINES / "imports"), *further]
    return Driver(python, _SCRIPT, str(cloud_oracle.FOLDER), "cloudify", *options)
