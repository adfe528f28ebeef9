#!/bin/sh
date
