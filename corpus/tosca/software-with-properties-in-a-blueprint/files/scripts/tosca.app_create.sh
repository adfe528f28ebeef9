#!/bin/bash
ctx instance runtime-properties token "$(hostname):$(ctx node properties port)"
