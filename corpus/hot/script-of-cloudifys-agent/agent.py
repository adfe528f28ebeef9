#!/usr/bin/env python3
from cloudify import ctx

ctx.logger.info("x")
