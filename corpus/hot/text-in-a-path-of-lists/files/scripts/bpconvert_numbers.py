"""The numbers of a group's members in Heat, from 0, by their numbers in Cloudify, from 1."""

from cloudify import ctx

ctx.instance.runtime_properties["result"] = [0] + list(range(1000))
