#!/bin/sh
echo create
