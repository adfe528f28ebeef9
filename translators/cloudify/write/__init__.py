"""The neutral topology to Cloudify blueprints."""
