#!/bin/bash -e
ctx instance runtime-properties url "http://localhost:${port}/${color}"
ctx instance runtime-properties seen "${flag} ${settings}"
