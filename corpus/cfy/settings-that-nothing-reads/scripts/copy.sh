#!/bin/sh
scp -i "$KEY" shop:/data /backup
