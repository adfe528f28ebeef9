from cloudify.state import ctx_parameters
print(ctx_parameters)
