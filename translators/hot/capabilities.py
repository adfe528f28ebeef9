"""What HOT can express."""

from typing import Final

from bpconvert.translators.hot import implicit_order
from bpconvert.translators.passes.capabilities import Capabilities

CAPABILITIES: Final = Capabilities(
    "Heat",
    conditions=True,
    references="values",
    software="deployments",
    groups="resources",
    nesting="templates",
    waits=implicit_order.edges,
)
