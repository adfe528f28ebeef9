"""Comparing what two documents mean. What a language adds, its adapter says (:mod:`~.comparing.model`).

side          one of the documents, and what it is under given inputs and runtime values
draws         inputs and attributes drawn at random (patterns: texts for regular expressions)
parts         the nodes that exist, with their values in one form, and what waits for what (effective: what OpenStack
              makes of properties)
members       single nodes for groups and instances, also for nodes that are scaled together
canonical     what one language has as nodes and the other as parts of nodes (interfaces; roles_and_routes: roles,
              routes), in one form
scripts       what runs on servers
nested        pairs of the documents that both nest, under the values that their components hand on
natively      the values of the real engines
compare       pairs of parts, and where they differ
reported      which diagnostics of a conversion name the place of a difference
"""
