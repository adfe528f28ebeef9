"""The versions that a document can be of: which grammar each is read with, and what its functions begin with."""

from __future__ import annotations

import re
from typing import Final

from bpconvert.models.light import NamedTuple
from bpconvert.models.tosca_versions import VERSION_2_0 as VERSION_2_0
from bpconvert.models.tosca_versions import VERSIONS


class Version(NamedTuple):
    """``like``: the version whose grammar it is read with; ``known``: some engine takes it; ``prefix``: what the names
    of functions begin with; ``kin``: it is known to be like that one;
    ``engine``: the only one that takes it."""

    like: str
    known: bool = True
    prefix: str = ""
    kin: bool = True
    engine: str = ""


#: versions that say what they are besides those of the Simple Profile -> what they are like
_VERSIONS: Final[dict[str, Version]] = {
    **{name: Version(name) for name in VERSIONS},
    VERSION_2_0: Version(VERSION_2_0, prefix="$"),
    "tosca_simple_profile_for_nfv_1_0": Version(VERSIONS[2]),
    "tosca_simple_profile_for_nfv_1_0_0": Version(VERSIONS[0]),
    "tosca_simple_profile_for_mec_1_0_0": Version(VERSIONS[0]),
}
#: how versions of a single engine begin -> that engine
_OWN: Final = {"alien_dsl_": "Alien4Cloud"}
#: how other versions begin -> what they are like; the first that fits counts
_KIN: Final = (
    (re.compile(r"tosca_simple_(yaml|profile_for_nfv)_1_0.*"), VERSIONS[0]),
    (re.compile(r"tosca_simple_yaml_1_1.*"), VERSIONS[1]),
    (re.compile(r"tosca_simple_yaml_1_2.*"), VERSIONS[2]),
    (re.compile(r"alien_dsl_.*"), VERSIONS[0]),
    (re.compile(r"tosca_2.*"), VERSION_2_0),
)


def version(name: str | None) -> Version:
    """What is known of a version; of an unknown one what it is taken for."""
    version_known = _VERSIONS.get(name or "")
    if version_known is not None:
        return version_known
    like = next((like for pattern, like in _KIN if pattern.fullmatch(name or "")), None)
    engine = next((engine for start, engine in _OWN.items() if (name or "").startswith(start)), "")
    return _VERSIONS[like or VERSIONS[-1]]._replace(known=False, kin=like not in (None, VERSION_2_0), engine=engine)
