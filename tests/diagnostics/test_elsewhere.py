"""Places in imported files: how a finding names them."""

from __future__ import annotations

import json

import pytest

from bpconvert.diagnostics import Elsewhere, Reporter
from bpconvert.yamlio.document import Document, load

IMPORTED = "node_types:\n  app:\n    interfaces: {start: s.sh}\n"
STEPS = ("node_types", "app", "interfaces")


def elsewhere(document: Document) -> Elsewhere:
    return Elsewhere("types.yaml", STEPS, document.locate)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_place_that_leads_out_of_the_document_several_times_is_the_last_one(times: int) -> None:
    imported, main = load(IMPORTED, "types.yaml"), load("imports: [types.yaml]\n", "main.yaml")
    finding = Reporter(main).build("BPC120", (*("imports", 0, elsewhere(imported)) * times, "start"), problem="p")
    assert (finding.path, finding.importer) == ((*STEPS, "start"), "main.yaml")
    assert finding.span == ("types.yaml", 3, 18)
    json.dumps(finding.as_dict())


def test_a_place_in_a_place_of_another_file_is_open_as_well() -> None:
    imported, main = load(IMPORTED, "types.yaml"), load("imports: [types.yaml]\n", "main.yaml")
    inner = Elsewhere("other.yaml", ("imports", 0, elsewhere(imported)), main.locate)
    finding = Reporter(main).build("BPC120", ("imports", 0, inner), problem="p")
    assert (finding.path, finding.file) == (STEPS, "types.yaml")


def test_a_place_in_another_file_is_the_same_whoever_locates_it() -> None:
    """Its text, too: what is sorted by it has the same order in each process."""
    first, second = elsewhere(load(IMPORTED, "types.yaml")), elsewhere(load(IMPORTED, "types.yaml"))
    assert not first != second  # noqa: SIM202 - the operator itself
    assert len({first, second}) == 1
    assert repr(first) == "Elsewhere('types.yaml', ('node_types', 'app', 'interfaces'))"
    assert first != Elsewhere("types.yaml", STEPS[:2], first.locate)
    assert first != ("types.yaml", STEPS, first.locate)
