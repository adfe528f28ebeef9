"""The typed forms of every language: expressions, the neutral topology, HOT and Cloudify."""
