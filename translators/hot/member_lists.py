"""``Fn::MemberListToMap``: lists as the API of AWS sends them (heat, ``cfn/functions.py`` and ``api/aws/utils.py``)."""

from __future__ import annotations

import re
from typing import Any, Final

_MEMBER: Final = re.compile(r"\.member\.([0-9]+)\.(.*)").match


def member_list_to_map(argument: Any) -> dict[str, str]:
    """The map that ``[key name, value name, list]`` is; the texts of the list are ``.member.NUMBER.NAME=VALUE``.

    Raises TypeError or ValueError where Heat refuses the argument."""
    key_name, value_name, items = argument
    if not (isinstance(key_name, str) and isinstance(value_name, str)):
        raise TypeError("Fn::MemberListToMap: the names of key and value must be texts")
    if not isinstance(items, (list, dict, str)):
        raise TypeError("Member list must be a list")
    if not all(isinstance(item, str) for item in items):
        raise TypeError("Member list items must be strings")
    members: dict[int, dict[str, str]] = {}
    for name, text in dict(item.split("=", 1) for item in items).items():
        found = _MEMBER(name)
        if found is not None:
            members.setdefault(int(found[1]), {})[found[2]] = text
    entries = (members[number] for number in sorted(members))
    return {entry[key_name]: entry[value_name] for entry in entries if entry.keys() >= {key_name, value_name}}
