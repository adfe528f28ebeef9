"""TOSCA Simple Profile in YAML: 1.0 to 1.3 are read and 1.3 is written."""

from typing import Final

DIALECT: Final = "tosca"
