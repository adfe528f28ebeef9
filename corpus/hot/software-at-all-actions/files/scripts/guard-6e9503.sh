#!/bin/bash
/usr/local/bin/guard --level "$level" --at "$deploy_action" --as "$deploy_resource_name"
