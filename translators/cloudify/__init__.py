"""Cloudify DSL: function table, lowering of the neutral topology."""
