"""What the parser of Cloudify refuses in a blueprint, and what is doubtful."""
