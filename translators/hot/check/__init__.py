"""What Heat refuses in a template, and what is doubtful."""
