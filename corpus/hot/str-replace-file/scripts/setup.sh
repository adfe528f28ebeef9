#!/bin/bash
# installs %name%
echo "it's 100% \"ready\"" >> '/var/log/%name%.log'
ip addr add %address%/24 dev eth0
