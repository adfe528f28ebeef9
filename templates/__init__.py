"""Jinja2 templates: one per dialect, and the reports."""
