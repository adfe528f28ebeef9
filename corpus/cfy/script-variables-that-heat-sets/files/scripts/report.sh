#!/bin/sh
echo "$deploy_action of $deploy_resource_name on $deploy_server_id ($deploy_target, $deploy_region_name)"
