"""OpenStack Heat HOT: function table, lift to the neutral topology."""
