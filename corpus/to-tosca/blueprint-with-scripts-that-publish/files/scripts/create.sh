#!/bin/bash
ctx instance runtime-properties token $(hostname)
