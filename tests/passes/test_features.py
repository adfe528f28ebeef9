"""What the source says beside the neutral form, for languages that keep it and for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.options import Options
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.features import report_features
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import load

BLUEPRINT = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  a: {type: cloudify.nodes.Root}
  b:
    type: cloudify.nodes.Root
    relationships: [{type: cloudify.relationships.depends_on, target: a, properties: {connection_type: all_to_one}}]
"""


@pytest.mark.parametrize(("keeps", "codes"), [((), ["BPC150"]), (("relationship_properties",), [])])
def test_a_feature_that_the_target_keeps_is_not_reported(keeps: tuple[str, ...], codes: list[str]) -> None:
    document = load(BLUEPRINT, "blueprint.yaml")
    source, target, reporter, files = DIALECTS["cloudify"], DIALECTS["hot"], Reporter(document), Files(Path("."))
    topology = source.read()(document, builtin(), reporter, files)
    assert not reporter.diagnostics  # reading reports what the source's engine refuses
    can = target.capabilities()._replace(keeps=frozenset(keeps))
    report_features(topology, Request(source.capabilities(), can, builtin(), document, reporter, Options(), files))
    assert [found.code for found in reporter.diagnostics] == codes
    assert topology.relationships[0].properties == {"connection_type": "all_to_one"}
