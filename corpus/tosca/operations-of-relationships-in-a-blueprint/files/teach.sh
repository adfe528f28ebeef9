#!/bin/sh
echo "$before $number"
