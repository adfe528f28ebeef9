#!/bin/sh
harden
