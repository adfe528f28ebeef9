#!/bin/sh
touch /ready
