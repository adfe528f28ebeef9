"""What Cloudify's DSL can express."""

from typing import Final

from bpconvert.translators.cloudify.words import WORDS
from bpconvert.translators.passes.capabilities import Capabilities

CAPABILITIES: Final = Capabilities(
    "Cloudify",
    references="relationships",
    software="operations",
    groups="scaling",
    nesting="components",
    ascii_only=True,
    words=WORDS,
)
