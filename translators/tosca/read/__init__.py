"""TOSCA service template to topology."""
