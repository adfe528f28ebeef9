"""``python tools/docs`` writes the generated pages of docs/; with ``--check`` it exits with 1 when one is stale.

bpconvert has to be installed: the pages are made from the tables of the installed package and from the corpus.
"""

from __future__ import annotations

import sys

from pages import main

sys.exit(main())
