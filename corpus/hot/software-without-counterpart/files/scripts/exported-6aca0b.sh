#!/bin/sh
echo exported
