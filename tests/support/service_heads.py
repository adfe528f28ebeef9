"""How service templates of tests begin."""

HEAD = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.nova.Server:
    derived_from: tosca.nodes.Compute
    metadata: {heat_name: "OS::Nova::Server"}
    properties: {flavor: {type: string}}
"""
