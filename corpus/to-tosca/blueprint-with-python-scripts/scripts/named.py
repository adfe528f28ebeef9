#!/usr/bin/python3
print("named")
