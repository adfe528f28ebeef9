"""Software deployments of Heat."""

from __future__ import annotations

import re
from typing import Final

from bpconvert.translators.hot import resource_types
from bpconvert.translators.passes.programs import Software

#: variables that Heat itself adds (heat: software_deployment.py, DERIVED_CONFIG_INPUTS)
_DERIVED: Final = re.compile(
    r"\bdeploy_(?:server_id|action|signal_id|stack_id|resource_name|auth_url|username|password|project_id|user_id"
    r"|signal_verb|signal_transport|queue_id|region_name)\b"
)

SOFTWARE: Final = Software(
    resource_types.SOFTWARE_CONFIG,
    resource_types.SOFTWARE_DEPLOYMENT,
    _DERIVED,
    ungrouped=("ungrouped", "Heat::Ungrouped"),
)
