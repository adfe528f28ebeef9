#!/bin/sh
set -e
echo "site" > /srv/index.html
