"""Every diagnostic that a source can cause has a case in the corpus; all others have a test."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from corpus_cases import CASES

from bpconvert.checking import check
from bpconvert.diagnostics import SourceError
from bpconvert.diagnostics.codes import CODES

pytestmark = pytest.mark.one_version

#: what no source alone can cause, though what converts it reports it -> its test
ELSEWHERE = {
    "BPC132": "cli/test_languages.py",  # nothing to convert in a folder
    "BPC183": "hot/check/test_template.py",  # a property of AWS that Heat refuses
    "BPC135": "cloudify/read/test_imports.py",  # what is written in an imported file
    "BPC184": "hot/check/test_template.py",  # what only ``check`` reports
    "BPC190": "templates/test_render.py",  # a layout that a user gives
    "BPC216": "cli/test_nearby.py",  # environments of a directory
    "BPC217": "cli/test_nearby.py",
    "BPC229": "evaluate/test_evaluation.py",  # a package that is not installed
    "BPC253": "conversion/test_surroundings.py",  # files of an outer document's folder
    "BPC257": "provenance/test_meaning_without_the_kept_source.py",  # what an earlier result keeps
    "BPC269": "provenance/test_restoring.py",
    "BPC404": "cloudify/write/test_relationships.py",  # two meanings for one pair of nodes, which no kind has
    "BPC624": "provenance/test_restoring.py",  # records and files that were edited
    "BPC647": "cli/test_kept_in_files.py",
    "BPC663": "provenance/test_restoring.py",
    "BPC664": "provenance/test_forged_records.py",
    "BPC667": "provenance/test_edits.py",
    "BPC650": "cli/test_stages.py",  # values of environments
    "BPC651": "cli/test_stages.py",
    "BPC652": "cli/test_stages.py",
    "BPC653": "cli/test_stages.py",
    "BPC655": "conversion/test_urls_from_checkouts.py",  # files of URLs
    "BPC656": "conversion/test_urls_from_checkouts.py",
    "BPC657": "conversion/test_urls_from_checkouts.py",
    "BPC762": "passes/nesting/test_nesting.py",  # a nested document that is gone
    "BPC772": "passes/nesting/test_nesting.py",  # an environment that is none
    "BPC782": "conversion/test_values_that_do_not_fit.py",  # a mapping that fits no node type
    "BPC783": "tosca/read/test_tacker.py",  # what is for one orchestrator
    "BPC788": "conversion/test_limits.py",
    "BPC858": "tosca/test_check.py",  # what only ``check`` reports
    **dict.fromkeys(
        (code for code in CODES if "BPC900" <= code < "BPC950" and code not in ("BPC910", "BPC931")),
        "tosca/test_check_2_0.py",  # what only ``check`` reports of TOSCA 2.0
    ),
}
#: prints the files of the modules that conversions of sources alone need
CONVERTING = """
import sys
from corpus_cases import CASES
from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
for case in CASES:
    try:
        convert(case.source, case.dialect, case.target_dialect, carry=False)
    except SourceError:
        pass
needed = [found for name, found in sys.modules.items() if name.split(".")[0] == "bpconvert"]
print(*(found.__file__ for found in needed if getattr(found, "__file__", None)), sep="\\n")
"""


def reported_by_conversions_alone() -> set[str]:
    """The codes in modules that the conversion of a source needs, without a file of mappings, an environment, an
    earlier result or another command."""
    support = str(ROOT / "tests" / "support")
    command = [sys.executable, "-c", f"import sys; sys.path.append({support!r})\n{CONVERTING}"]
    needed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=support).stdout.splitlines()
    files = [Path(name) for name in needed if "codes" not in Path(name).parts]
    return {code for file in files for code in re.findall(r"BPC\d{3}", file.read_text("utf-8"))}


def codes_of_checks() -> Iterator[str]:
    for case in CASES:
        try:
            found = check(case.source, environments=case.options.environments, types=case.options.types)
        except SourceError as error:
            found = error.diagnostics
        yield from (diagnostic.code for diagnostic in found)


def test_every_diagnostic_has_a_case() -> None:
    cases = {diagnostic.code for case in CASES for diagnostic in case.outcome.diagnostics} | {*codes_of_checks()}
    assert (CODES.keys() - cases) & reported_by_conversions_alone() == ELSEWHERE.keys()
    assert [code for code, file in ELSEWHERE.items() if code not in (ROOT / "tests" / file).read_text("utf-8")] == []


def test_every_diagnostic_has_a_test() -> None:
    """Those that are reported only with more than a source have tests of their own."""
    cases = {diagnostic.code for case in CASES for diagnostic in case.outcome.diagnostics}
    others = (file for file in (ROOT / "tests").rglob("test_*.py") if file != Path(__file__))
    tested = "\n".join(file.read_text("utf-8") for file in others)
    assert [code for code in CODES if code not in cases and code not in tested] == []
