#!/bin/sh
mkfs -t ext4 /dev/vdc
echo "listen on $address" > /etc/database.conf
