#!/bin/bash
ctx download-resource conf/app.conf /etc/app.conf
ctx instance runtime-properties token $(hostname)
