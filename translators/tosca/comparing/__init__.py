"""How service templates are compared with documents of other languages: see :mod:`~.comparing.model`.

nodes         resources that nodes stand for, and what engines see of a service template
"""

from typing import Final

from bpconvert.translators.comparing.model import Comparison
from bpconvert.translators.tosca.comparing.nodes import NodeTemplates, seen

COMPARISON: Final = Comparison(NodeTemplates(), seen=seen)
