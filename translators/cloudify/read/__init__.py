"""Cloudify blueprints to the neutral topology."""
