#!/bin/sh
apt-get install -y prometheus-node-exporter
echo "listen on $port, report to $network"
