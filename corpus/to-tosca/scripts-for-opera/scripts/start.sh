#!/bin/bash -e
ls >/dev/null
