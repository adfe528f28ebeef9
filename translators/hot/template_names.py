"""The names of templates: what Heat takes for a template and not for a type."""

from typing import Final

#: the endings by which Heat knows the name of a template (heat/engine/environment.py)
TEMPLATE_ENDINGS: Final = (".yaml", ".template")
