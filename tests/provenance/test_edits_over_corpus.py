"""Edits of every kind, drawn over the corpus: each comes back as that edit, and means what was edited, or is reported
at its place."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from json import dumps, loads
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from checkout import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpconvert import Result, convert
from bpconvert.diagnostics import BpconvertError
from bpconvert.translators.provenance.differences import changed_lines
from bpconvert.verification import verify
from bpconvert.yamlio.document import load

FAMILIES = {"hot": "hot", "cfy": "cloudify", "tosca": "tosca"}
#: what may have entries that a person edits
SECTIONS = ("parameters", "inputs", "resources", "node_templates", "outputs")
WORD = re.compile(r"^( +)([\w.-]+): (\d{1,5}|[a-z][a-z0-9_.-]{2,30})$")
ITEM = re.compile(r"^( +)- (\d{1,5}|[a-z][a-z0-9_.-]{2,30})$")
#: where what is kept for the way back begins
RECORD = re.compile(r"(\n  bpconvert(?:_sidecar)?:(?: \|)?\n)")
COMMENT = re.compile(r"^ *# (?!BPC)\w")
CONSTANTS = {
    "true",
    "false",
    "null",
    "string",
    "number",
    "integer",
    "boolean",
    "json",
    "list",
    "map",
    "dict",
    "comma_delimited_list",
}
#: where a name stands for an entry
REFERENCE = re.compile(r"^( .*?\b(?:get_resource|get_param|get_input|target|node): )([\w-]+)(?=[}\],]|$)")
FIXED = {"type", "derived_from", "target", "node", "get_resource", "get_param", "get_input", "condition"}


class Entry(NamedTuple):
    """An entry of a document: its section and name, and the lines that it has."""

    section: str
    name: str
    begin: int
    end: int


class Edit(NamedTuple):
    """The lines after an edit of an entry; ``name``: what the entry is called then, "" where it is gone; ``comment``:
    the one that was edited."""

    lines: list[str]
    entry: Entry
    name: str
    comment: str = ""

    def refers_to(self) -> set[str]:
        """What a changed reference names now."""
        found = [REFERENCE.match(line) for line in self.lines[self.entry.begin : self.entry.end]]
        return {match[2] for match in found if match}


def entries(lines: list[str]) -> Iterator[Entry]:
    """The entries of the sections, as our layout writes them."""
    section, pad, started = "", 0, None
    for number, line in enumerate([*lines, "end:"]):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if started is not None and indent <= pad:
            if not started[0].startswith(("external_", "bpconvert")):  # called after what it is
                yield Entry(section, started[0], started[1], number)
            started = None
        if section and indent < pad:
            section = ""
        match = re.match(r"^( *)([\w.-]+):", line)
        if section and indent == pad and match:
            started = (match[2], number)
        elif (
            not section and match and line.rstrip() == f"{match[1]}{match[2]}:" and match[2] in SECTIONS and indent <= 2
        ):
            section, pad = match[2], indent + 2


def places(lines: list[str], entry: Entry, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines of an entry that are what a person may edit; what is kept for the way back is not."""
    kept: int | None = None
    for number in range(entry.begin + 1, entry.end):
        indent = len(lines[number]) - len(lines[number].lstrip())
        kept = None if kept is not None and indent <= kept and lines[number].strip() else kept
        if "bpconvert" in lines[number]:
            kept = indent
        match = pattern.match(lines[number])
        if kept is None and match:
            yield number, match


def values(lines: list[str], entry: Entry) -> Iterator[Edit]:
    for number, match in places(lines, entry, WORD):
        if match[3] not in CONSTANTS and match[2] not in FIXED:
            new = str(int(match[3]) + 1) if match[3].isdigit() else match[3] + "x"
            yield Edit([*lines[:number], f"{match[1]}{match[2]}: {new}", *lines[number + 1 :]], entry, entry.name)


def items_added(lines: list[str], entry: Entry) -> Iterator[Edit]:
    for number, match in places(lines, entry, ITEM):
        yield Edit([*lines[: number + 1], f"{match[1]}- {match[2]}x", *lines[number + 1 :]], entry, entry.name)


