#!/bin/sh
createdb "$name"
