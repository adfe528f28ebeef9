"""What a conversion made goes when it ends: nothing of it leads back to itself, so no collector has to look for it.

A process that converts many documents (``serve``, a directory) spent an eighth of its time on that."""

from __future__ import annotations

import gc

import pytest
from losses import sources

from bpconvert import convert
from bpconvert.diagnostics import BpconvertError

#: of the documents that nest others, and of few more, something is left
MOST = 0.1
FILES = {"hot": ("hot", "hot.yaml"), "cloudify": ("cfy", "blueprint.yaml"), "tosca": ("tosca", "tosca.yaml")}


@pytest.mark.parametrize(
    ("source", "target"), [(source, target) for source in FILES for target in FILES if source != target]
)
def test_a_conversion_leaves_no_circles(source: str, target: str) -> None:
    left, done = [], 0
    for path in [one for one in sources(*FILES[source]) if "corpus" in one.parts][::8]:
        try:
            convert(path, source, target)
            gc.collect()
            gc.disable()
            result = convert(path, source, target)
            found = gc.collect()
        except BpconvertError:
            continue
        finally:
            gc.enable()
        done += 1
        if found and not result.nested:
            left.append(f"{path.parent.name}: {found}")
    assert done > 10
    assert len(left) <= MOST * done, left
