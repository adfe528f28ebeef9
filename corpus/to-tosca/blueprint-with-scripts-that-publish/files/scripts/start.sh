#!/bin/bash
systemctl start app
