#!/bin/sh
apt-get install -y python3
