#!/bin/sh
echo "here"
