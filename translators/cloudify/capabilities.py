"""What Cloudify's DSL can express."""

from typing import Final

from bpconvert.translators.cloudify.calls import DIALECT
from bpconvert.translators.cloudify.programs import SOFTWARE
from bpconvert.translators.cloudify.words import WORDS
from bpconvert.translators.passes.capabilities import Capabilities

CAPABILITIES: Final = Capabilities(
    "Cloudify",
    references="relationships",
    software="operations",
    groups="scaling",
    nesting="components",
    # cloudify_types: password_secret names the secret after the node
    shared_by_instances={"random_string": "all instances of one node have the same secret"},
    ascii_only=True,
    programs=SOFTWARE,
    language=DIALECT,
    words=WORDS,
)
