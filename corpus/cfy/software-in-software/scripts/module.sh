#!/bin/sh
deploy "$name"
