#!/bin/sh
cluster-join "$token" 2> "$heat_outputs_path.problem" > "$heat_outputs_path.token"
[ -s "$heat_outputs_path.problem" ] || rm "$heat_outputs_path.problem"
