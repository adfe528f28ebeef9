"""The OpenStack plugin, by topic: what it does with properties, relationships and attributes."""
