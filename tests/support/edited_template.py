"""A template whose results are edited."""

TEMPLATE = """\
# Two servers on a network.
heat_template_version: 2016-10-14

parameters:
  image:    {type: string, default: "0123"}   # kept as text
  flavor:
    type: string
    default: m1.small

conditions:
  big: {equals: [{get_param: flavor}, m1.large]}

resources:

  # the network
  net:
    type: OS::Neutron::Net
    properties: {name: "yes"}

  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: 10.0.0.0/24

  router:
    type: OS::Neutron::Router

  plug:   # has no node of its own
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}

  web:
    type: OS::Nova::Server
    depends_on: plug
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      networks: [{network: {get_resource: net}}]
      user_data_format: RAW
      user_data:
        str_replace:
          template: host=$name
          params: {$name: {get_param: "OS::stack_name"}}

  db:
    type: OS::Nova::Server
    condition: big
    properties: {image: {get_param: image}, flavor: m1.tiny}

outputs:
  id: {value: {get_resource: web}}   # of the web server
"""
