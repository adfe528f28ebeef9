"""The id of a configuration that leaves its template: outside of Heat there is no such thing, and its text is given.

Who takes the id from an output or a parameter gives it to a server as user data, or deploys it; both work with the text
as well. So a configuration whose id is an output, or a parameter of a nested template, becomes a node that holds its
text; a deployment whose configuration is a parameter runs the text that it is given (``configs.given``)."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node
from bpconvert.translators.passes.software.configurations import Configurations
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.passes.work import Refused

#: the kind whose node holds a value, and the property and attribute that it is
_VALUE, _HELD = "value", "value"
#: what a configuration declares -> the key that its script would miss, in words, and values that are as good as none
_MEANING = (
    ("inputs", "default", "have defaults", (None,)),
    ("outputs", "error_output", "mean failure", (None, False, "false", "False")),
)
#: what is no part of the text, and the deployment of another template does not know
_APART = ("inputs", "outputs", "options")


def give_texts(configurations: Configurations) -> None:
    """Let configurations whose id leaves the template be nodes that hold their text."""
    nodes = configurations.topology.nodes
    leaving = _names(_ways_out(configurations))
    configs = [node for node in nodes.values() if node.kind in CONFIGS and node.name in leaving]
    held: set[str] = set()
    for node in sorted(configs, key=lambda node: node.kind != "multipart_mime"):
        others = [other for other in nodes.values() if other.kind not in CONFIGS and other.name not in held]
        if node.name in _names([other.properties for other in others if other.nested is None]):
            continue  # a stand-in shows its id, too
        try:
            _hold(configurations, node)
            held.add(node.name)
        except Refused as refused:
            configurations.refuse(node, str(refused))

    def text(expr: ex.Expr) -> Value:
        if not isinstance(expr, ex.Identity) or expr.node not in held:
            return expr
        return ex.Attribute(expr.node, _HELD, path=expr.path)

    configurations.work.replace(text)


def _hold(configurations: Configurations, node: Node) -> None:
    """Make a configuration a node that holds its text; raises :class:`Refused`."""
    properties = node.properties if isinstance(node.properties, dict) else {}
    group = properties.get("group")
    texts = (None, "script", *configurations.work.request.source.programs.ungrouped)
    if node.kind == "software_config" and group not in texts:
        what = f"its group '{group}'" if isinstance(group, str) else "its group, which is computed,"
        raise Refused(f"its id is used, and {what} is no script")
    for name, key, what, nothing in _MEANING:
        entries = properties.get(name) or []
        if not isinstance(entries, list) or any(not isinstance(e, dict) or e.get(key) not in nothing for e in entries):
            raise Refused(f"its id is used, and its {name} {what}, which its text does not say")
    text = configurations.texts.of(node)
    configurations.uses(node, node.name)
    for user in configurations.users.pop(node.name):
        owner = configurations.topology.nodes[user]
        if owner is not node and node.name not in owner.awaited:
            owner.wait_for(node.name)
    place = node.origin()
    for name in _APART:
        if properties.get(name):
            configurations.report("BPC735", (*place, name), name=name)
    node.origins[_HELD,] = (*place, "parts" if node.kind == "multipart_mime" else "config")
    node.kind, node.properties = _VALUE, {_HELD: text}
    source = configurations.work.request.source.title
    problem = f"'{node.name}' is a node that holds the text: outside of {source} its id means nothing"
    configurations.report("BPC737", node.path, problem=problem)


def _ways_out(configurations: Configurations) -> list[Value]:
    """What is known outside of the template: its outputs, and the parameters of those that it nests."""
    topology = configurations.topology
    found = [output.value for output in topology.published]
    return found + [node.properties for node in topology.nodes.values() if node.nested is not None]


def _names(values: list[Value]) -> set[str]:
    """The resources whose ids are used."""
    return {value.node for value in ex.walk(values) if isinstance(value, ex.Identity)}
