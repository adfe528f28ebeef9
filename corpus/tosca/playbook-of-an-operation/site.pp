notify { "hello": }
