#!/bin/sh
echo added
