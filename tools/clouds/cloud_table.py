"""``corpus/clouds.json``: why a case has no recorded cloud, and the differences that no finding tells yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checkout import CORPUS
from corpus_cases import Case

if TYPE_CHECKING:
    from recording import Outcome

FILE = CORPUS / "clouds.json"


@dataclass
class Table:
    """``without``: case -> why, and the code of the finding that says so; ``unexplained``: case -> lines, no code tells
    them: defects, the table has to become empty."""

    without: dict[str, dict[str, Any]]
    unexplained: dict[str, list[str]]
    path: Path = FILE

    @classmethod
    def read(cls, path: Path = FILE) -> Table:
        found = json.loads(path.read_bytes()) if path.exists() else {}
        return cls(found.get("without", {}), found.get("UNEXPLAINED", {}), path)

    def put(self, case: Case, outcome: Outcome) -> None:
        self.without.pop(case.id, None)
        self.unexplained.pop(case.id, None)
        if outcome.unexplained:
            self.unexplained[case.id] = sorted(set(outcome.unexplained))
        if outcome.cloud is None:
            self.without[case.id] = {"why": outcome.why, **({"code": outcome.code} if outcome.code else {})}

    def write(self) -> None:
        data = {"without": dict(sorted(self.without.items())), "UNEXPLAINED": dict(sorted(self.unexplained.items()))}
        self.path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
