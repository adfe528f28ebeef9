"""Edits of a person in a converted document, converted back: each has to be that edit in the source, and nothing else.

    python benchmarks/edits.py DIRECTION [PATTERN] [--each N] [--seed N] [--kinds KIND,...] [--list] [--min SHARE]

DIRECTION is ``hot2cfy``, ``hot2tosca``, ``cfy2hot``, ``cfy2tosca``, ``tosca2hot`` or ``tosca2cfy``. Without real
templates in ../shared/realworld those of the corpus are taken; PATTERN: only those whose path has it. Per document, N
edits of each kind are drawn by its bytes and the seed, each alone. An edit is *right* where the source that comes back
has at most six changed lines, keeps its comments, and means what the edited document means; *reported* where a finding
above info names its place. The exit code is 1 where fewer than SHARE are right or reported, or one is lost without a
word.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bpconvert import Result, convert
from bpconvert.diagnostics import BpconvertError
from bpconvert.verification import verify

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = {"hot": "hot", "cfy": "cloudify", "tosca": "tosca"}
#: lines that one edit may change
MOST_LINES = 6
LINE = re.compile(r"^(\s+)([\w.-]+): (\d{1,6}|[a-z][a-z0-9_.-]{2,30})$")
ITEM = re.compile(r"^(\s+)- (\d{1,6}|[a-z][a-z0-9_.-]{2,30})$")
CONSTANTS = {
    "true", "false", "null", "string", "number", "integer", "float", "boolean", "json", "list", "map", "dict", "yes",
    "no", "on", "off", "inherit", "none",
}  # fmt: skip
#: keys whose value is more than a value
KEYS = {
    "type", "get_param", "get_resource", "get_input", "get_file", "target", "node", "derived_from", "implementation",
    "version", "condition", "template", "get_secret", "sum", "digest", "text", "language", "capability", "relationship",
    "description", "heat_name", "capabilities", "config", "executor", "group", "format", "external_id", "id",
}  # fmt: skip


class Edit(NamedTuple):
    """The lines of a document after an edit; ``what`` it is, ``new``: the text that has to come back, ``line``: its
    place, ``owner``: the entry that it is in."""

    lines: list[str]
    what: str
    new: str
    line: int
    owner: str


class Outcome(NamedTuple):
    """What became of an edit."""

    path: Path
    edit: str
    kind: str
    detail: str = ""


def main() -> int:
    """Print how many edits come back right; the exit code."""
    parser = argparse.ArgumentParser(description="Print how many edits come back as that edit, and nothing else.")
    parser.add_argument("direction")
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--each", type=int, default=1, help="edits of each kind and document")
    parser.add_argument("--seed", default="", help="draws other places")
    parser.add_argument("--kinds", default="value", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--list", action="store_true", help="print what is not right")
    parser.add_argument("--min", type=float, default=0.0)
    chosen = parser.parse_args()
    source, target = chosen.direction.split("2")
    found: list[Outcome] = []
    for path in templates(source):
        if chosen.pattern in str(path):
            found += outcomes(path, LANGUAGES[source], LANGUAGES[target], chosen)
            if chosen.list:
                for one in found:
                    if one.kind not in ("right", "reported"):
                        print(f"{one.path}: {one.edit}: {one.kind} {one.detail}", flush=True)
                good, found = found, []
                TALLY.update(one.kind for one in good)
    TALLY.update(one.kind for one in found)
    right, every = TALLY["right"] + TALLY["reported"], sum(TALLY.values())
    print(f"{chosen.direction}: {right} of {every} ({100 * right / max(1, every):.1f} %): {dict(TALLY.most_common())}")
    return 1 if right < chosen.min * every or TALLY["lost without a word"] else 0


TALLY: Counter[str] = Counter()


def templates(family: str) -> Iterator[Path]:
    """The documents of a language."""
    real = ROOT.parent / "shared" / "realworld" / family
    if (real / "manifest.json").exists():
        files = json.loads((real / "manifest.json").read_text("utf-8"))["files"]
        yield from (
            real / one["path"] for one in files if one["role"] == "primary" and not one["path"].endswith("csar")
        )
    else:
        yield from sorted((ROOT / "corpus" / family).rglob("*.yaml"))


def outcomes(path: Path, source: str, target: str, chosen: argparse.Namespace) -> list[Outcome]:
    """What becomes of the edits of one document."""
    try:
        made = convert(path, source, target)
    except (BpconvertError, OSError):
        return []
    seed = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    lines = made.text.split("\n")
    found = []
    for kind in chosen.kinds.split(","):
        edits = list(KINDS[kind](lines))
        draw = random.Random(f"{seed}{chosen.seed}") if chosen.seed else random.Random(int(seed, 16))
        for edit in draw.sample(edits, min(chosen.each, len(edits))):
            found.append(outcome(path, source, target, made, edit))
    return found


def outcome(path: Path, source: str, target: str, made: Result, edit: Edit) -> Outcome:
    """What becomes of one edit."""
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / "a" / "out.yaml"
        for file, text in {
            there: "\n".join(edit.lines),
            **{there.parent / name: t for name, t in made.files.items()},
        }.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        try:
            back = convert(there, target, source)
        except BpconvertError as error:
            return Outcome(path, edit.what, "not converted back", str(error)[:100])
        result = Path(folder) / "b" / path.name
        for file, text in {result: back.text, **{result.parent / name: t for name, t in back.files.items()}}.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return _judged(path, back, edit, result, there, (source, target))


def _judged(path: Path, back: Result, edit: Edit, result: Path, there: Path, way: tuple[str, str]) -> Outcome:
    source, target = way
    was, now = path.read_text("utf-8-sig").splitlines(), back.text.splitlines()
    diff = [
        line
        for line in difflib.unified_diff(was, now, lineterm="", n=0)
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    size = max(sum(line[0] == "+" for line in diff), sum(line[0] == "-" for line in diff))
    lost = Counter(line.strip() for line in was if line.strip().startswith("#"))
    lost = lost - Counter(line.strip() for line in now if line.strip().startswith("#"))
    findings = [one for one in back.diagnostics if one.severity > "info"]
    at = [one for one in findings if one.line == edit.line or edit.owner in f"{one.path}{one.message}"]
    if (edit.new and not any(edit.new in line for line in diff if line[0] == "+")) or not diff:
        return Outcome(path, edit.what, "reported" if at else "lost without a word")
    if lost and not edit.what.startswith("remove"):
        return Outcome(path, edit.what, "comment lost", next(iter(lost))[:60])
    if size > MOST_LINES:
        return Outcome(path, edit.what, "more than 6 lines", f"{size}{' reported' if at else ''}")
    there_again = convert(result, source, target, carry=False).diagnostics
    silent = [one for one in verify(result, there, reported=there_again).differences if not one.is_reported]
    if silent:
        return Outcome(path, edit.what, "differs", f"{silent[0].what}{' reported' if at else ''}")
    return Outcome(path, edit.what, "right")


# -- kinds of edits -----------------------------------------------------------------------------------------


def _places(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Every line that is content, with the keys around it."""
    path: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        while path and path[-1][0] >= indent:
            path.pop()
        yield number, [name for _, name in path]
        key = re.match(r"^\s*(?:- )?['\"]?([\w.:-]+)['\"]?:", line)
        if key:
            path.append((indent, key[1]))


