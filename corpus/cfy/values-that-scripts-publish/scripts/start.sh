database --daemon &
ctx instance runtime_properties pid $!
