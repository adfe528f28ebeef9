"""A topology as text: what a pass changes can be seen."""

from __future__ import annotations

import json
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node, Topology
from bpconvert.options import Options
from bpconvert.translation import Way
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.passes.printing import as_text
from bpconvert.yamlio.document import load

SOURCE = """\
heat_template_version: 2018-08-31
parameters: {env: {type: string}}
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: OS::Nova::KeyPair, properties: {name: {get_param: env}}}}
"""


def test_defaults_and_places_are_left_out() -> None:
    node = Node("n", "T", properties={"a": ex.Input("x", path=("q",)), "b": [1, None]}, path=("resources", "n"))
    node.wait_for("m")
    text = json.loads(as_text(Topology("toy", "1", nodes={"n": node})))
    assert text == {
        "dialect": "toy",
        "version": "1",
        "nodes": {
            "n": {
                "name": "n",
                "source_type": "T",
                "properties": {"a": "Input(name='x', keys=(), strict=False)", "b": [1, None]},
                "relationships": [{"source": "n", "target": "m"}],
            }
        },
    }


def test_the_topology_can_be_seen_after_each_pass() -> None:
    seen: dict[str, Any] = {}
    way = Way(DIALECTS["hot"], DIALECTS["cloudify"], Options())
    document = load(SOURCE, "app.yaml")
    way.translate(document, Reporter(document), Files(None), watch=lambda name, it: seen.update({name: as_text(it)}))
    after = {name: json.loads(text) for name, text in seen.items()}
    assert after["scaling groups"]["nodes"]["group"]["kind"] == "keypair"
    assert [text != seen["scaling groups"] for text in seen.values()].count(True) >= 1
