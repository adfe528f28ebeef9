"""Small helpers without knowledge of any language: graphs, places in data, names."""
