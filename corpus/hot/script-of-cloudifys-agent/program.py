#!/usr/bin/env python3
ctx = {"name": "ctx"}
print(ctx)
