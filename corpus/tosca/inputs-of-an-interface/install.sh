#!/bin/sh
echo "$user $level"
