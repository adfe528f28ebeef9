"""Groups of resources."""
