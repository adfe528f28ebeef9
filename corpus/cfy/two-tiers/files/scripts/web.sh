#!/bin/sh
start --db "$db_host:$db_port"
