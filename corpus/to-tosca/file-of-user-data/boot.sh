#!/bin/sh
echo "it's up: $HOME"
