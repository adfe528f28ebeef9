"""Values of hidden inputs are in no message, no report and no printed difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert.api import convert
from bpconvert.cli.main import main
from bpconvert.diagnostics import EvaluationError
from bpconvert.diagnostics.secrets import MASK, Secrets
from bpconvert.evaluation import evaluate

HOT = """\
heat_template_version: 2018-08-31
parameters:
  pw: {type: string, hidden: true, default: s3cr3t-pw, constraints: [{allowed_values: [x]}]}
  escaped:
    type: string
    hidden: "yes"
    default: "two\\x57ords \\
      joined"
    constraints: [{allowed_pattern: "^[0-9]$"}]
  few: {type: number, hidden: true, default: 73, constraints: [{range: {min: 99}}]}
  given: {type: string, hidden: true, constraints: [{allowed_values: [a]}]}
  key:
    type: string
    hidden: true
    default: |
      first line of it
      second line of it
resources:
  a: {type: OS::Nova::Server, properties: {flavor: s3cr3t-pw, image: {get_file: s3cr3t-pw}, odd: x-s3cr3t-pw}}
  b: {type: OS::Nova::Server, properties: {flavor: "first line of it", odd: 'second line of it'}}
outputs:
  o: {value: {list_join: [73, {get_param: pw}, 73]}}
"""
WORDS = ("s3cr3t", "hunter2", "twoWords", "two\\x57", "joined", "first line", "second line", "73")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(HOT)


def shows_nothing(text: str) -> bool:
    assert MASK in text
    return [word for word in WORDS if word in text] == []


def test_messages_and_reports_of_a_conversion(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hot2cfy", "t.yaml", "--no-carry", "--param", "given=hunter2", "-o", "o.yaml", "--report", "r.json", "-v"]
    assert main(words) == 0
    assert shows_nothing(capsys.readouterr().err)
    assert shows_nothing(Path("r.json").read_text())


@pytest.mark.parametrize("form", ["text", "json"])
def test_check(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "t.yaml", "--format", form, "-v"]) == 1
    assert shows_nothing(capsys.readouterr().out)


def test_values_of_an_environment(capsys: pytest.CaptureFixture[str]) -> None:
    Path("e.yaml").write_text("parameters: {given: hunter2}\nresource_registry: {}\n")
    main(["check", "t.yaml", "-v", "-e", "e.yaml"])
    main(["hot2cfy", "t.yaml", "-v", "-e", "e.yaml", "-o", "o.yaml"])
    taken = capsys.readouterr()
    assert shows_nothing(taken.out)
    assert shows_nothing(taken.err)


@pytest.mark.parametrize("form", ["text", "json"])
def test_printed_differences(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    declared = "parameters: {pw: {type: string, hidden: true, default: s3cr3t-pw}, q: {type: string, hidden: true}}\n"
    head = f"heat_template_version: 2018-08-31\n{declared}"
    Path("a.yaml").write_text(f"{head}outputs: {{o: {{value: {{list_join: ['-', [{{get_param: pw}}]]}}}}}}\n")
    Path("b.yaml").write_text(f"{head}outputs: {{o: {{value: {{get_param: q}}}}}}\n")
    assert main(["verify", "a.yaml", "b.yaml", "--param", "q=hunter2", "--draws", "0", "--format", form]) == 1
    assert shows_nothing(capsys.readouterr().out)


@pytest.mark.parametrize(
    "part", ["username: {get_param: pw}", "password: {get_param: pw}", "query: {k: {get_param: pw}}"]
)
def test_parts_of_urls(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A user, a password and a value of a query stand in a URL in another form."""
    declared = "parameters: {pw: {type: string, hidden: true, default: 's3cr3t /hunter2@'}}\n"
    url = f"{{make_url: {{scheme: http, host: h, {part}}}}}"
    for name, value in (("a", url), ("b", "other")):
        Path(f"{name}.yaml").write_text(
            f"heat_template_version: 2018-08-31\n{declared}outputs: {{o: {{value: {value}}}}}\n"
        )
    assert main(["verify", "a.yaml", "b.yaml", "--draws", "0"]) == 1
    assert shows_nothing(capsys.readouterr().out)