def items_removed(lines: list[str], entry: Entry) -> Iterator[Edit]:
    for number, match in places(lines, entry, ITEM):
        if any(re.match(rf"{match[1]}- ", lines[near]) for near in (number - 1, number + 1) if near < len(lines)):
            yield Edit([*lines[:number], *lines[number + 1 :]], entry, entry.name)


def removed(lines: list[str], entry: Entry) -> Iterator[Edit]:
    rest = [*lines[: entry.begin], *lines[entry.end :]]
    if not any(re.search(rf"\b{re.escape(entry.name)}\b", line) for line in rest):
        yield Edit(rest, entry, "")


def added(lines: list[str], entry: Entry) -> Iterator[Edit]:
    if any("binding:" in line for line in lines[entry.begin : entry.end]):
        return  # two ports of one order
    block = [lines[entry.begin].replace(f"{entry.name}:", "one_more:", 1), *lines[entry.begin + 1 : entry.end]]
    yield Edit([*lines[: entry.end], *block, *lines[entry.end :]], entry, "one_more")


def renamed(lines: list[str], entry: Entry) -> Iterator[Edit]:
    """With what refers to it: calls, targets, requirements."""
    name = re.compile(rf"(?<=[ \[]){re.escape(entry.name)}(?=[,\]}}]|$)")
    new = [
        name.sub("another_name", line) if re.search(r"get_|target|node:|depends_on|^ *- \w+: ", line) else line
        for line in lines
    ]
    new[entry.begin] = new[entry.begin].replace(f"{entry.name}:", "another_name:", 1)
    yield Edit(new, entry, "another_name")


def comments(lines: list[str], entry: Entry) -> Iterator[Edit]:
    for number, _ in places(lines, entry, COMMENT):
        yield Edit(
            [*lines[:number], f"{lines[number]} indeed", *lines[number + 1 :]], entry, entry.name, lines[number].strip()
        )


def defaults(lines: list[str], entry: Entry) -> Iterator[Edit]:
    if entry.section in ("parameters", "inputs"):
        yield from (edit for edit in values(lines, entry) if changed_key(lines, edit) == "default")


def changed_key(lines: list[str], edit: Edit) -> str:
    line = next(one for one, other in zip(lines, edit.lines, strict=True) if one != other)
    return line.strip().partition(":")[0]


def operation_inputs(lines: list[str], entry: Entry) -> Iterator[Edit]:
    for number, match in places(lines, entry, WORD):
        around = [line for line in lines[entry.begin : number] if len(line) - len(line.lstrip()) < len(match[1])]
        if around and re.match(r" +(inputs|input_values):$", around[-1]) and match[2] not in FIXED:
            new = str(int(match[3]) + 1) if match[3].isdigit() else match[3] + "x"
            yield Edit([*lines[:number], f"{match[1]}{match[2]}: {new}", *lines[number + 1 :]], entry, entry.name)


def references(lines: list[str], entry: Entry) -> Iterator[Edit]:
    """To another entry of the same type."""
    alike: dict[tuple[str, str], list[str]] = {}
    for one in entries(lines):
        type = next((line.strip() for line in lines[one.begin : one.end] if line.strip().startswith("type:")), "")
        alike.setdefault((one.section, type), []).append(one.name)
    for number, match in places(lines, entry, REFERENCE):
        for names in alike.values():
            others = [name for name in names if name not in (match[2], entry.name)]
            if match[2] in names and others:
                line = f"{match[1]}{others[0]}{lines[number][match.end(2) :]}"
                yield Edit([*lines[:number], line, *lines[number + 1 :]], entry, entry.name)


def scripts(lines: list[str], entry: Entry) -> Iterator[Edit]:
    """A line that a text has in addition."""
    for number, match in places(lines, entry, re.compile(r"^( +)(?:echo|apt-get|sleep|set|mkdir) .*")):
        yield Edit([*lines[: number + 1], f"{match[1]}echo more", *lines[number + 1 :]], entry, entry.name)


KINDS: dict[str, Callable[[list[str], Entry], Iterator[Edit]]] = {
    one.__name__: one for one in (
        values, items_added, items_removed, removed, added, renamed, comments, defaults, operation_inputs, references,
        scripts,
    )
}  # fmt: skip
#: kinds that change one line, and how many lines may change then, those that are gone and new ones together
OF_A_LINE = {"values", "items_added", "items_removed", "defaults", "operation_inputs", "references", "scripts"}
MOST_LINES = 12


