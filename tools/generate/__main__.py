"""``python tools/generate`` writes what is generated from other parts of the package and is stale; with ``--check`` it
exits with 1 when something is. bpconvert has to be installed."""

from __future__ import annotations

import sys

from generated_files import main

sys.exit(main(sys.argv[1:]))
