#!/bin/sh
echo unused
