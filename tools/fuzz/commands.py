"""Cases of the command line: files in a folder, and command lines that run there one after the other.

A step is ``{"run": [word, ...]}``, with ``"stdin"`` the name of the file that is its standard input, or ``{"edit":
folder, "seed": number}``, which changes a file below the folder (:func:`edited`)."""

from __future__ import annotations

import contextlib
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from changes import LARGEST, changed, in_bytes
from material import documents, environments, files_around, language_of, mappings, names_in

from bpconvert.archives import pack
from bpconvert.diagnostics import BpconvertError
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.hot_versions import VERSIONS
from bpconvert.translators.dialects import load
from bpconvert.yamlio.emit import emit

Step = dict[str, Any]
_SETTINGS: Final = (
    'carry = "file"\nquiet = true\n',
    "[convert]\nfiles = 'copy'\n[check]\nformat = 'json'\n", 'types = ["types.yaml"]\n',
    'param = ["a=1", "b=2"]\nparams-file = "params.yaml"\n', 'exclude = ["*.j2", "sub/"]\nignore = "BPC2,BPC3"\n',
    'limit = ["copies=2"]\nplugin = "v2"\n', '[verify]\ndraws = 1\nseed = 3\n', 'stage = ["prod=stage.yaml"]\n',
)  # fmt: skip
_VALUES: Final = ("prod", "1", "true", "a,b", "{}", "[1, 2]", "", "null", '{"k": ["v"]}', "é")
_TABLES: Final = (
    "small: {cpus: 1, ram: 512, disk: 1}\nbig: {cpus: 8, ram: 16384, disk: 100}\n",
    "linux: {architecture: x86_64, type: linux, distribution: debian, version: 12}\n",
)
_REPORTS: Final = ("html", "json", "sarif", "md", "csv")


def scenario(place: Path, text: bytes, target: str, draw: random.Random) -> tuple[dict[str, str], list[Step]]:
    """The files and the steps of a case. ``text``: what the file of the corpus at ``place`` has become."""
    writer = _Scenario(place, text, target, draw)
    draw.choice(
        [
            *[writer.tree] * 4, *[writer.single] * 3, *[writer.adoption] * 2,
            writer.checks, writer.pictures, writer.trips, writer.tables,
        ]
    )()  # fmt: skip
    return {name: data.decode("latin-1") for name, data in writer.files.items()}, writer.steps


