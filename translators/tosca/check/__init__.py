"""What TOSCA engines refuse in a service template."""
