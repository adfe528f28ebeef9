"""OpenStack Heat HOT: function table, lift to the neutral topology."""

from typing import Final

#: the name of this language, by which its own nodes and calls are known
DIALECT: Final = "hot"
