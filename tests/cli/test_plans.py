"""What a run converts, where, and by which process: the plan of it, and what its outcomes say."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bpconvert import Result, batch, convert
from bpconvert.cli.main import FAILED, OK, main
from bpconvert.diagnostics import UsageError
from bpconvert.translators.dialects import DIALECTS
from bpconvert.workers import can_copy

HOT = "heat_template_version: 2018-08-31\n"
NET = HOT + "resources: {net: {type: OS::Neutron::Net}}\n"
READING = HOT + (
    "resources:\n  web:\n    type: OS::Nova::Server\n"
    "    properties: {flavor: m1, image: i, networks: [], user_data_format: RAW, user_data: {get_file: %s}}\n"
)


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BPCONVERT_DEBUG", raising=False)


def written(place: str, text: str) -> Path:
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def planned(*inputs: str, output: str = "out") -> batch.Plan:
    return batch.plan(inputs, output, list(DIALECTS.values()))


# -- where results go ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["out.yaml", "OUT.YAML", "out.csar", "{}/out.yaml"])
def test_the_results_of_a_folder_are_in_no_file(output: str, tmp_path: Path) -> None:
    written("in/a.yaml", NET)
    with pytest.raises(UsageError, match="is the name of a file"):
        planned("in", output=output.format(tmp_path))


@pytest.mark.parametrize("output", ["out.yaml/", "there.yaml", "out.d", "new/out"])
def test_a_folder_may_have_any_name(output: str) -> None:
    written("in/a.yaml", NET)
    Path("there.yaml").mkdir()
    assert [job.target for job in planned("in", output=output).jobs] == [Path(output, "a.yaml")]


def test_only_a_run_with_folders_has_a_tree() -> None:
    written("in/a.yaml", NET)
    written("in/b.yaml", NET)
    assert planned("in/a.yaml", "in/b.yaml").tree is None
    tree = planned("in", "in/b.yaml").tree
    assert tree is not None
    assert (tree.output, tree.base.resolve(), tree.folders) == (Path("out"), Path("in").resolve(), (Path("in"),))


def test_an_archive_among_several_inputs_becomes_a_document() -> None:
    targets = [str(job.target) for job in planned("a.csar", "b.zip", "c.yaml").jobs]
    assert targets == ["out/a.csar.yaml", "out/b.zip.yaml", "out/c.yaml"]


# -- which process converts ---------------------------------------------------------------------------------


@pytest.mark.skipif(not can_copy(), reason="the system cannot copy a process")
def test_two_documents_are_worth_two_processes_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [batch.processes_for(count, 4) for count in (1, 2)] == [1, 2]
    monkeypatch.setenv("BPCONVERT_DEBUG", "1")
    assert batch.processes_for(300, 4) == 1


def converting(names: str, processes: int) -> set[str]:
    """The processes that convert documents of these names."""

    def convert(job: batch.Job) -> Result:
        raise UsageError(str(os.getpid()))

    jobs = [batch.Job(name, Path(name), None) for name in names]
    return {outcome.error for outcome in batch.convert_all(batch.Plan(jobs), convert, processes=processes)}


@pytest.mark.skipif(not can_copy(), reason="the system cannot copy a process")
@pytest.mark.parametrize(("names", "processes", "count"), [("ab", 1, 1), ("ab", 2, 2), ("a", 2, 1)])
def test_the_first_document_is_converted_here_and_the_others_elsewhere(names: str, processes: int, count: int) -> None:
    found = converting(names, processes)
    assert len(found) == count
    assert str(os.getpid()) in found


# -- what becomes of a job ----------------------------------------------------------------------------------


def test_results_are_written_without_further_options() -> None:
    written("in/a.yaml", NET)
    (outcome,) = batch.convert_all(planned("in"), lambda job: convert(job.path or "", "hot", "cloudify"))
    assert (outcome.kind, outcome.error) == (None, "")
    assert [change.place for change in outcome.changes] == [Path("out/a.yaml")]
    assert Path("out/a.yaml").exists()


def test_a_report_names_no_result_of_what_failed() -> None:
    written("in/a.yaml", NET)
    written("in/b.yaml", HOT + "resources: [\n")
    assert main(["hot2cfy", "in", "-o", "out", "-q", "--report", "report.json"]) == FAILED
    rows = {Path(row["source"]).name: row for row in json.loads(Path("report.json").read_text())["files"]}
    assert (rows["a.yaml"]["target"], rows["a.yaml"]["error"]) == ("out/a.yaml", None)
    assert rows["a.yaml"]["fidelity"] is not None
    assert (rows["b.yaml"]["target"], rows["b.yaml"]["fidelity"]) == (None, None)
    assert rows["b.yaml"]["error"]["kind"] == "source"


def test_a_further_file_that_is_the_same_in_its_place_is_part_of_the_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The result is beside its source, whose script it needs as it is."""
    written("t.yaml", READING % "run.sh")
    written("run.sh", "#!/bin/sh\n")
    assert main(["hot2cfy", "--files", "copy", "t.yaml", "-o", "b.yaml", "--report", "report.json"]) == OK
    (row,) = json.loads(Path("report.json").read_text())["files"]
    assert row["files"] == ["run.sh"]
    assert "not written" not in capsys.readouterr().err


def test_a_nested_document_is_not_replaced_by_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    written("app.yaml", HOT + "resources: {a: {type: inner.yaml}}\n")
    inner = written("inner.yaml", NET)
    assert main(["hot2cfy", "app.yaml", "-o", "made.yaml"]) == FAILED
    assert "it would replace the nested file inner.yaml; choose another folder with -o" in capsys.readouterr().err
    assert inner.read_text("utf-8") == NET
    assert not Path("made.yaml").exists()


def test_a_file_that_a_blueprint_carries_leaves_a_source_of_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    written("t.yaml", READING % "values.yaml")
    written("values.yaml", "a: 1\n")
    assert main(["hot2cfy", "--files", "copy", "t.yaml", "-o", "in/t.yaml", "-q"]) == OK
    Path("in/values.yaml").unlink()
    other = written("in/out/values.yaml", "tosca_definitions_version: cloudify_dsl_1_3\n")
    assert main(["cfy2hot", "in", "-o", "in/out"]) == OK
    assert "not written, their place is taken or outside the folder: values.yaml" in capsys.readouterr().err
    assert Path("in/out/t.yaml").read_text("utf-8") == READING % "values.yaml"
    assert other.read_text("utf-8") == "tosca_definitions_version: cloudify_dsl_1_3\n"


def test_drafts_of_a_run_that_was_killed_are_removed() -> None:
    written("in/a.yaml", NET)
    draft = written("out/.bpconvert-999999999-deadbeef", "half")
    os.utime(draft, (1, 1))
    assert main(["hot2cfy", "in", "-o", "out", "-q"]) == OK
    assert [path.name for path in Path("out").iterdir()] == ["a.yaml"]
