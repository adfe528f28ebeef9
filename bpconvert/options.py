"""The choices of one conversion."""

from __future__ import annotations

from typing import NamedTuple


class Options(NamedTuple):
    """What a user can choose.

    ``carry``: keep what the target cannot say in its metadata. ``dsl_version``: ``1_3`` ... ``1_5``; None is the
    lowest that
    can say the result. ``plugin``: ``v3`` or ``v2``, the family of OpenStack node types. ``files``: ``inline`` puts
    the text of
    ``get_file`` where it is used, ``copy`` also copies the file beside the result, ``keep`` leaves the reference to
    the user.
    ``client_config``: where the OpenStack credentials come from, ``secrets``, ``inputs`` or ``none``. ``templates``:
    a folder
    whose jinja2 templates override the built-in ones. ``allow_outside``: read files outside the source's folder."""

    carry: bool = True
    dsl_version: str | None = None
    plugin: str = "v3"
    files: str = "inline"
    client_config: str = "secrets"
    templates: str | None = None
    allow_outside: bool = False
