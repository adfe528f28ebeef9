package { "store": ensure => installed }
