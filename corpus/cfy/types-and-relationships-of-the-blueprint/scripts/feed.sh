#!/bin/sh
feed "$queue"
