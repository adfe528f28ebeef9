"""What openstacksdk does with the settings that the plugin hands on to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.schemas.values import guess


def is_known(node_type: str) -> bool:
    """True for a node type whose settings in openstacksdk are known."""
    return schemas.sdk_names(node_type) is not None


def is_sent(
    report: Callable[..., Any], node_type: str, path: tuple[str, ...], source: Path, always: bool = False
) -> bool:
    """False, and reported, for a setting under ``kwargs`` that openstacksdk drops without a word. ``always``: report
    one that is sent, too, where nothing but the names of openstacksdk shows that it is known."""
    known = schemas.sdk_names(node_type)
    if known is None or path[:2] != ("resource_config", "kwargs") or len(path) < 3:
        return True
    sent = path[2] in known
    if always or not sent:
        words = {"version": schemas.sdk_version(), "guess": guess(path[2], known) if always else ""}
        report("BPC784" if sent else "BPC785", source, name=path[2], **words)
    return sent
