#!/bin/sh
set -e
echo setup
