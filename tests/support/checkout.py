"""Where things are: the checkout, its corpus, and the folder beside it with real templates and the engines' scripts."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
SHARED = ROOT.parent / "shared"
REALWORLD = SHARED / "realworld"
