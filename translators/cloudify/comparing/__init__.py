"""How blueprints are compared with documents of other languages: see :mod:`~.comparing.model`.

nodes           attributes and order, components, and relationships that others have as nodes of their own
scripts         what operations run
engine          the real engine's values, and what it gets for the imports of a blueprint
"""

from typing import Final

from bpconvert.translators.cloudify.blueprint_metadata import seen
from bpconvert.translators.cloudify.comparing.engine import CloudifyEngine
from bpconvert.translators.cloudify.comparing.nodes import BlueprintInputs, Components, NodeTemplates
from bpconvert.translators.cloudify.comparing.scripts import Operations
from bpconvert.translators.comparing.model import Comparison

COMPARISON: Final = Comparison(NodeTemplates(), BlueprintInputs(), Operations(), Components(), CloudifyEngine(), seen)
