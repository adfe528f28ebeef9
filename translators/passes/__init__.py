"""Rewritings of the neutral topology, each asked for by what the target language lacks."""
