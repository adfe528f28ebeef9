#!/bin/sh
echo "$NETWORK"
