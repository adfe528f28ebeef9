"""The versions of TOSCA Simple Profile."""

from typing import Final

#: the versions whose grammar is read
VERSIONS: Final = tuple(f"tosca_simple_yaml_1_{number}" for number in range(4))
#: the versions that are written, and the one that results are of
WRITTEN: Final = ("tosca_simple_yaml_1_3",)
LATEST: Final = WRITTEN[-1]