def _owner(names: list[str]) -> str:
    return names[2] if names[0] == "topology_template" else names[1]


def _is_value(names: list[str]) -> bool:
    return (
        bool({"properties", "inputs"} & set(names[2:]))
        and names[0] in ("resources", "node_templates", "topology_template")
        and not any("bpconvert" in name for name in names)
    )


def values(lines: list[str]) -> Iterator[Edit]:
    """A plain value below properties or inputs is changed."""
    for number, names in _places(lines):
        match = LINE.match(lines[number])
        if match and match[2] not in KEYS and match[3] not in CONSTANTS and _is_value(names):
            new = str(int(match[3]) + 1) if match[3].isdigit() else match[3] + "x"
            edited = [*lines[:number], f"{match[1]}{match[2]}: {new}", *lines[number + 1 :]]
            yield Edit(edited, f"{match[2]}: {match[3]} -> {new}", new, number + 1, _owner(names))


def items(lines: list[str]) -> Iterator[Edit]:
    """A plain item of a list is repeated with another value."""
    for number, names in _places(lines):
        match = ITEM.match(lines[number])
        if match and match[2] not in CONSTANTS and names and _is_value(names) and names[-1] not in KEYS:
            new = str(int(match[2]) + 1) if match[2].isdigit() else match[2] + "x"
            edited = [*lines[: number + 1], f"{match[1]}- {new}", *lines[number + 1 :]]
            yield Edit(edited, f"add - {new}", new, number + 1, _owner(names))


def removed(lines: list[str]) -> Iterator[Edit]:
    """A plain property is removed."""
    for number, names in _places(lines):
        match = LINE.match(lines[number])
        if (
            match
            and match[2] not in KEYS
            and match[3] not in CONSTANTS
            and _is_value(names)
            and names[-1] == "properties"
        ):
            edited = [*lines[:number], *lines[number + 1 :]]
            yield Edit(edited, f"remove {match[2]}: {match[3]}", "", number + 1, _owner(names))


KINDS: dict[str, Any] = {"value": values, "item": items, "removed": removed}


if __name__ == "__main__":
    sys.exit(main())
