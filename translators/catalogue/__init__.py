"""The type catalogue: one YAML file per kind of resource."""
