"""Topology to TOSCA service template."""
