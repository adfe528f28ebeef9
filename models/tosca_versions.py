"""The versions of TOSCA Simple Profile."""

from typing import Final

#: the versions whose grammar this is; what is written is the last one
VERSIONS: Final = tuple(f"tosca_simple_yaml_1_{number}" for number in range(4))
LATEST: Final = VERSIONS[-1]
