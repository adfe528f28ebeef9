#!/bin/sh
echo created
