#!/bin/sh
ctx download-resource shop.conf /etc/shop.conf
