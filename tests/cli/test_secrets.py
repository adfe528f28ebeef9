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
  o: {value: {list_join: [{get_param: few}, {get_param: pw}, {get_param: few}]}}
"""
WORDS = ("s3cr3t", "hunter2", "twoWords", "two\\x57", "joined", "first line", "second line", "73")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(HOT)


def shows_nothing(text: str) -> bool:
    """True where none of the secrets is in ``text``; the folder of the test may have any number in its name."""
    assert MASK in text
    return [word for word in WORDS if word in text.replace(str(Path.cwd()), "")] == []


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


COMMON = """\
heat_template_version: 2018-08-31
parameters:
  stage:
    type: string
    hidden: true
    default: prod
    constraints: [{allowed_values: [dev]}]
  none: {type: string, hidden: true, default: ''}
  few: {type: number, hidden: true, default: 7}
  other: {type: string, default: prod, constraints: [{length: {min: 7}}]}
resources:
  vm:
    type: OS::Nova::Server
    properties:
      flavor: ''
      odd: {env: prod}
      image: {get_param: stage}
      key_name: prod
  late: {type: OS::Nova::Server, properties: {flavor: 7, image: {get_attr: [vm, name]}, even: ''}}
outputs:
  a: {value: {list_join: [7, {get_param: stage}]}}
  b: {value: {list_join: [7, prod]}}
"""


def test_a_word_is_masked_where_it_is_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.yaml").write_text(COMMON)
    assert main(["check", "t.yaml", "-v"]) == 1
    out = capsys.readouterr().out
    assert f'BPC504 the default does not fit and is left out: "{MASK}" is not an allowed value' in out
    assert "default: prod\n" not in out.partition("  other:")[0]
    assert "  other: {type: string, default: prod, constraints: [{length: {min: 7}}]}" in out
    assert "odd: {env: prod}" in out
    assert "length (4) is out of range (min: 7, max: None)" in out
    assert "a: {value: {list_join: [7, {get_param: stage}]}}" in out


def test_a_word_is_masked_in_pages_where_it_is_the_value() -> None:
    Path("t.yaml").write_text(COMMON)
    assert main(["hot2cfy", "t.yaml", "-o", "o.yaml", "-q", "--report", "r.html"]) == 0
    page = Path("r.html").read_text()
    assert page.count(f"default: {MASK}") >= 2
    assert "odd: {env: prod}" in page
    assert "default: &#39;&#39;" in page
    assert "flavor: 7" in page
    assert page.count("default: prod") == 1, "that of 'other' is no secret"


@pytest.mark.parametrize(
    "value",
    [
        "{get_param: stage}",
        "{get_attr: [mid, value]}",
        "{str_replace: {template: $x, params: {$x: {get_param: stage}}}}",
    ],
)
def test_a_word_is_masked_where_its_value_comes_to(value: str) -> None:
    """Messages of places that use the input, or an entry that does, do not show it."""
    text = (
        "heat_template_version: 2018-08-31\n"
        "parameters: {stage: {type: string, hidden: true, default: prod}}\n"
        "resources:\n"
        "  mid: {type: OS::Heat::Value, properties: {value: {get_param: stage}}}\n"
        f"  v:\n    type: OS::Cinder::Volume\n    properties:\n      size: {value}\n"
        "  w: {type: OS::Cinder::Volume, properties: {size: prod}}\n"
    )
    made = convert(text, params={"stage": "prod"}, carry=False)
    lines = {found.line: found.message for found in made.diagnostics if "prod" in found.message}
    assert lines.keys() <= {9}
    assert any(found.line == 9 for found in made.diagnostics)


def test_what_one_document_declares_is_masked_in_others() -> None:
    """What is given to a nested template is not known to be hidden there."""
    secrets = Secrets()
    secrets.add("prod", "a.yaml")
    secrets.add("prod")
    secrets.place("a.yaml", [2], [5])
    assert [secrets.masked("prod", ("a.yaml", line)) for line in (1, 2, 5)] == ["prod", MASK, MASK]
    assert [secrets.masked_line("prod", ("a.yaml", line)) for line in (1, 2, 5)] == ["prod", MASK, "prod"]
    assert secrets.masked("prod", ("b.yaml", 1)) == MASK
    assert secrets.masked("prod") == MASK
    secrets.place("b.yaml", [1], [])
    assert secrets.masked("prod", ("b.yaml", 7)) == MASK
    other = Secrets()
    other.add("prod", "b.yaml")
    secrets.join(other)
    assert secrets.masked("prod", ("b.yaml", 7)) == "prod"
    secrets.add("s3cr3t", "a.yaml")
    assert secrets.masked("s3cr3t", ("a.yaml", 1)) == MASK


def test_printed_changes(capsys: pytest.CaptureFixture[str]) -> None:
    """Defaults, kept sources and values of stages, of this run and of the earlier one, are not shown."""
    text = (
        "heat_template_version: 2018-08-31\n"
        "parameters:\n  pw: {type: string, hidden: true, default: s3cr3t-pw}\n"
        "  stage:\n    type: string\n    hidden: true\n    default: prod\n"
        "  size: {type: number, default: 1}\n"
        "resources: {v: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, name: {get_param: pw},"
        " description: prod}}}\n"
    )
    Path("t.yaml").write_text(text)
    Path("e.yaml").write_text("parameters: {pw: hunter2, stage: staging}\n")
    command = ["hot2cfy", "t.yaml", "-o", "o.yaml", "-q"]
    assert main([*command, "--diff", "-e", "e.yaml"]) == 0
    new = capsys.readouterr().out
    assert shows_nothing(new)
    assert "staging" not in new
    assert f"+    default: {MASK}\n" in new
    assert "description: prod\n" in new
    assert new.count("prod") == 1, "not that in the kept source"
    assert main([*command, "-e", "e.yaml"]) == 0
    Path("t.yaml").write_text(text.replace("s3cr3t-pw", "an0ther-pw").replace("default: 1", "default: 2"))
    Path("e.yaml").write_text("parameters: {pw: hunter3, stage: testing}\n")
    capsys.readouterr()
    assert main([*command, "--diff", "-e", "e.yaml"]) == 0
    changed = capsys.readouterr().out
    assert shows_nothing(changed)
    assert [word for word in ("an0ther", "hunter3", "staging", "testing") if word in changed] == []
    assert f"-    default: {MASK}\n+    default: {MASK}\n" in changed
    assert "-    default: 1\n+    default: 2\n" in changed
