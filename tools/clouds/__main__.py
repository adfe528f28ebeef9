"""``python tools/clouds`` records what the real OpenStack plugin makes of the corpus; see ``--help``."""

from __future__ import annotations

import sys

from recording_command import main

sys.exit(main())
