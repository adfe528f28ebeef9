"""The command line: a module per command, and the shapes of findings."""
