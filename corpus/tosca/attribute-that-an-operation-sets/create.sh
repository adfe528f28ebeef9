#!/bin/sh
echo t > ${heat_outputs_path}.address
