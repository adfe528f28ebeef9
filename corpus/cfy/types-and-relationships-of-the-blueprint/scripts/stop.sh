#!/bin/sh
stop "$source"
