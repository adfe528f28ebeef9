#!/bin/sh
echo joined
