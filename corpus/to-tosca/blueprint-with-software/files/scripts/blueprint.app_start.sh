#!/bin/sh
cd /srv || exit 1
eval "set -- $script_arguments"
echo start
