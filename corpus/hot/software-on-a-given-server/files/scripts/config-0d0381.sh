#!/bin/sh
systemctl restart application
