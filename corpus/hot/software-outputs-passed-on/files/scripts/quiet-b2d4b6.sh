#!/bin/sh
set -u
date > "$heat_outputs_path.log"
