"""How blueprints are compared with documents of other languages: see :mod:`~.comparing.language`.

nodes           attributes and order (links: relationships that others have as nodes of their own)
scripts         what operations run
nesting         components
engine          the real engine's values (engine_imports: what it gets for the imports of a blueprint)
"""

from typing import Final

from bpconvert.translators.cloudify.comparing.engine import CloudifyEngine
from bpconvert.translators.cloudify.comparing.nesting import BlueprintInputs, Components
from bpconvert.translators.cloudify.comparing.nodes import NodeTemplates
from bpconvert.translators.cloudify.comparing.scripts import Operations
from bpconvert.translators.comparing.language import Comparison

COMPARISON: Final = Comparison(NodeTemplates(), BlueprintInputs(), Operations(), Components(), CloudifyEngine())
