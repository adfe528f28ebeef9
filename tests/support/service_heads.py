"""How service templates of tests begin."""

HEAD = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.nova.Server:
    derived_from: tosca.nodes.Compute
    metadata: {heat_name: "OS::Nova::Server"}
    properties: {flavor: {type: string}}
"""
#: software on a machine, up to its operations (``%s``)
SOFTWARE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      interfaces: {Standard: {operations: {%s}}}
"""
