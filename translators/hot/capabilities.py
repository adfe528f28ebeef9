"""What HOT can express."""

from typing import Final

from bpconvert.translators.hot import DIALECT, implicit_order
from bpconvert.translators.hot.arguments import PSEUDO_PARAMETERS
from bpconvert.translators.hot.functions import NAMES
from bpconvert.translators.hot.group_types import GROUPS
from bpconvert.translators.hot.programs import SOFTWARE
from bpconvert.translators.hot.template_names import TEMPLATE_ENDINGS
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.passes.words import Words

CAPABILITIES: Final = Capabilities(
    "Heat",
    conditions=True,
    references="values",
    software="deployments",
    groups="templates",
    nesting="templates",
    nested_identity="OS::stack_id",
    document_types=TEMPLATE_ENDINGS,
    group_types=GROUPS,
    programs=SOFTWARE,
    waits=implicit_order.edges,
    language=DIALECT,
    words=Words(
        {"version": "heat_template_version", "inputs": "parameters", "nodes": "resources"},
        facts={fact: name for name, fact in PSEUDO_PARAMETERS.items()},
        calls=NAMES,
    ),
)
