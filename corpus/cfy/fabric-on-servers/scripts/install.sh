#!/bin/sh
apt-get install -y "${package:-postgresql}"
