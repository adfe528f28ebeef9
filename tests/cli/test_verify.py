"""``bpconvert verify``: what it prints, and how it ends. What it compares is in ``tests/verify``."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bpconvert import verification
from bpconvert.cli.main import main
from bpconvert.diagnostics import Span, UsageError
from bpconvert.engines.client import EngineFailed, EngineMissing
from bpconvert.models.expressions import MISSING
from bpconvert.translators.comparing.filling import REFUSED
from bpconvert.verification import Difference, Verification

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  env: {type: string, default: test}
  size: {type: number}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: env}}}
outputs:
  project: {value: {get_param: "OS::project_id"}}
"""
BLUEPRINT = "tosca_definitions_version: cloudify_dsl_1_3\ninputs: {env: {default: test}, size: {}}\n"

Answer = Callable[..., Verification]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "app.yaml").write_text(TEMPLATE)
    (tmp_path / "blueprint.yaml").write_text(BLUEPRINT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the library is asked for; ``answer`` is what it answers."""
    kept: dict[str, Any] = {"answer": Verification(compared=4, equal=4)}

    def verify(first: Any, second: Any, **choices: Any) -> Verification:
        kept.update(choices, first=first, second=second)
        if isinstance(kept["answer"], Exception):
            raise kept["answer"]
        answer: Verification = kept["answer"]
        return answer

    monkeypatch.setattr(verification, "verify", verify)
    return kept


def difference(what: str = "net.name", first: Any = "a", second: Any = "b", **more: Any) -> Difference:
    places = (Span("app.yaml", 6, 51), Span("blueprint.yaml", 2, 9))
    return Difference(what, first, second, *places, more.get("inputs", {}), more.get("codes", ()))


def test_the_same(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 0
    assert capsys.readouterr() == ("", "bpconvert: 4 values compared, 4 equal: the same\n")
    assert (asked["first"], asked["second"]) == (Path("app.yaml"), Path("blueprint.yaml"))
    assert (asked["inputs"], asked["draws"], asked["seed"], asked["engines"]) == (None, 5, 0, False)


def test_options_reach_the_library(folder: Path, asked: dict[str, Any]) -> None:
    (folder / "values.yaml").write_text("size: 3\nenv: lab\n")
    words = ["--param", "env=prod", "--params-file", "values.yaml", "--draws", "2", "--seed", "7", "--allow-outside"]
    (folder / "site.yaml").write_text("resource_registry: {}\n")
    assert main(["verify", "app.yaml", "blueprint.yaml", *words, "-e", "site.yaml"]) == 0
    assert asked["inputs"] == {"size": 3, "env": "prod"}
    assert (asked["draws"], asked["seed"]) == (2, 7)
    assert (asked["options"].allow_outside, asked["options"].environments) == (True, ("site.yaml",))


def test_differences_have_both_places_and_the_draw(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    found = difference(inputs={"env": "prod", "size": 3}, codes=("BPC203",))
    asked["answer"] = Verification(5, 4, differences=[found])
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "app.yaml:6:51: net.name is 'a'",
        "blueprint.yaml:2:9: net.name is 'b'",
        "    with env=prod, size=3",
        "    reported by BPC203",
    ]
    assert printed.err == "bpconvert: 5 values compared, 4 equal; different at 1 place: 1 reported, 0 silent\n"


def test_inputs_that_have_their_defaults_are_not_printed(
    asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    asked["answer"] = Verification(1, 0, differences=[difference(inputs={"env": "test", "size": [1, "a b"]})])
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 1
    assert capsys.readouterr().out.splitlines()[2:] == ['    with size=[1, "a b"]']
    assert main(["verify", "-v", "app.yaml", "blueprint.yaml"]) == 1
    assert capsys.readouterr().out.splitlines()[2:] == ['    with env=test, size=[1, "a b"]']


def test_many_inputs_are_cut(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    inputs = {"long": "x" * 300, **{f"name{i}": "y" * 20 for i in range(9)}}
    asked["answer"] = Verification(1, 0, differences=[difference(inputs=inputs)])
    main(["verify", "app.yaml", "blueprint.yaml"])
    assert capsys.readouterr().out.splitlines()[2] == f"    with long={'x' * 92}..., and 9 more"


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        (MISSING, 1, ["is not there", "is 1"]),
        ("1", 1, ["is '1'", "is 1"]),
        (REFUSED, None, ["cannot be computed", "is None"]),
        ([1, REFUSED], [1, 2], ["is [1, REFUSED]", "is [1, 2]"]),
        ("\x1b[31mred", "", ["is '\\x1b[31mred'", "is ''"]),
    ],
)
def test_values(
    asked: dict[str, Any], capsys: pytest.CaptureFixture[str], first: Any, second: Any, lines: list[str]
) -> None:
    asked["answer"] = Verification(1, 0, differences=[difference("net", first, second)])
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 1
    assert [line.split(": net ")[1] for line in capsys.readouterr().out.splitlines()] == lines


def test_of_long_values_the_part_that_differs_is_printed(
    asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    asked["answer"] = Verification(1, 0, differences=[difference("net", "a" * 500 + "left", "a" * 500 + "right")])
    main(["verify", "app.yaml", "blueprint.yaml"])
    assert [line.split(": net ")[1] for line in capsys.readouterr().out.splitlines()] == [
        f"is ...{'a' * 20}left'",
        f"is ...{'a' * 20}right'",
    ]
    main(["verify", "--verbose", "app.yaml", "blueprint.yaml"])
    assert len(capsys.readouterr().out) > 1000


def test_the_first_of_many(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    asked["answer"] = Verification(30, 0, differences=[difference(f"n{i}") for i in range(30)])
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[-1]) == (41, "... and at 10 more places (--limit 0 shows all)")
    main(["verify", "--limit", "0", "app.yaml", "blueprint.yaml"])
    assert len(capsys.readouterr().out.splitlines()) == 60


def test_what_is_told_can_be_allowed(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    told, silent = difference("told", codes=("BPC203",)), difference("silent")
    asked["answer"] = Verification(3, 2, differences=[told])
    assert main(["verify", "--allow-reported", "app.yaml", "blueprint.yaml"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["verify", "--allow-reported", "-v", "app.yaml", "blueprint.yaml"]) == 0
    assert "told is 'a'" in capsys.readouterr().out
    asked["answer"] = Verification(3, 1, differences=[told, silent])
    assert main(["verify", "--allow-reported", "app.yaml", "blueprint.yaml"]) == 1
    printed = capsys.readouterr()
    assert [line.split(": ")[1] for line in printed.out.splitlines()] == ["silent is 'a'", "silent is 'b'"]
    assert printed.err.endswith("different at 2 places: 1 reported, 1 silent\n")


def test_findings_of_the_conversion_are_passed_on(asked: dict[str, Any]) -> None:
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 0
    assert "BPC202" in {found.code for found in asked["reported"]()}
    assert main(["verify", "app.yaml", "app.yaml"]) == 0
    assert asked["reported"]() == []


def test_what_was_only_said_in_other_words_is_silent(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    asked["answer"] = Verification(1, 0, differences=[difference(codes=("BPC223",))])
    assert main(["verify", "--allow-reported", "app.yaml", "blueprint.yaml"]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[2:] == ["    not reported, but expressed differently by BPC223"]
    assert printed.err.endswith(": 0 reported, 1 silent\n")


def test_inputs_that_the_second_does_not_have_were_decided(folder: Path, asked: dict[str, Any]) -> None:
    query = "{yaql: {expression: '$.data.len() > 2', data: {get_param: env}}}"  # Cloudify has none
    choice = f"{{if: [{query}, a, b]}}"
    (folder / "app.yaml").write_text(TEMPLATE.replace("{name: {get_param: env}}", f"{{name: {choice}}}"))
    main(["verify", "app.yaml", "blueprint.yaml", "--param", "env=prod"])
    assert "BPC201" in {found.code for found in asked["reported"]()}
    (folder / "blueprint.yaml").write_text("tosca_definitions_version: cloudify_dsl_1_3\ninputs: {size: {}}\n")
    main(["verify", "app.yaml", "blueprint.yaml", "--param", "env=prod"])
    assert "BPC201" not in {found.code for found in asked["reported"]()}


def test_notes(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    asked["answer"] = Verification(2, 2, differences=[], notes=["scripts of 'a'", "scripts of 'a'"])
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 0
    first, last = capsys.readouterr().err.splitlines()
    assert first == "bpconvert: not compared: scripts of 'a'"
    assert last.endswith("the same")
    assert main(["verify", "-q", "app.yaml", "blueprint.yaml"]) == 0
    assert capsys.readouterr() == ("", "")


def test_documents_that_could_not_be_compared_are_not_the_same(
    asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    asked["answer"] = Verification(0, 0, differences=[], notes=["app.yaml is refused: no such type"])
    assert main(["verify", "-q", "app.yaml", "blueprint.yaml"]) == 2
    assert capsys.readouterr().err == "bpconvert: not compared: app.yaml is refused: no such type\n"
    assert main(["verify", "--format", "json", "app.yaml", "blueprint.yaml"]) == 2
    asked["answer"] = Verification()
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 0
    assert capsys.readouterr().err == "bpconvert: nothing to compare\n"


def test_json(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    found = [difference(inputs={"env": "x"}, codes=("BPC203",)), difference("n", MISSING, REFUSED)]
    asked["answer"] = Verification(9, 7, differences=found, notes=["a note"])
    assert main(["verify", "--format", "json", "--limit", "1", "app.yaml", "blueprint.yaml"]) == 1
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert printed.err == ""
    assert report["command"] == "verify"
    assert report["files"] == [
        {"file": "app.yaml", "dialect": "hot"},
        {"file": "blueprint.yaml", "dialect": "cloudify"},
    ]
    one, other = report["differences"]
    assert one["first"] == {"state": "value", "value": "a", "file": "app.yaml", "line": 6, "column": 51}
    assert (one["what"], one["inputs"], one["codes"]) == ("net.name", {"env": "x"}, ["BPC203"])
    assert (other["first"]["state"], other["second"]["state"]) == ("missing", "refused")
    assert report["notes"] == ["a note"]
    assert report["summary"] == {
        "compared": 9,
        "equal": 7,
        "unequal_reported": 0,
        "unequal_reworded": 0,
        "known": 0,
        "differences": 2,
        "reported": 1,
        "silent": 1,
    }


def test_standard_input(asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(BLUEPRINT.encode())))
    assert main(["verify", "app.yaml", "-"]) == 0
    assert asked["second"] == BLUEPRINT.encode()


def test_an_input_that_nothing_declares(
    folder: Path, asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["verify", "app.yaml", "blueprint.yaml", "--param", "nobody=1", "--param", "env=a"]
    assert main(words) == 0
    warning = "bpconvert: warning: neither app.yaml nor blueprint.yaml has an input 'nobody'\n"
    assert capsys.readouterr().err.startswith(warning)
    (folder / "blueprint.yaml").write_text(BLUEPRINT + "imports: [inputs.yaml]\n")
    (folder / "inputs.yaml").write_text("tosca_definitions_version: cloudify_dsl_1_3\ninputs: {nobody: {}}\n")
    assert main(words) == 0
    assert "warning" not in capsys.readouterr().err


@pytest.mark.parametrize("problem", [EngineMissing, EngineFailed])
def test_an_engine_that_cannot_be_asked(
    asked: dict[str, Any], capsys: pytest.CaptureFixture[str], problem: type[Exception]
) -> None:
    asked["answer"] = problem("Heat is not installed: pip install 'bpconvert[engines]'")
    assert main(["verify", "--engines", "app.yaml", "blueprint.yaml"]) == 2
    assert asked["engines"] is True
    message = "bpconvert verify: error: Heat is not installed: pip install 'bpconvert[engines]'\n"
    assert capsys.readouterr().err == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["app.yaml"], "the following arguments are required: SECOND"),
        (["-", "-"], "can be one of them only"),
        (["app.yaml", "-", "--engines"], "the engines read files"),
        (["app.yaml", "missing.yaml"], "No such file or directory: missing.yaml"),
        ([".", "app.yaml"], "error: '.' is a directory and 'app.yaml' is not: compare two directories or two files"),
        (["app.yaml", "."], "error: '.' is a directory and 'app.yaml' is not: compare two directories or two files"),
        ([".", "-"], "error: '.' is a directory and '-' is not: compare two directories or two files"),
        ([".", "missing"], "'missing' is not: compare two directories"),
        (["app.yaml", "other.yaml"], "BPC131"),
        (["app.yaml", "broken.yaml"], "broken.yaml:2:1: error BPC101"),
        (["app.yaml", "blueprint.yaml", "--draws", "-1"], "no number of 0 or more"),
        (["app.yaml", "blueprint.yaml", "--param", "env"], "is not NAME=VALUE"),
        (["app.yaml", "blueprint.yaml", "--params-file", "none.yaml"], "none.yaml"),
        (["app.yaml", "blueprint.yaml", "--types", "none.yaml"], "none.yaml"),
        (["app.yaml", "blueprint.yaml", "-q", "-v"], "not allowed with"),
    ],
)
def test_what_cannot_be_done_ends_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    (folder / "other.yaml").write_text("a: 1\n")
    (folder / "broken.yaml").write_text("heat_template_version: [\n")
    assert main(["verify", *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


def test_a_value_that_an_input_does_not_take(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    asked["answer"] = UsageError("'many' is no number: size")
    assert main(["verify", "app.yaml", "blueprint.yaml", "--param", "size=many"]) == 2
    assert capsys.readouterr().err == "bpconvert verify: error: 'many' is no number: size\n"


def test_internal_errors_are_told(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    asked["answer"] = KeyError("x")
    assert main(["verify", "app.yaml", "blueprint.yaml"]) == 2
    assert "internal error: KeyError: 'x'" in capsys.readouterr().err


def test_help_names_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--help"]) == 0
    printed = capsys.readouterr().out
    assert "exit codes: 0 the same; 1 differences" in printed
    assert main(["--help"]) == 0
    assert "verify" in capsys.readouterr().out


def test_a_conversion_is_the_same_and_an_edit_is_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command and the library together."""
    assert main(["hot2cfy", "-q", "app.yaml", "-o", "made.yaml"]) == 0
    assert main(["verify", "--allow-reported", "app.yaml", "made.yaml"]) == 0
    assert main(["verify", "app.yaml", "app.yaml"]) == 0
    made = (folder / "made.yaml").read_text().replace("name: {get_input: env}", "name: other", 1)
    (folder / "made.yaml").write_text(made)
    capsys.readouterr()
    assert main(["verify", "--allow-reported", "app.yaml", "made.yaml"]) == 1
    first, second, *_ = capsys.readouterr().out.splitlines()
    line = 1 + made.splitlines().index("        name: other")
    assert first == "app.yaml:6:46: net.name is 'test'"
    assert second == f"made.yaml:{line}:9: net.name is 'other'"


GREEN = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: a}}\n"


