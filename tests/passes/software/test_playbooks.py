"""What playbooks publish is found in their own text, and kept by a file beside them."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from checkout import CORPUS

from bpconvert.api import convert
from bpconvert.translators.cloudify import playbooks
from bpconvert.translators.passes.software.playbooks import published

TASKS = "- hosts: all\n  tasks:\n"


@pytest.mark.parametrize(
    ("tasks", "names"),
    [
        ("    - set_stats: {data: {a: 1, b: [2]}}\n", ["a", "b"]),
        (
            "    - block: [{ansible.builtin.set_stats: {data: {a: 1}}}]\n    - set_stats: {data: {a: 2, c: 3}}\n",
            ["a", "c"],
        ),
        ("    - set_stats: {data: {a: 1}, per_host: true}\n", []),
        ("    - set_stats: {data: '{{ all }}'}\n", []),
        ("    - set_stats: {data: {'{{ name }}': 1, b: 2}}\n", ["b"]),
        ("    - debug: {msg: set_stats}\n", []),
        ("    - set_stats: {data: [\n", []),
    ],
)
def test_what_all_hosts_publish_is_known_by_its_names(tasks: str, names: list[str]) -> None:
    assert published(TASKS + tasks) == names
    assert published(None) == []


@pytest.mark.parametrize(
    ("kind", "failures", "calls"),
    [
        ("node-instance", {}, [["instance", "runtime-properties", "a", '@{"b": [1]}'], ["instance", "update"]]),
        (
            "relationship-instance",
            {},
            [["source", "instance", "runtime-properties", "a", '@{"b": [1]}'], ["source", "instance", "update"]],
        ),
        ("node-instance", {"web": 1}, []),
    ],
)
def test_what_is_published_is_given_to_the_command_of_the_operation(
    kind: str, failures: dict[str, int], calls: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, command = tmp_path / "log", tmp_path / "ctx"
    command.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"log = open({str(log)!r}, 'a') if sys.argv[1:] != ['type'] else None\n"
        f"log.write(json.dumps(sys.argv[1:]) + '\\n') if log else print({kind!r})\n"
    )
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CTX_SOCKET_URL", "http://localhost:1")
    plugin = playbooks.KEEPS.replace("from ansible.plugins.callback import CallbackBase", "CallbackBase = object")
    made: dict[str, Any] = {}
    exec(compile(plugin, playbooks.KEEPER, "exec"), made)
    assert made["subprocess"] is subprocess
    stats = SimpleNamespace(custom={"_run": {"a": {"b": [1]}}}, failures=failures, dark={})
    made["CallbackModule"]().v2_playbook_on_stats(stats)
    assert [json.loads(line) for line in log.read_text().splitlines()] == calls if calls else not log.exists()


def test_the_user_of_playbooks_has_a_default_and_their_key_has_none() -> None:
    source = CORPUS / "tosca" / "playbooks-with-files-in-a-blueprint" / "tosca.yaml"
    inputs = yaml.safe_load(convert(source, "tosca", "cloudify", client_config="inputs").text)["inputs"]
    assert inputs["agent_user"]["default"] == "centos"
    assert "default" not in inputs["agent_private_key"]
