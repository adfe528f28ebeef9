#!/bin/sh
vacuumdb --all