class _Scenario:
    """What a case consists of while it is drawn."""

    def __init__(self, place: Path, text: bytes, target: str, draw: random.Random) -> None:
        self.draw, self.target = draw, target
        self.source = language_of(place)
        self.names = names_in(place)
        self.files = {f"in/{name}": data for name, data in files_around(place).items()}
        self.main = f"in/{place.name}"
        self.files[self.main] = text
        self.steps: list[Step] = []

    # -- what happens --

    def tree(self) -> None:
        """A folder is converted, its results are edited, and converted again, back, or compared."""
        self._another_document()
        words = ["convert", "in", "--to", self.target, "-o", "out", *self._conversion()]
        self._run(words)
        for _ in range(self.draw.choice([0, 1, 1, 2])):
            self._edit("out")
        if self.draw.random() < 0.3:
            self._edit("in")
        again = [
            *words,
            *self.draw.choice([[], ["--check"], ["--diff"], ["--prune"], ["--force"], ["--prune", "--force"]]),
        ]
        back = ["convert", "out", "--to", self.source or "hot", "-o", "back", *self._conversion()]
        compare = ["verify", "in", "out", "--draws", "1", *self._comparison()]
        self._run(self.draw.choice([again, again, back, compare]))

    def single(self) -> None:
        """A document is converted to a file, an archive or standard output, and what it became is converted back."""
        made = self.draw.choice(["out/a.yaml", "out/a.yaml", "out/a.csar", "-"])
        words = ["convert", self.main, "--to", self.target, *self._conversion()]
        if made == "-" and self.draw.random() < 0.5:
            self.steps.append({"run": [*words[:1], "-", *words[2:], "--stdin-filename", self.main], "stdin": self.main})
            return
        notes = ["--deploy-notes", self.draw.choice(["notes.sh", "notes.md"])] if self.draw.random() < 0.3 else []
        self._run([*words, *([] if made == "-" else ["-o", made, *notes])])
        if self.draw.random() < 0.7:
            self._edit("out")
        compare = ["verify", self.main, made, "--draws", "1", *self._comparison()]
        back = ["convert", made, "--to", self.source or "hot", "-o", "back/a.yaml", *self._conversion()]
        self._run(self.draw.choice([compare, back, back]))

    def adoption(self) -> None:
        """What runs of a document is taken over, and once more from another list of it."""
        nodes = self._nodes()
        more = {"metadata": {}, "resource_data": {}, "action": "CREATE", "status": "COMPLETE"}
        rows = {name: {"name": name, "type": type, "resource_id": f"{name}-id", **more} for name, type in nodes.items()}
        values = {name: self.draw.choice(_VALUES) for name in self.names}
        export = {
            **{"name": "app", "action": "CREATE", "status": "COMPLETE", "files": {}},
            **{"template": self._data()},
            **{"environment": {"parameters": values}, "resources": rows},
        }
        listed = [
            {"resource_name": name, "resource_type": type, "physical_resource_id": f"{name}-id"}
            for name, type in nodes.items()
        ]
        instances = [
            {"node_id": name, "id": f"{name}_1", "state": "started", "runtime_properties": {"id": f"{name}-id"}}
            for name in nodes
        ]
        ways = [
            [self._add("stack.json", json.dumps(export, default=str).encode())],
            [self.main, "--resources", self._add("resources.json", json.dumps(listed).encode())],
            [self.main, "--instances", self._add("instances.json", json.dumps(instances).encode())],
        ]
        if self.source != "hot":
            ways[0] = ways[2]
        for words in self.draw.sample(ways, 2):
            more_words = self.draw.choice([[], ["--check"], ["--only", next(iter(nodes), "x")], ["--without", "x"]])
            self._run(["adopt", *words, "--to", self.target, "-o", "out", *more_words, *self._mappings(False)])

    def _nodes(self) -> dict[str, str]:
        """The nodes of the document, with their types, as far as it can be read."""
        data = self._data()
        found = data.get("resources") or data.get("node_templates")
        rows = found.items() if isinstance(found, dict) else ()
        return {str(name): str(one.get("type")) for name, one in rows if isinstance(one, dict)}

    def _data(self) -> dict[str, Any]:
        """The document; an empty one where it is none."""
        with contextlib.suppress(BpconvertError):
            data = load(self.files[self.main]).data
            return data if isinstance(data, dict) else {}
        return {}

    def checks(self) -> None:
        """Documents are checked, with a baseline, and again."""
        self._another_document()
        formats = ["--format", self.draw.choice(["text", "concise", "github", "json", "sarif"])]
        words = ["check", self.draw.choice(["in", self.main]), *formats, *self._mappings(), *self._filters()]
        self._run([*words, "--write-baseline", "known.json"])
        if self.draw.random() < 0.5:
            self._edit(".")
        self._run([*words, "--baseline", "known.json"])

    def pictures(self) -> None:
        """Pictures of a document, and what becomes of one of its entries."""
        self._run(
            ["convert", self.main, "--to", self.target, "--trace", self.draw.choice([*self.names, *self._nodes(), "x"])]
        )
        for picture in ("svg", "dot", "mermaid"):
            self._run(["graph", self.main, "--format", picture, *self._mappings()])

    def trips(self) -> None:
        """Round trips of a folder."""
        self._another_document()
        carried = self.draw.choice([[], ["--no-carry"]])
        self._run(["roundtrip", "in", "--via", self.target, *carried, *self._mappings(has_environments=False)])

    def tables(self) -> None:
        """The tables of types and of codes."""
        self._add("types.yaml", self.draw.choice(mappings()).read_bytes())
        wanted = self.draw.choice([[], ["OS::Nova::Server"], ["cloudify.nodes.Root"], ["x\x1b[0m"]])
        self._run(["types", *wanted, "--types", "types.yaml", "--format", self.draw.choice(["text", "json"])])
        self._run(["explain", self.draw.choice([*CODES, "BPC", "x", ""])])

    # -- options --

    def _conversion(self) -> list[str]:
        """Options of a conversion."""
        draw = self.draw
        fixed: dict[str, Callable[[], list[str]]] = {
            "carry": lambda: ["--carry", draw.choice(["inline", "file", "file", "none"])],
            "files": lambda: ["--files", draw.choice(["inline", "copy", "keep"])],
            "report": lambda: ["--report", f"report.{draw.choice(_REPORTS)}"],
            "format": lambda: ["--format", draw.choice(["text", "concise", "github"])],
            "loudness": lambda: [draw.choice(["-q", "-v"])],
            "plugin": lambda: ["--plugin", "v2"],
            "hot": lambda: ["--hot-version", draw.choice([*VERSIONS])],
            "dsl": lambda: ["--dsl-version", draw.choice(["1_3", "1_4", "1_5"])],
            "tosca": lambda: ["--tosca-version", draw.choice(["1.3", "2.0"])],
            "asked": lambda: ["--asked", draw.choice(["values", "data", "inputs"])],
            "public": lambda: ["--public-network", draw.choice(["public", "é"])],
            "flavour": lambda: ["--flavour", draw.choice(["default", "simple"])],
            "engine": lambda: ["--for", draw.choice(["tacker", "opera"])],
            "profile": lambda: ["--profile"],
            "credentials": lambda: ["--client-config", draw.choice(["inputs", "none"])],
            "limit": lambda: ["--limit", f"{draw.choice(['copies', 'fields'])}={draw.choice([1, 3, 20])}"],
            "defaults": lambda: ["--assume-defaults"],
            "param": lambda: ["--param", f"{draw.choice([*self.names, 'x'])}={draw.choice(_VALUES)}"],
            "params": lambda: ["--params-file", self._add("params.yaml", self._values())],
            "stage": lambda: ["--stage", f"prod={self._add('stage.yaml', draw.choice(environments()).read_bytes())}"],
            "flavors": lambda: ["--flavors", self._add("flavors.yaml", _TABLES[0].encode())],
            "images": lambda: ["--images", self._add("images.yaml", _TABLES[1].encode())],
        }
        found = [word for words in fixed.values() if draw.random() < 0.12 for word in words()]
        return [*found, *self._mappings(), *self._filters(), *self._configuration()]

    def _comparison(self) -> list[str]:
        """Options of a comparison."""
        found = ["--format", self.draw.choice(["text", "json"]), *self._mappings()]
        if self.draw.random() < 0.3:
            found += [self.draw.choice(["--allow-reported", "-v", "-q"])]
        if self.draw.random() < 0.3:
            rows = [{"file": self.main, "what": "outputs.x"}]
            known = json.dumps({"schema_version": 1, "differences": rows}).encode()
            found += ["--baseline", self._add("differences.json", known), "--write-baseline", "new.json"]
        return found

    def _mappings(self, has_environments: bool = True) -> list[str]:
        """Files of types and environments."""
        found: list[str] = []
        if self.draw.random() < 0.1:
            found += ["--types", self._add("types.yaml", self.draw.choice(mappings()).read_bytes())]
        if has_environments and self.draw.random() < 0.1:
            found += ["-e", self._add("site.yaml", self.draw.choice(environments()).read_bytes())]
        return found

    def _filters(self) -> list[str]:
        """Options that choose findings."""
        draw, found = self.draw, []
        if draw.random() < 0.1:
            found += [
                draw.choice(["--select", "--ignore"]),
                draw.choice(["BPC2", "BPC3", "BPC62", draw.choice([*CODES])]),
            ]
        if draw.random() < 0.1:
            rows = [{"file": self.main, "code": draw.choice([*CODES]), "path": ["resources", 0], "count": 1}]
            known = json.dumps({"schema_version": 1, "findings": rows}).encode()
            found += ["--baseline", self._add("baseline.json", known)]
        if draw.random() < 0.1:
            found += [draw.choice(["--statistics", "--strict", "--fail-on=error"])]
        return found

    def _configuration(self) -> list[str]:
        """A file of options."""
        if self.draw.random() < 0.85:
            return []
        text = "".join(self.draw.sample(_SETTINGS, self.draw.choice([1, 2]))).encode()
        if self.draw.random() < 0.5:
            self._add("in/.bpconvert.toml", text)
            return []
        return ["--config", self._add("options.toml", text)]

    # -- parts --

    def _run(self, words: list[str]) -> None:
        self.steps.append({"run": words})

    def _edit(self, folder: str) -> None:
        self.steps.append({"edit": folder, "seed": self.draw.randrange(1 << 30)})

    def _add(self, name: str, data: bytes) -> str:
        """Put a file into the folder, sometimes changed."""
        if self.draw.random() < 0.3:
            data = changed(data, self.draw) if name.endswith(".yaml") else in_bytes(data, self.draw)
        self.files[name] = data
        return name

    def _another_document(self) -> None:
        """Put another document beside the first, where there is room."""
        if self.draw.random() < 0.5:
            place = self.draw.choice(documents())
            name = f"in/{self.draw.choice(['a.yaml', 'sub/b.yaml', place.name])}"
            if sum(map(len, self.files.values())) + place.stat().st_size < LARGEST:
                self.files.setdefault(name, place.read_bytes())

    def _values(self) -> bytes:
        """A file of values of parameters."""
        rows = {name: self.draw.choice(_VALUES) for name in [*self.names, "x"]}
        return json.dumps(self.draw.choice([rows, {"parameters": rows}]), ensure_ascii=False).encode()


def edited(folder: Path, seed: int) -> None:
    """Change one of the files below a folder; in an archive one of its members. Nothing where there is none."""
    places = sorted(place for place in folder.rglob("*") if place.is_file()) if folder.is_dir() else []
    if not places:
        return
    draw = random.Random(seed)
    place = draw.choice(places)
    data = place.read_bytes()
    if zipfile.is_zipfile(io.BytesIO(data)) and draw.random() < 0.7:
        place.write_bytes(_edited_archive(data, draw))
    elif place.suffix in (".yaml", ".json"):
        place.write_bytes(changed(data, draw, form=json.dumps if place.suffix == ".json" else emit))
    else:
        place.write_bytes(in_bytes(data, draw))


def _edited_archive(data: bytes, draw: random.Random) -> bytes:
    """An archive with one of its members changed, renamed or left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        members = {row.filename: old.read(row) for row in old.infolist() if not row.is_dir()}
    if not members:
        return data
    chosen, action = draw.choice(sorted(members)), draw.random()
    content = members.pop(chosen)
    if action >= 0.1:
        change = changed if chosen.endswith(".yaml") else in_bytes
        members["x.yaml" if action < 0.2 else chosen] = change(content, draw)
    return pack(members)  # which knows no time
