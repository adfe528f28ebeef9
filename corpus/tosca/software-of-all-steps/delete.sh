#!/bin/sh
echo delete
