"""Nested documents."""
