"""Counts what is taken over: real documents and cases of the corpus are deployed, adopted, and taken over.

    takeover.py --plugin DIR [--also DIR] [--heat PYTHON] [--cloudify PYTHON] [--way WAY ...] [--keep DIR] [FILE ...]

Every document is deployed by its own engine in a fake OpenStack (``../shared/engines/deploy``), ``adopt`` writes what
another engine takes it over with, and that engine does so in the same cloud. Default: all real documents and the cases
of the corpus that have a recorded cloud. ``--keep`` keeps the deployments, which are not made again then.

    taken     nothing is written, and afterwards exactly what the engine owns is deleted
    refused   'adopt' forbids it and gives places and reasons
    FAILS     the engine refuses the result
    WRITES    something is created, changed or left: none may be
    no use    the engine that takes over does not create the result either
    not run   the first engine has not run what creates some of its resources: the oracle has no such service
    CRASHES   'adopt' ends with an exception that is no finding
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "clouds"))

import cloud_cases
import cloud_oracle
import takeover_oracle
from corpus_cases import CFY, HOT, cases_of

from bpconvert import convert
from bpconvert.adoption import adopt
from bpconvert.diagnostics import BpconvertError
from bpconvert.options import Options
from bpconvert.yamlio.document import load

ROOT: Final = Path(__file__).resolve().parents[1]
#: way -> language of the source, that of the result
WAYS: Final = {"hot2cfy": (HOT, CFY), "hot2hot": (HOT, HOT), "cfy2hot": (CFY, HOT)}
#: how operations are called that create something in a cloud, each in a service that the oracle does not have
_CREATING: Final = ("openstack_plugin.", "cloudify_types.component.")
#: what the utilities plugin, which does not run, keeps of a key
_KEY: Final = {"public_key_export": "ssh-rsa AAAA made-by-the-plugin"}
Json = dict[str, Any]


@dataclass
class Source:
    """A document, and what it is deployed with."""

    path: Path
    values: Json = field(default_factory=dict)
    environments: list[str] = field(default_factory=list)
    cloud: Json = field(default_factory=dict)


def sources(language: Any, chosen: list[Path]) -> Iterator[Source]:
    """What is deployed: the real documents of a language and the cases of the corpus with a recorded cloud."""
    folder = ROOT.parent / "shared" / "realworld" / language.folder
    listed = json.loads((folder / "manifest.json").read_bytes())["files"]
    real = [folder / row["path"] for row in listed if row["role"] == "primary"]
    for path in real:
        if not chosen or path in chosen:
            yield Source(path)
    for case in cases_of(language):
        recorded = cloud_cases.recorded_in(case)
        if case.origin != language or not recorded.exists() or (chosen and case.source not in chosen):
            continue
        first = json.loads(recorded.read_bytes())["clouds"][0]
        before = {key: first["before"][key] for key in ("exists", "nova") if key in first.get("before", {})}
        yield Source(case.source, first.get("given") or {}, cloud_cases.environments(case), before)


def deployed(source: Source, language: Any, driver: takeover_oracle.Driver, folder: Path) -> Json:
    """Deploy a document; the answer is kept in the folder beside what is deployed."""
    kept = folder / "created.json"
    if kept.exists():
        answer: Json = json.loads(kept.read_bytes())
        return answer
    folder.mkdir(parents=True, exist_ok=True)
    path = source.path
    if language == CFY:
        path = cloud_cases.lent(path, folder) or path
    verb = "heat-create" if language == HOT else "cloudify-create"
    driver.request = {"verb": verb, "folder": str(folder), "environments": source.environments}
    coaxed = cloud_oracle.modules()[1].coaxed
    found = {"exists": [], **source.cloud}
    path, answer, cloud = coaxed(driver, str(path), dict(source.values) or None, str(folder / "source"), found)
    answer["document"], answer["given"] = str(path), cloud
    kept.write_text(json.dumps(answer, default=str), "utf-8")
    return answer


def adopted(created: Json, target: Any, folder: Path) -> Any:
    """What ``adopt`` makes of a blueprint; values of secrets that it asks for, keys too, are given as a user would."""
    text, given = Path(created["document"]).read_text("utf-8"), json.loads((folder / "inputs.json").read_bytes())
    cloud_oracle.modules()
    values = sys.modules["values"]
    given |= {name: values.secret(name) for name in re.findall(r"get_secret: *['\"]?(\w+)", text) if name not in given}
    rows = json.loads((folder / "node-instances.json").read_bytes())
    nodes = blueprint_nodes(created["document"])
    for row in rows:
        if str((nodes.get(row["node_id"]) or {}).get("type")).endswith(".RSAKey"):
            row["runtime_properties"] = {**(row["runtime_properties"] or {}), **_KEY}
    listed = folder / "listed.json"
    listed.write_text(json.dumps(rows), "utf-8")
    inputs = folder / "given.json"
    inputs.write_text(json.dumps(given), "utf-8")
    files = {"resources": listed, "inputs": inputs, "attributes": folder / "attributes.json"}
    try:
        return adopt(created["document"], target.dialect, **files)
    except BpconvertError as error:
        named = [re.search(r"parameter '(\w+_(?:private|public))'", one.message) for one in error.diagnostics]
        if not named or not all(named):
            raise
        given |= {found[1]: values.secret(found[1]) for found in named if found}
        inputs.write_text(json.dumps(given), "utf-8")
        return adopt(created["document"], target.dialect, **files)


def blueprint_nodes(path: str) -> Json:
    """The nodes of a blueprint; none where others have them."""
    nodes = load(Path(path).read_bytes()).data.get("node_templates")
    return nodes if isinstance(nodes, dict) else {}


def taken(way: str, created: Json, drivers: dict[str, takeover_oracle.Driver], folder: Path) -> Json:
    """Adopt what is deployed, and take it over."""
    source, target = WAYS[way]
    if any(str(one.get("operation")).startswith(_CREATING) for one in created.get("not_run") or ()):
        return {"verdict": "not run", "why": [str(created["not_run"])]}
    out = folder / way
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    try:
        if source == HOT:
            shown = {"attributes": folder / "attributes.json"} if target == HOT else {}
            result = adopt(folder / "stack.json", target.dialect, **shown)
        else:
            result = adopted(created, target, folder)
        document = out / target.document
        result.write(document)
    except BpconvertError as error:
        found = getattr(error, "diagnostics", [])
        return {"verdict": "refused", "why": [f"{one.code} {one.message}" for one in found] or [str(error)]}
    except Exception as error:
        return {"verdict": "CRASHES", "why": [f"{type(error).__name__}: {error}"]}
    if target == HOT:
        shown = {"document": str(out / "adopt.json"), "template": str(document)}
        answer = drivers["hot"].run("heat-take", folder=str(folder), **shown)
    else:
        import yaml

        values = {name: yaml.safe_load(text) for name, text in result.files.items() if name == "inputs.yaml"}
        given = {**(created.get("inputs") or {}), **values.get("inputs.yaml", {})}
        answer = drivers["cfy"].run("cloudify-take", folder=str(folder), document=str(document), values=given)
    writes = {step: rows for step, rows in (answer.get("writes") or {}).items() if rows and step != "delete"}
    if target == HOT and not answer["ok"] and not writes:
        own = created if source == HOT else created_by_heat(document, answer, drivers["hot"], out)
        if own is not created and not own["ok"]:
            return {"verdict": "no use", "why": [f"Heat does not create it either: {own['error']}"]}
        if kinds(answer) and kinds(answer) <= kinds(own) and not answer["error"]:
            answer |= {"ok": True, "left": []}  # Heat deletes no more of what it has created itself
    wrong = [answer.get(key) for key in ("gone", "new", "changed_by_taking_over", "left") if answer.get(key)]
    verdict = "taken" if answer["ok"] else "WRITES" if writes or (wrong and not answer["error"]) else "FAILS"
    failures = [f"{one['node']}: {one['error']}" for one in answer.get("failures") or ()][:3]
    why = [str(answer["error"]), *failures, str(answer.get("status")), str(writes), str(wrong)]
    return {"verdict": verdict, "why": [] if answer["ok"] else why}


def kinds(answer: Json) -> Counter[str]:
    """The kinds of what remains after deleting."""
    return Counter(kind for kind, _ in answer.get("left") or ())


def created_by_heat(document: Path, answer: Json, driver: takeover_oracle.Driver, out: Path) -> Json:
    """The template, created and deleted by Heat alone."""
    values = json.loads((out / "adopt.json").read_bytes())["environment"]["parameters"]
    return driver.run("heat-create", document=str(document), folder=str(out / "own"), values=values)


def stands_in(path: Path, way: str, environments: list[str]) -> bool:
    """True for a document whose conversion has stand-ins."""
    options = Options(environments=tuple(environments), allow_outside=True, carry=False)
    try:
        text = convert(path, WAYS[way][0].dialect, WAYS[way][1].dialect, options=options).text
    except BpconvertError:
        return True
    return bool(re.search(r"bpconvert\.nodes\.(?!Value\b)|OS::Heat::None|creates nothing", text))


def main() -> int:
    """Print a line for each document and way, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--plugin", required=True, type=Path)
    parser.add_argument("--also", action="append", default=[], type=Path)
    parser.add_argument("--heat", default=os.environ.get("BPCONVERT_ENGINES_PYTHON", sys.executable))
    parser.add_argument("--cloudify", default=os.environ.get("BPCONVERT_CLOUDIFY_PYTHON", sys.executable))
    parser.add_argument("--way", action="append", choices=list(WAYS), default=[])
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--out", type=Path, help="file for all verdicts, as JSON")
    parser.add_argument("--quiet", action="store_true", help="print no line for what is taken over")
    options = parser.parse_args()
    drivers = {
        "hot": takeover_oracle.heat(options.heat),
        "cfy": takeover_oracle.cloudify(options.cloudify, options.plugin, options.also),
    }
    keep = options.keep or Path(tempfile.mkdtemp())
    records: list[Json] = []
    for language in (HOT, CFY):
        ways = [way for way, (source, _) in WAYS.items() if source == language and way in (options.way or WAYS)]
        for source in sources(language, [path.resolve() for path in options.files]) if ways else ():
            top = ROOT if source.path.is_relative_to(ROOT) else ROOT.parent
            folder = keep.resolve() / re.sub(r"[^\w.-]+", "+", str(source.path.relative_to(top)))[-150:]
            created = deployed(source, language, drivers[language.folder], folder)
            for way in ways if created["ok"] else ():
                if way == "hot2hot" and created["given"].get("environments"):
                    continue  # takeover.py updates without an environment
                record = {"file": str(source.path), "way": way, **taken(way, created, drivers, folder)}
                if way != "hot2hot":
                    record["stands_in"] = stands_in(source.path, way, created["given"].get("environments") or [])
                records.append(record)
                if record["verdict"] != "taken" or not options.quiet:
                    print(record["verdict"], way, source.path, *record["why"][:4], flush=True)
    for way in WAYS:
        rows = [row for row in records if row["way"] == way]
        for what, part in (("", rows), (" without stand-ins", [row for row in rows if not row.get("stands_in")])):
            counts = Counter(row["verdict"] for row in part)
            able = len(part) - counts["no use"] - counts["not run"]
            print(f"{way}{what}: {100 * counts['taken'] / max(1, able):.1f} % of {able} taken over; {dict(counts)}")
    if options.out:
        options.out.write_text(json.dumps(records, indent=1), "utf-8")
    return 1 if any(row["verdict"] in ("WRITES", "FAILS", "CRASHES") for row in records) else 0


if __name__ == "__main__":
    sys.exit(main())
