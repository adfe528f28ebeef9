#!/bin/sh
echo "$db_ip $db_name"
