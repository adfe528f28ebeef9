"""One process that answers requests: what it says is what the library returns, and no line ends it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from checkout import ROOT

from bpconvert import check, convert
from bpconvert.options import Options
from bpconvert.serving import LONGEST, ConvertOptions, answer, schema

HOT = "heat_template_version: 2018-08-31\nresources: {n: {type: OS::Neutron::Net, properties: {name: x}}}\n"
SCHEMA = schema()


def asked(**request: Any) -> dict[str, Any]:
    """The answer to a request; both are as the schema says."""
    line = json.dumps(request)
    found: dict[str, Any] = json.loads(json.dumps(answer(line.encode())))
    jsonschema.validate(found, SCHEMA)
    if found.get("error", {}).get("kind") != "request":
        jsonschema.validate(json.loads(line), SCHEMA)
    return found


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "bpconvert", "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        yield running
        running.kill()


@pytest.mark.parametrize("case", ["block-scalars", "whole-application", "condition-on-resource"])
@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_conversion_is_that_of_the_library(case: str, target: str) -> None:
    place = next(iter((ROOT / "corpus" / "hot" / case).glob("hot.yaml")), None)
    if place is None:
        pytest.skip("no such case")
    expected = convert(place, None, target)
    found = asked(id=case, do="convert", path=str(place), target=target)
    assert (found["id"], found["ok"], found["text"], found["files"]) == (case, True, expected.text, expected.files)
    assert found["fidelity"] == str(expected.fidelity)
    assert {one["code"] for one in found["findings"]} == {one.code for one in expected.diagnostics}


def test_texts_and_options(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("echo 1\n")
    text = HOT.replace("{name: x}", "{name: {get_file: run.sh}}")
    name = str(tmp_path / "t.yaml")
    options = {"carry": False, "files": "copy"}
    found = asked(do="convert", text=text, name=name, options=options)
    expected = convert(text, name=name, carry=False, files="copy")
    assert (found["text"], found["files"]) == (expected.text, expected.files)
    assert found["files"]


def test_check_and_hello() -> None:
    text = HOT.replace("name: x", "nam: x")
    found = asked(id=7, do="check", text=text)
    assert [(one["code"], one["line"]) for one in found["findings"]] == [(o.code, o.span.line) for o in check(text)]
    assert asked(id=1.5, do="hello")["version"]


def test_options_are_those_of_the_library() -> None:
    assert {*ConvertOptions.model_fields} == {*Options._fields} - {"running", "nearby", "by_path"}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"{", "request"),
        (b"[]", "request"),
        (b"\xff\xfe", "request"),
        (b"[" * 100_000, "request"),
        (b'{"do": "convert"', "request"),
        (b'{"do": "delete", "path": "x"}', "request"),
        (b'{"do": "convert", "text": "a", "odd": 1}', "request"),
        (b'{"do": "convert", "text": 3}', "request"),
        (b'{"do": "convert", "text": "a: 1", "options": {"carry": "yes"}}', "request"),
        (b'{"do": "hello", "id": NaN}', "request"),
        (b'{"do": "convert"}', "usage"),
        (b'{"do": "convert", "text": "a: 1", "path": "x"}', "usage"),
        (b'{"do": "convert", "text": "a: 1", "target": "x"}', "usage"),
        (b'{"do": "convert", "text": "a: 1", "options": {"plugin": "v9"}}', "usage"),
        (b'{"do": "convert", "text": "a: 1"}', "source"),
        (b'{"do": "check", "text": "a: ["}', "source"),
        (b'{"do": "convert", "text": "a: \\ud800"}', "source"),
        (b'{"do": "convert", "path": "/nowhere/x.yaml"}', "file"),
        (b'{"do": "convert", "path": "a\\u0000b"}', "internal"),
    ],
)
def test_what_goes_wrong_is_answered(line: bytes, kind: str) -> None:
    found = answer(line)
    jsonschema.validate(json.loads(json.dumps(found)), SCHEMA)
    assert (found["ok"], found["error"]["kind"]) == (False, kind)
    assert "\n" not in found["error"]["message"]
    assert bool(found.get("findings")) is (kind == "source")


def test_the_process_goes_on(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    lines = [b"no json\n", b"\n", json.dumps({"id": 1, "do": "convert", "text": HOT}).encode() + b"\n"]
    process.stdin.write(b"".join(lines))
    process.stdin.flush()
    first, second = (json.loads(process.stdout.readline()) for _ in range(2))
    assert (first["ok"], second["id"], second["text"]) == (False, 1, convert(HOT).text)
    process.stdin.write(b"x" * (LONGEST + 10) + b"\n" + b'{"id": 2, "do": "hello"}')
    process.stdin.close()
    rest = [json.loads(line) for line in process.stdout]
    assert [(one["id"], one["ok"]) for one in rest] == [(None, False), (2, True)]
    assert process.wait(30) == 0


def test_a_reader_that_goes_away(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    process.stdin.write(b'{"do": "hello"}\n')
    process.stdin.close()
    assert process.wait(30) == 141


def test_the_schema_is_printed_and_published() -> None:
    done = subprocess.run([sys.executable, "-m", "bpconvert", "serve", "--schema"], capture_output=True, check=True)
    assert json.loads(done.stdout) == SCHEMA == json.loads((ROOT / "bpconvert/serve.schema.json").read_text())
