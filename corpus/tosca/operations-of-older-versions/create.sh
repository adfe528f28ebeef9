#!/bin/sh
echo "create $PORT"
