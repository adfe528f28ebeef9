"""Where everything of the source went."""

from __future__ import annotations

from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.draft import Draft
from bpconvert.translators.lowered import Lowered


def trace(
    context: Context,
    result: Lowered,
    drafts: list[Draft],
    outputs: list[tuple[Path, Path]],
    conditions: dict[str, Value],
) -> None:
    """Note what every entry of the source became, the places that comments go to, and the names in the template.

    ``outputs``: (place in the source, entry of the template); ``conditions``: those of the template."""
    topology, data, words = context.topology, context.request.document.data, context.words
    moves, made = result.moves, result.made

    def became(path: Path, target: Path) -> None:
        made.setdefault(words.entry(path), []).append(target)

    moves.append(((words.section("capabilities"),), ("outputs",)))
    became((words.section("version"),), ("heat_template_version",))
    if topology.description is not None:
        became((words.section("description"),), ("description",))
    for name, declared in topology.inputs.items():
        target = ("parameters", context.names.parameter(name))
        moves += [(declared.path, target), ((*declared.path, words.key("label")), (*target, "label"))]
        became(declared.path, target)
    for name, value in conditions.items():
        if isinstance(value, Expr) and value.path:
            moves.append((words.entry(value.path), ("conditions", name)))
            became(value.path, ("conditions", name))
    # a node's own resource first, then what else its node template became
    for draft in sorted(drafts, key=lambda draft: draft.part or len(draft.node.path) > 2):
        moves += draft.moves
        became(draft.node.path, ("resources", draft.name))
    for path, target in outputs:
        moves.append((path, target))
        became(path, target)
    for node in topology.nodes.values():
        made.setdefault(words.entry(node.path), [])
    for section, entries in data.items() if isinstance(data, dict) else ():
        for path in [(section, entry) for entry in entries] if isinstance(entries, dict) else [(section,)]:
            made.setdefault(path, [])
    result.moves = [(source, target) for source, target in moves if not words.is_imported(source)]
    _trace_moved(context, result)
    parameters = result.data.get("parameters", {})
    named = {name: context.names.parameter(name) for name in topology.inputs}
    capabilities = {name: context.names.output(name, "capabilities") for name in topology.capabilities}
    result.names = {
        words.section("inputs"): {name: new for name, new in named.items() if new in parameters},
        words.section("outputs"): {name: context.names.output(name) for name in topology.outputs},
        words.section("capabilities"): capabilities,
    }


def _trace_moved(context: Context, result: Lowered) -> None:
    """What nested templates have of the source, is part of the resources that nest them."""
    for path, names in context.topology.moved.items():
        targets = [("resources", context.names.resource(name)) for name in names]
        result.moves += [(path, target) for target in targets]
        known = result.made.setdefault(path, [])
        known += [target for target in targets if target not in known]
