#!/bin/sh
probe
