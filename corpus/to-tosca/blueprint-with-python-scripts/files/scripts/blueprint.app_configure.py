#!/usr/bin/env python2
import urllib2
print "there"