def test_directories_are_compared_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one/same.yaml", "one/in/differs.yaml", "one/alone.yaml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(GREEN)
    assert main(["hot2cfy", "-q", "one", "-o", "two"]) == 0
    assert main(["verify", "one", "two"]) == 0
    assert "      3  the same\nbpconvert: " in capsys.readouterr().err
    changed = Path("two/in/differs.yaml").read_text().replace("name: a", "name: b", 1)
    Path("two/in/differs.yaml").write_text(changed)
    Path("two/alone.yaml").unlink()
    assert main(["verify", "one", "two"]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("one/in/differs.yaml:3:46: net.name is 'a'\ntwo/in/differs.yaml:")
    assert "one/alone.yaml: has no counterpart\n" in printed.err
    assert "      1  differ where no finding of the conversion reports it\n" in printed.err
    assert main(["verify", "one", "two", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["summary"] == {**report["summary"], "same": 1, "failed": 0, "silent": 1}
    assert report["only_in_first"] == ["one/alone.yaml"]
    Path("one/alone.yaml").unlink()
    assert main(["verify", "one", "two", "--write-baseline", "known.json"]) == 1
    assert main(["verify", "one", "two", "--baseline", "known.json"]) == 0
    assert "      1  the same but for known differences\n" in capsys.readouterr().err
    assert main(["verify", "one/in/differs.yaml", "two/in/differs.yaml", "--baseline", "known.json"]) == 0
    assert main(["verify", "one", "two", "--baseline", "one/same.yaml"]) == 2
    assert "is no baseline of verify" in capsys.readouterr().err
