#!/bin/sh
killall app
