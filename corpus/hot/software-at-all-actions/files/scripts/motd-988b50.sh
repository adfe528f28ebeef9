#!/bin/sh
echo "übrigens: $text" > /etc/motd
