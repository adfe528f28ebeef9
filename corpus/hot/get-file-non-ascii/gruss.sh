#!/bin/sh
echo "grüß dich, 世界"
