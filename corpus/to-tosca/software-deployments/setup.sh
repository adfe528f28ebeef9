#!/bin/sh
echo $PORT
