"""The versions of TOSCA Simple Profile, and the one that has none."""

from typing import Final

#: the versions whose grammar is read
VERSIONS: Final = tuple(f"tosca_simple_yaml_1_{number}" for number in range(4))
VERSION_2_0: Final = "tosca_2_0"
#: the versions that are written, by the word for them; the first one is that of results where none is asked for
WRITTEN: Final = {"1.3": "tosca_simple_yaml_1_3", "2.0": VERSION_2_0}
LATEST: Final = WRITTEN["1.3"]
