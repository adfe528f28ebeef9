"""``check`` refuses no result of the corpus but those whose source, or whose values, no engine would take."""

from __future__ import annotations

import pytest
from checkout import CORPUS

from bpconvert.checking import check

#: folder -> the results in it
RESULTS = {"cfy": "hot.yaml", "hot": "blueprint.yaml", "to-tosca": "tosca.yaml", "tosca": "hot.yaml"}
#: case -> what is refused, and why that is right
REFUSED = {
    "cfy/empty-values-in-properties": "BPC182",  # the source gives its server an image that is null
    "cfy/types-of-a-site": "BPC175",  # its types are those of a file of mappings
    # maps and lists with entries of different types have no type that all engines take
    "to-tosca/defaults-of-different-types": "BPC171",
    "to-tosca/parts-of-parameters": "BPC171",
}


@pytest.mark.parametrize("folder", RESULTS)
def test_results_pass_check(folder: str) -> None:
    places = sorted(CORPUS.joinpath(folder).glob(f"*/{RESULTS[folder]}"))
    found = {
        place.parent.relative_to(CORPUS).as_posix(): {one.code for one in check(place) if str(one.severity) == "error"}
        for place in places
    }
    refused = {case: [code] for case, code in REFUSED.items() if case.startswith(f"{folder}/")}
    assert {case: sorted(codes) for case, codes in found.items() if codes} == refused
    assert len(places) > 30
