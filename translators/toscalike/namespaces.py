"""Namespaces of imports: what of an imported file gets a prefix, as rules that are made of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: the value with its names in the namespace
Rule = Callable[[Any, str], Any]


def unchanged(value: Any, namespace: str) -> Any:
    return value


def each_value(rewrite: Rule) -> Rule:
    """The rewriting of a map's values."""
    return lambda value, ns: {k: rewrite(v, ns) for k, v in value.items()} if isinstance(value, dict) else value


def each_item(rewrite: Rule) -> Rule:
    """The rewriting of a list's items."""
    return lambda value, ns: [rewrite(item, ns) for item in value] if isinstance(value, list) else value


def fields(**rules: Rule) -> Rule:
    """The rewriting of an object whose keys have rules of their own."""

    def rewrite(value: Any, namespace: str) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: rules.get(key, unchanged)(item, namespace) for key, item in value.items()}

    return rewrite
