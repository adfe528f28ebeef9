#!/bin/bash
# greets
echo "$greeting from $address"
