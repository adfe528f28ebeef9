"""Comparing what two documents mean.

side        one of the documents, and what it is under given inputs and runtime values
draws       inputs and attributes drawn at random
parts       the nodes that exist, with their values in one form
effective   what Heat makes of the values of properties
compare     pairs of parts, and where they differ
nested      pairs of the documents that both nest, under the values that their components hand on
scaled      the instances of nodes that are scaled together
"""
