"""The neutral topology to HOT."""
