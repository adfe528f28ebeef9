#!/bin/sh
hostnamectl set-hostname "$deploy_resource_name"
