#!/bin/sh
test -n "$port"
