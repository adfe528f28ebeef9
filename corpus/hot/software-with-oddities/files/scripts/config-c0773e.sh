curl -X POST "$deploy_signal_id" --data "$deploy_stack_id on $deploy_server_id"
