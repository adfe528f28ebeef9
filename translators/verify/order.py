"""What waits for what, as the engines have it."""

from __future__ import annotations

from bpconvert.translators.comparing.language import AdaptedSide
from bpconvert.translators.verify import scaled


def waits(side: AdaptedSide) -> dict[str, set[str]]:
    """Node -> those that it waits for. A group is its members, and each waits for what the group waits for."""
    own_order = side.language.nodes.waits(side)
    found = {side.named(name): {side.named(target) for target in targets} for name, targets in own_order.items()}
    for group, members in side.groups.items():
        name = side.named(group)
        targets = found.get(name, set())
        for member in members:
            own = scaled.same_instance(side, group, member, targets)
            found[side.named(member)] = own | found.get(side.named(member), set())
        found[name] = targets | {side.named(member) for member in members}
    return found
