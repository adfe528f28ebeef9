"""What the specification of TOSCA 2.0 refuses in a TOSCA file."""
