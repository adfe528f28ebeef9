import urllib2
print "there"
