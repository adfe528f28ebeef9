#!/bin/sh
cat /etc/ssh/ssh_host_ed25519_key.pub > "$heat_outputs_path.key"