def cases() -> list[tuple[Path, str, str]]:
    """(document, its language, another one)."""
    found = []
    for family, language in FAMILIES.items():
        name = "hot.yaml" if family == "hot" else "*.yaml"
        for folder in sorted((ROOT / "corpus" / family).iterdir()):
            for path in sorted(folder.glob(name))[:1] if folder.is_dir() else ():
                found += [(path, language, other) for other in FAMILIES.values() if other != language]
    return found


CASES = cases()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(st.integers(0, 10**9))
def test_each_comes_back_or_is_reported(kind: str, seed: int) -> None:
    """Translated again, what comes back has the entry as it was edited; else a warning names it."""
    draw = random.Random(seed)
    while True:
        path, source, target = draw.choice(CASES)
        made = converted(path, source, target)
        if made is None:
            continue
        head, mark, kept = RECORD.split(made.text) if RECORD.search(made.text) else (made.text, "", "")
        lines = head.split("\n")
        edits = [edit for entry in entries(lines) for edit in KINDS[kind](lines, entry)]
        if edits:
            break
    edit = draw.choice(edits)
    text = "\n".join(edit.lines) + mark + kept
    with tempfile.TemporaryDirectory() as folder:
        went_back(Path(folder), path, made, (source, target), edit, text, kind)


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(st.integers(0, 10**9))
def test_scripts_beside_the_document(seed: int) -> None:
    """A line that a script has in addition is in what comes back, or that is reported."""
    draw = random.Random(seed)
    while True:
        path, source, target = draw.choice(CASES)
        made = converted(path, source, target)
        names = sorted(name for name, text in made.files.items() if text.startswith("#!")) if made is not None else []
        if made is not None and names:
            break
    name = draw.choice(names)
    with tempfile.TemporaryDirectory() as folder:
        files = {**made.files, name: made.files[name].rstrip("\n") + "\necho more\n"}
        put(Path(folder) / "made", {"document.yaml": made.text, **files})
        back = converted(Path(folder) / "made" / "document.yaml", target, source)
    assert back is not None
    assert "echo more" in "".join([back.text, *back.files.values()]) or {
        one.code for one in back.diagnostics if one.severity > "info"
    }, f"{path} by way of {target}: {name}"


def converted(path: Path, source: str, target: str, **options: Any) -> Result | None:
    try:
        return convert(path, source, target, **options)
    except BpconvertError:
        return None


def went_back(folder: Path, path: Path, made: Result, way: tuple[str, str], edit: Edit, text: str, kind: str) -> None:
    result = folder / "made" / "document.yaml"
    put(result.parent, {result.name: text, **made.files})
    back = converted(result, way[1], way[0])
    if back is None:
        return  # an error, with its place
    reported = [one for one in back.diagnostics if one.severity > "info"]
    name = edit.name or edit.entry.name
    names = {name, edit.entry.name, *edit.refers_to()}
    if any(each in f"{one.path}{one.message}" for one in reported for each in names):
        return
    if edit.comment:
        assert " indeed" in back.text or "BPC667" in {one.code for one in reported}
        return
    shutil.copytree(path.parent, folder / "again")
    put(folder / "again", {path.name: back.text, **back.files})
    again = converted(folder / "again" / path.name, *way, carry=False)
    assert again is not None
    mine, wanted = (content_of(one, edit.entry.section, edit.name) for one in (again.text, text))
    if isinstance(mine, dict) and edit.entry.section in ("inputs", "parameters") and "type" not in wanted:
        mine.pop("type", None)  # the other language asks for one
    stays_as_it_was(path, back, edit, kind)
    means_what_was_edited(folder / "again" / path.name, again, result, back, path, way, edit)
    if edit.name == "one_more":  # defaults of the other language may be written out
        assert mine is not None, f"{path} by way of {way[1]}: {edit.name}"
        return
    if alike(mine, edit) != alike(wanted, edit):
        files = ({**made.files, "document.yaml": text}, {**again.files, "document.yaml": again.text})
        become = [anew(folder / f"anew{number}", each, way) for number, each in enumerate(files)]
        if become[0] == become[1]:
            return  # two forms of the same
        wanted = content_of(in_form(folder / "form", text, made, way), edit.entry.section, edit.name)
    place = f"{path} by way of {way[1]}: {edit.entry.section}.{edit.entry.name}"
    assert alike(mine, edit) == alike(wanted, edit), place


