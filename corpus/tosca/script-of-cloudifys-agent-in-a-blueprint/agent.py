from cloudify import ctx
from cloudify.state import ctx_parameters

ctx.instance.runtime_properties["size"] = ctx_parameters["size"]
