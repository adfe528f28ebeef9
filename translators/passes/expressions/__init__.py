"""Rewritings of expressions."""
