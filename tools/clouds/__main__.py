"""``python tools/clouds`` records what the real OpenStack plugin makes of the corpus; see ``--help``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

from recording_command import main

sys.exit(main())
