#!/bin/sh
echo "$debug $modules $fixed"
