"""The kinds of nodes that are software: configurations, and what runs them."""

from __future__ import annotations

from typing import Final

#: kinds that are texts
CONFIGS: Final = ("software_config", "multipart_mime")
DEPLOYMENT: Final = "software_deployment"
DEPLOYMENT_GROUP: Final = "software_deployment_group"
ALL: Final = frozenset({*CONFIGS, DEPLOYMENT, DEPLOYMENT_GROUP})
#: attributes that every deployment publishes besides its declared outputs
PUBLISHED: Final = ("deploy_stdout", "deploy_stderr", "deploy_status_code")
