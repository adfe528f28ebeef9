#!/bin/sh
echo enrolled
