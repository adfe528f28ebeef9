"""Comparing what two documents mean.

side          one of the documents, and what it is under given inputs and runtime values
draws         inputs and attributes drawn at random (patterns: texts for regular expressions)
parts         the nodes that exist, with their values in one form (effective: what Heat makes of properties)
members       single nodes for groups and instances (scaled: for nodes that are scaled together)
canonical     what one language has as nodes and the other as parts of nodes (interfaces, roles, routes, links,
              stand_ins, configs), in one form
scripts       what runs on servers (scripts_form, scripts_heat, scripts_cloudify)
order         what waits for what
nested        pairs of the documents that both nest, under the values that their components hand on
natively      the values of the real engines (refused: what stands for values that one refuses)
compare       pairs of parts, and where they differ
reported      which diagnostics of a conversion name the place of a difference
"""
