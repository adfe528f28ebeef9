"""The blueprint of a component, put on the manager.

This module is also a program: a blueprint carries it for its components (:mod:`~.cloudify.uploads`). So it imports the
standard library only, and runs with Python 3.6 and later. The manager's own client comes from outside."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from typing import Any

#: seconds between two questions, and how often it is asked: what another one uploads takes a moment
PAUSE, TRIES = 2, 300
#: what the manager calls a blueprint that it has taken; older ones have no states
_READY = (None, "uploaded")


def uploaded(blueprints: Any, download: Callable[[str], str], name: str, file: str, others: list[str]) -> bool:
    """Upload a blueprint unless the manager has it. True where it was uploaded.

    ``blueprints``: the manager's (``cloudify_rest_client.blueprints.BlueprintsClient``); ``download``: path of a
    file of the blueprint -> where a copy of it is; ``file``: its path, ``others``: the files that belong to it, by
    their paths beside it."""
    if _is_there(blueprints, name):
        return False
    folder = tempfile.mkdtemp()
    try:
        above, main = os.path.split(file)
        for one in [main, *others]:
            place = os.path.join(folder, one)
            if not os.path.isdir(os.path.dirname(place)):
                os.makedirs(os.path.dirname(place))
            shutil.copyfile(download(above + "/" + one if above else one), place)
        try:
            blueprints.upload(os.path.join(folder, main), name)
        except Exception:  # another component may have been faster
            if not _is_there(blueprints, name):
                raise
            return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return True


def _is_there(blueprints: Any, name: str) -> bool:
    """True where the manager has the blueprint; waits for one that is being uploaded."""
    for _ in range(TRIES):
        found = [one.get("state") for one in blueprints.list(id=name) if one.get("id") == name]
        if not found:
            return False
        if found[0] in _READY:
            return True
        if str(found[0]).startswith(("failed", "invalid")):
            raise RuntimeError(f"the blueprint {name} is on the manager, but {found[0]}")
        time.sleep(PAUSE)
    raise RuntimeError(f"the blueprint {name} is still being uploaded")


if __name__ == "__main__":
    from cloudify import ctx
    from cloudify.manager import get_rest_client
    from cloudify.state import ctx_parameters as given

    uploaded(
        get_rest_client().blueprints, ctx.download_resource, given["blueprint"], given["file"], list(given["files"])
    )
