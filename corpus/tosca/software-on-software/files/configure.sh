#!/bin/sh
echo configure
