#!/bin/sh
kill "$(ctx instance runtime_properties pid)" || ctx logger warning "it is gone"