def test_a_given_value_that_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "t.yaml", "t.yaml", "--param", "given=hunter2"]) == 2
    assert shows_nothing(capsys.readouterr().err)


def test_there_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    declared = f"p: {{type: string, hidden: true, default: 's3cr3t-pw {'x' * 90}'}}"
    text = f"heat_template_version: 2018-08-31\nparameters: {{{declared}}}\noutputs: {{o: {{condition: s3cr3t-pw}}}}\n"
    Path("t.yaml").write_text(text)
    main(["roundtrip", "t.yaml", "--no-carry"])
    assert "s3cr3t" not in capsys.readouterr().out


def test_inputs_of_blueprints_nested_documents_and_imports() -> None:
    declared = "inputs: {pw: {type: string, hidden: true, default: s3cr3t-pw, constraints: [{max_length: 2}]}}\n"
    Path("i.yaml").write_text(f"tosca_definitions_version: cloudify_dsl_1_3\n{declared}")
    node = "node_templates: {n: {type: s3cr3t-pw}}\n"
    Path("b.yaml").write_text(f"tosca_definitions_version: cloudify_dsl_1_3\nimports: [i.yaml]\n{node}")
    made = convert(Path("b.yaml"), "cloudify", "hot")
    assert shows_nothing("\n".join(map(str, made.diagnostics)))
    declared = "parameters: {pw: {type: string, hidden: true, default: s3cr3t-pw}}\n"
    Path("in.yaml").write_text(f"heat_template_version: 2018-08-31\n{declared}")
    nodes = "resources: {n: {type: in.yaml}, m: {type: s3cr3t-pw}}\n"
    Path("o.yaml").write_text(f"heat_template_version: 2018-08-31\n{nodes}")
    assert shows_nothing("\n".join(map(str, convert(Path("o.yaml")).diagnostics)))


def test_tables_of_choices_are_no_secrets() -> None:
    table = "inputs: {if_x: {hidden: true, default: [public-one, public-two]}}\n"
    text = f"tosca_definitions_version: cloudify_dsl_1_3\n{table}node_templates: {{n: {{type: public-one}}}}\n"
    assert "public-one" in "\n".join(map(str, convert(text, "cloudify", "hot").diagnostics))


def test_secrets_that_a_value_asks_for() -> None:
    call = {"get_secret": ["k", "a"]}
    with pytest.raises(EvaluationError) as refused:
        evaluate({"concat": [call]}, dialect="cloudify", version="1_3", secrets={"k": "s3cr3t-pw"})
    assert "s3cr3t" not in str(refused.value)


def test_masks() -> None:
    secrets = Secrets()
    assert secrets.masked("abcdef 1") == "abcdef 1"
    secrets.add({"a": ["abcd", 1, True, None, ""], "b": 'it\'s "so"'})
    assert secrets.masked('xabcdy 1 12 True "it\'s \\"so\\"" \'it\'\'s "so"\'') == (
        f"x{MASK}y {MASK} 12 True \"{MASK}\" '{MASK}'"
    )
    secrets.add("so")
    assert secrets.masked("so 'so'") == f"so '{MASK}'"
    assert secrets.masked_in({"k": [1, "abcd", 12, None, True]}) == {"k": [MASK, MASK, 12, None, True]}


@pytest.mark.parametrize("column", range(12))
def test_the_caret_stays_at_its_place(column: int) -> None:
    secrets = Secrets()
    secrets.add("abcdefgh")
    line, place = secrets.masked_at("0abcdefgh12345", column)
    assert line == f"0{MASK}12345"
    assert place == (column if column < 2 else 1 if column < 9 else column - 2)
