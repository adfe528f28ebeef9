"""How templates of Heat are compared with documents of other languages: see :mod:`~.comparing.model`.

nodes         groups, attributes, order
scripts       what Heat's agent runs
nesting       nested templates and stacks
engine        the real engine's values
"""

from typing import Final

from bpconvert.translators.comparing.model import Comparison
from bpconvert.translators.hot.comparing.engine import HeatEngine
from bpconvert.translators.hot.comparing.nesting import TemplateInputs, Templates
from bpconvert.translators.hot.comparing.nodes import Resources
from bpconvert.translators.hot.comparing.scripts import Deployments
from bpconvert.translators.hot.resource_metadata import seen

COMPARISON: Final = Comparison(Resources(), TemplateInputs(), Deployments(), Templates(), HeatEngine(), seen)
