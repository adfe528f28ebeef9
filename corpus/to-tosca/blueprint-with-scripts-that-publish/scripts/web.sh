#!/bin/bash
echo "$token" > /etc/token
