#!/bin/sh
echo "$job" > "$heat_outputs_path.key"
