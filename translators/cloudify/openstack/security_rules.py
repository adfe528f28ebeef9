"""Rules of security groups: what of them Heat sends to Neutron (heat: neutron/security_group.py, ``_format_rule``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes

_MODES = {"remote_group_id": "remote_ip_prefix", "remote_ip_prefix": "remote_group_id"}


def sent(nodes: Nodes, draft: Draft, rule: Value, place: Path) -> Value:
    """``rule`` without the address or the group that ``remote_mode`` rules out; a rule of AWS has no modes."""
    mode = rule.get("remote_mode") if isinstance(rule, dict) else None
    if not isinstance(rule, dict) or isinstance(mode, ex.Expr):
        return rule
    if draft.kind is not None and draft.node.source_type in draft.kind.also:
        return {key: value for key, value in rule.items() if key != "remote_mode"}
    dropped = _MODES.get(str(mode), "remote_group_id")
    if rule.get(dropped) is None:
        return rule
    why = f"remote_mode is {'remote_ip_prefix' if mode is None else mode}"
    nodes.context.reporter.report("BPC341", (*place, dropped), name=dropped, why=why)
    return {key: value for key, value in rule.items() if key != dropped}
