#!/bin/sh
echo done > /tmp/done
