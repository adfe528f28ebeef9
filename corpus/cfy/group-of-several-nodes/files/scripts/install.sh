#!/bin/sh
echo "$net $size"
