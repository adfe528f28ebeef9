"""What languages with node templates and typed relationships share. Their words are parameters."""
