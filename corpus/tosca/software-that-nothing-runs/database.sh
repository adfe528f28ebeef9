#!/bin/sh
echo database
