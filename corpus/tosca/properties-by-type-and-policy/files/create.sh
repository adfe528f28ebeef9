#!/bin/sh
echo "$PLACE $UPPER $LOWER"
