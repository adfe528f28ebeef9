#!/bin/sh -e
# '%' and "quotes" stay
echo "hello $who" > "$heat_outputs_path.result"
