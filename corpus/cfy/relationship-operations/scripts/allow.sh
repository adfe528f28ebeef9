#!/bin/sh
echo allowed
