"""How service templates are compared with documents of other languages: see :mod:`~.comparing.model`.

documents     nodes for which a document stands
nodes         resources that nodes stand for
scripts       what operations run
"""

from typing import Final

from bpconvert.translators.comparing.model import Comparison
from bpconvert.translators.tosca.comparing.documents import Documents
from bpconvert.translators.tosca.comparing.nodes import NodeTemplates
from bpconvert.translators.tosca.comparing.scripts import Operations
from bpconvert.translators.tosca.template_metadata import seen

COMPARISON: Final = Comparison(NodeTemplates(), nesting=Documents(), scripts=Operations(), seen=seen)
