"""The steps of a node's life at which deployments run."""

from __future__ import annotations

from typing import Final

#: Steps of installing and removing. The deployments wait for each other in this order: what is last made is first
#: deleted, so the steps of removing stand in reverse.
INSTALL: Final = (
    "precreate", "create", "preconfigure", "configure", "postconfigure", "start", "poststart", "establish",
)  # fmt: skip
_REMOVE: Final = ("postdelete", "delete", "unlink", "stop", "prestop")
RANKS: Final = {name: rank for rank, name in enumerate((*INSTALL, *_REMOVE))}
