"""Software of nodes: configurations and deployments, and the operations that run them."""