def alike(content: Any, edit: Edit) -> Any:
    """The content of an entry under the name that it had, in what is called after it as well; what it waits for has no
    order, and it waits for what it refers to."""
    known = loads(dumps(content, default=str).replace(edit.name or edit.entry.name, edit.entry.name))
    if isinstance(known, dict):
        named = dumps(known.get("properties"))
        for key in known.keys() & {"relationships", "requirements"}:
            kept = [one for one in known[key] if not is_order(one) or f'"{one["target"]}"' not in named]
            known[key] = sorted(kept, key=dumps)
    return known


def is_order(relationship: Any) -> bool:
    return bool(relationship.get("type") == "cloudify.relationships.depends_on")


def anew(folder: Path, files: dict[str, str], way: tuple[str, str]) -> Any:
    """What a document becomes without the kept source."""
    put(folder, files)
    found = converted(folder / "document.yaml", way[1], way[0], carry=False)
    assert found is not None
    return load(found.text, "document.yaml").data


def in_form(folder: Path, text: str, made: Result, way: tuple[str, str]) -> str:
    """The edited document in the form that a translation gives it: there and back without the kept source."""
    put(folder / "edited", {"document.yaml": text, **made.files})
    anew = converted(folder / "edited" / "document.yaml", way[1], way[0], carry=False)
    assert anew is not None
    put(folder / "anew", {"document.yaml": anew.text, **anew.files})
    again = converted(folder / "anew" / "document.yaml", *way, carry=False)
    assert again is not None
    return again.text


def put(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")


def stays_as_it_was(path: Path, back: Result, edit: Edit, kind: str) -> None:
    """All but the edit."""
    source, result = (
        "\n".join(text.splitlines()) for text in (path.read_text("utf-8-sig"), back.text.lstrip("\ufeff"))
    )
    if kind in OF_A_LINE:
        assert changed_lines(source, result) <= MOST_LINES, f"{path}: {edit.entry.name}"
    if kind != "removed":
        comments = {line.strip() for line in source.splitlines() if line.strip().startswith("#")}
        assert comments <= {line.strip() for line in result.splitlines()}, f"{path}: {edit.entry.name}"


def means_what_was_edited(
    mine: Path, again: Result, edited: Path, back: Result, source: Path, way: tuple[str, str], edit: Edit
) -> None:
    """No difference is silent, but for those that the document had before. What is looked at from both documents: what
    comes back may wait for more than what was edited, and a loss is reported on the way that has it."""
    silent = unreported(mine, edited, again) & unreported(edited, mine, back)
    if silent and not source.parent.name.startswith("mistake-"):  # the engine of the source computes nothing of those
        fresh = converted(source, *way, carry=False)
        assert fresh is not None
        put(edited.parent / "fresh", {"document.yaml": fresh.text, **fresh.files})
        before = verify(source, edited.parent / "fresh" / "document.yaml", draws=1, reported=fresh.diagnostics)
        known = {one.what for one in before.differences}
        silent -= known | {what.replace(edit.entry.name, edit.name or edit.entry.name) for what in known}
        warned = {str(one.path[-1]) for one in back.diagnostics if one.severity > "info" and one.path}
        silent = {what for what in silent if what.removeprefix("outputs.").partition(".")[0] not in warned}
        assert not silent, f"{source} by way of {way[1]}: {sorted(silent)}"


def unreported(source: Path, result: Path, conversion: Result) -> set[str]:
    """Where two documents differ without a diagnostic of the conversion."""
    differences = verify(source, result, draws=1, reported=conversion.diagnostics).differences
    return {one.what for one in differences if not one.codes}


def content_of(text: str, section: str, name: str) -> Any:
    """An entry without what is kept for the way back."""
    data = load(text, "document.yaml").data
    found = ((data.get("topology_template") or data).get(section) or {}).get(name)
    if isinstance(found, dict) and isinstance(found.get("metadata"), dict):
        metadata = {key: value for key, value in found["metadata"].items() if key != "bpconvert"}
        found = {
            **{key: value for key, value in found.items() if key != "metadata"},
            **({"metadata": metadata} if metadata else {}),
        }
    return found
