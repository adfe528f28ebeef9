#!/bin/sh
ctx download-resource goodbye.txt /etc/motd
