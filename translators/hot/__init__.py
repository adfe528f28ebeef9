"""OpenStack Heat HOT: its functions, what reads it and what writes it."""

from typing import Final

#: the name of this language, by which its own nodes and calls are known
DIALECT: Final = "hot"
