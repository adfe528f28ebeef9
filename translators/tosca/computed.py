"""Values that TOSCA cannot compute: a node whose operation ``create`` computes one on the orchestrator and publishes it
as an output, which becomes an attribute (Simple Profile 1.3, 3.6.16 and 3.6.17). The operation runs a playbook, as
opera does, and that the script with the evaluator's own code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path, Value
from bpconvert.translators.toscalike import computing
from bpconvert.translators.toscalike.computing import CALL, NEEDED, PROPERTY

#: the types of the nodes begin with it; the rest names the type of the value
TYPE: Final = "bpconvert.nodes.Value"
INTERFACE: Final = "Standard"
OPERATION: Final = "create"
#: where the playbook and the script are
PLAYBOOK: Final = "scripts/bpconvert_computed.yaml"
SCRIPT: Final = "scripts/bpconvert_computed.py"
#: the input that has the values of the call: opera wants a value for every input that a type declares
VALUES: Final = "values"
#: what it has for a call without any: puccini takes no empty map
NO_VALUES: Final = {"none": ""}
#: the call that yields an id of the deployment, which is another one for each
UNIQUE: Final = {"$System": {"name": "deployment.id"}}

_PLAYBOOK: Final = """\
# Computes one value for a service template, with bpconvert_computed.py beside it.
- hosts: all
  gather_facts: false
  tasks:
    - name: Compute the value
      ansible.builtin.command:
        argv: ["{{ ansible_playbook_python }}", bpconvert_computed.py]
        chdir: "{{ playbook_dir }}"
        stdin: "{{ {'call': call, 'needed': needed, 'values': values} | to_json }}"
      register: computed
      changed_when: false
    - name: Publish it
      ansible.builtin.set_stats:
        data: "{{ computed.stdout | from_json }}"
"""
#: how results of earlier versions publish it: Ansible takes a text that looks like a map or a list for one there
_ONE_BY_ONE: Final = """        data:
          result: "{{ (computed.stdout | from_json).result }}"
"""
_MAIN: Final = """

_known = _call


def _call(name: str, arguments: Any, values: Any) -> Any:
    if name == "Attribute":
        keys = [computed(key, values) for key in arguments["keys"]]
        return walk_leniently(values[arguments["node"]], keys, None, False)
    return _known(name, arguments, values)


if __name__ == "__main__":
    import sys
    import uuid

    given = json.load(sys.stdin)
    call = json.loads(given["call"])
    try:
        if call == {"$System": {"name": "deployment.id"}}:
            value = str(uuid.uuid4())
        else:
            value = computed(call, given["values"])
    except Exception as wrong:
        if given["needed"]:
            sys.exit("the value cannot be computed: {}".format(wrong))
        value = None
    json.dump({"result": value}, sys.stdout)
"""


def programs(*, has_queries: bool = False) -> dict[str, str]:
    """The files that a service template with such nodes needs."""
    return {PLAYBOOK: _PLAYBOOK, SCRIPT: computing.evaluator(has_queries=has_queries) + _MAIN}


def is_program(path: str, text: str | None) -> bool:
    """True where ``text`` is that of one of the files; for None, where nobody knows it."""
    earlier = _PLAYBOOK[: _PLAYBOOK.rindex("        data: ")] + _ONE_BY_ONE
    return text in (None, programs()[path], programs(has_queries=True)[path]) or (path == PLAYBOOK and text == earlier)


def implementation() -> dict[str, Any]:
    """What the operation runs."""
    return {"primary": PLAYBOOK, "dependencies": [SCRIPT]}


def outputs() -> dict[str, Any]:
    """What the operation publishes."""
    return {PROPERTY: ["SELF", PROPERTY]}


def call(data: Any) -> str:
    """The data of a call as a text in which a playbook finds no template."""
    written = json.dumps(data)
    for mark in ("{{", "{%", "{#"):  # in a text of the call: between two braces of the data there is a name
        written = written.replace(mark, "\\u007b" + mark[1:].replace("{", "\\u007b"))
    return written


def inputs(call: str, values: Mapping[str, Any], needed: bool) -> dict[str, Any]:
    """The inputs of the operation. ``values``: name -> value; ``needed``: something is deployed with the result."""
    return {CALL: call, VALUES: dict(values), NEEDED: needed}


def expression(inputs: Mapping[str, Value], path: Path) -> Value:
    """The call that the ``inputs`` of the operation have, with their values in it; MISSING where that is none."""
    values = inputs.get(VALUES)
    inputs_given = {**(values if isinstance(values, dict) else {}), CALL: inputs.get(CALL)}
    return computing.expression(inputs_given, path, (CALL,), data=True)
