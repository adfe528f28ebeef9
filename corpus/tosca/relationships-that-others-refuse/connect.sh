#!/bin/sh
echo connect
