"""How the nodes of the OpenStack plugin reach the cloud: one ``client_config``, written once and referred to by
alias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bpconvert.options import Options
from bpconvert.yamlio.emit import Alias, Anchor

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft

#: key of ``client_config`` -> key of the 2.x plugin's ``openstack_config``
KEYS: dict[str, str] = {
    "auth_url": "auth_url",
    "username": "username",
    "password": "password",
    "project_name": "tenant_name",
    "region_name": "region",
    "user_domain_name": "user_domain_name",
    "project_domain_name": "project_domain_name",
}
REFERENCE = Alias("client_config")


def is_openstack(draft: NodeDraft) -> bool:
    """True for a node of the OpenStack plugin."""
    return draft.kind is not None and draft.kind.cloudify is not None and not draft.kind.cloudify.plain


def definition(
    options: Options, drafts: Sequence[NodeDraft], add_input: Callable[[str, dict[str, Any]], str]
) -> dict[str, Any] | None:
    """The ``dsl_definitions`` with the credentials, as secrets or inputs named ``openstack_<key>``; None where no node
    needs them or the user wants none. ``add_input``: adds an input of that name, or nearly so, and returns its
    name."""
    if options.client_config == "none" or not any(map(is_openstack, drafts)):
        return None
    value = {}
    for key, old in KEYS.items():
        place = f"openstack_{key}"
        name = old if options.plugin == "v2" else key
        if options.client_config == "inputs":
            data = {"type": "string", "description": f"OpenStack {key.replace('_', ' ')}"}
            value[name] = {"get_input": add_input(place, data)}
        else:
            value[name] = {"get_secret": place}
    return {"client_config": Anchor("client_config", value)}
