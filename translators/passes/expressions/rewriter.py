"""Rewriting expressions until a language has a form for them."""

from __future__ import annotations


class Unsupported(Exception):
    """The target has no form for an expression; ``reason`` completes "not converted: ..."."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
