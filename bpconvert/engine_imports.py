"""What the imports of a blueprint define, as far as bpconvert knows it: for the real Cloudify parser, offline.

The parser needs the content of every import. That of Cloudify's own types and of the OpenStack and utilities plugins
is written from the facts of :mod:`bpconvert.translators.schemas`: types with their properties, without interfaces
(so operations are only those that the blueprint has itself), and the names of the plugins.
"""

from __future__ import annotations
