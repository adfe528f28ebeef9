#!/bin/sh
echo 'gone.sh was not there when this was converted' >&2
exit 1
