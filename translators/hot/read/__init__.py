"""HOT to the neutral topology."""
