"""Records the cloud of a case: both documents are really deployed, with the same values, and compared."""

from __future__ import annotations

import json
import re
import tempfile
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import cloud_cases as cases
from cloud_cases import Difference, Json
from cloud_files import restored, shrunk
from cloud_oracle import Engine
from corpus_cases import HOT, Case


@dataclass
class Outcome:
    """``cloud`` is None where none is recorded, ``why`` says why; ``unexplained`` are lines that no code tells."""

    cloud: Json | None = None
    why: str | None = None
    code: str | None = None
    unexplained: list[str] = field(default_factory=list)


@dataclass
class Recorder:
    """Both engines and what compares."""

    compare: ModuleType
    run: ModuleType
    heat: Engine
    cloudify: Engine
    plugin: str

    def record(self, case: Case) -> Outcome:
        path = cases.recorded_in(case)
        before = json.loads(path.read_bytes()) if path.exists() else {}
        given = [cloud["given"] for cloud in before.get("clouds", ())] or cases.sets_of_values(case)
        out = Outcome()
        clouds: list[Json] = []
        failures: list[Json] = []
        for values in given:
            with tempfile.TemporaryDirectory() as folder:
                one = self._one(case, values, Path(folder))
            out.unexplained += one.unexplained
            if one.cloud is None:
                out.why, out.code = one.why, one.code
                failures.append({"given": values, "line": one.why, "code": one.code})
            elif not any(self._alike(one.cloud, other) for other in clouds):
                clouds.append(one.cloud)
        if clouds:
            out.cloud = {"blueprint": cases.digest_of(case), "plugin": self.plugin, "clouds": clouds}
            if failures:
                out.cloud["failures"] = failures
        return out

    def _alike(self, one: Json, other: Json) -> bool:
        """What other values make no difference for is not recorded twice."""
        return {**one, "given": 0, "before": 0} == {**other, "given": 0, "before": 0}

    def _one(self, case: Case, values: Json, folder: Path) -> Outcome:
        deployed = self._deployed(case, values, folder)
        heat, cloudify = deployed.heat, deployed.cloudify
        if case.origin == HOT and not heat.get("ok"):
            return Outcome(why="the template itself: " + cases.failed("Heat", heat).line)
        if unknown := (cloudify.get("cloud") or {}).get("unknown"):
            asked = unknown[0]
            return Outcome(why=f"the fake cloud does not know {asked['method']} {asked['url']}")
        if not cloudify.get("ok"):
            return self._not_deployed(case, cases.failed("Cloudify", cloudify), deployed.depends)
        made = [e for e in cloudify["cloud"]["entities"] if e["origin"] != "preexisting" or e["changes"]]
        others = [e for e in (heat.get("cloud") or {}).get("entities", ()) if e["origin"] != "preexisting"]
        if not made and not others:
            return Outcome(why="nothing is made in the cloud")
        if not made:
            nothing = Difference("the blueprint makes nothing itself in the cloud, the template does", _makers(others))
            return self._not_deployed(case, nothing, deployed.depends)
        found = cases.differences(case, self.run, self.compare, (heat, cloudify))
        cloud = self._cloud(cloudify, deployed)
        again = cases.differences(case, self.run, self.compare, (heat, restored(cloud)))
        if {d.line for d in again} != {d.line for d in found}:
            raise ValueError("the recorded form is not what it was made of")
        told = case.outcome.diagnostics
        for name, rows in (("differences", again), ("faults", deployed.found)):
            cloud[name] = [{"line": d.line, "code": cases.explained(told, d, deployed.depends)} for d in rows]
        rows = cloud["differences"] + cloud["faults"]
        return Outcome(cloud, unexplained=[row["line"] for row in rows if not row["code"]])

    def _not_deployed(self, case: Case, found: Difference, depends: Json) -> Outcome:
        if "KeyError: 'index'" in found.line:
            return Outcome(why="the oracle's engine does not number the instances of a node, which a manager does")
        code = cases.explained(case.outcome.diagnostics, found, depends)
        silent = not code and case.origin == HOT
        return Outcome(why=found.line, code=code, unexplained=[found.line] if silent else [])

    def _cloud(self, cloudify: Json, deployed: _Deployed) -> Json:
        needs = {key: value for key, value in deployed.needs.items() if value and key != "environments"}
        facts: Json = {"before": needs} if needs else {}
        if deployed.lent:
            facts["lent"] = "credentials"
        if components := sorted(cases.components(cloudify)):
            facts["components"] = components
        return {"given": deployed.given, **facts, **shrunk(cloudify, self.compare)}

    def _deployed(self, case: Case, values: Json, folder: Path) -> _Deployed:
        """The source first: what it wants of a cloud is there for the result, too."""
        engines = (self.heat, self.cloudify) if case.origin == HOT else (self.cloudify, self.heat)
        source_path, target_path = (cases.ready(case, path, folder) for path in (case.source, case.target))
        blueprint = target_path if case.origin == HOT else source_path
        lent = cases.lent(blueprint, folder)
        if lent and case.origin == HOT:
            target_path = lent
        elif lent:
            source_path = lent
        needs: Json = {"exists": []}
        if cases.environments(case):
            needs["environments"] = cases.environments(case)
        path, source, needs = self.run.coaxed(engines[0], str(source_path), values, str(folder / "source"), needs)
        found: list[Difference] = []
        if source.get("ok"):
            needs = dict(needs, exists=needs["exists"] + _asked_for(source, needs["exists"]))
            given = {**values, **(source.get("inputs") or {})}
            target = engines[1](target_path, given, cloud=needs)
            for _ in range(20):
                name = self.run.name_not_id(target)
                known = {**(source.get("defaults") or {}), **(target.get("defaults") or {}), **given}
                keys = [k for k, v in known.items() if v == name or (isinstance(v, list) and name in v)] if name else []
                if target.get("ok") or not keys:
                    break
                actor = (target["cloud"]["refused"] or [{"actor": None}])[-1]["actor"]
                nodes = {*keys, *([actor.split("/")[0]] if actor else [])}
                found.append(Difference(f"{', '.join(sorted(keys))}: {name} has to be an id", nodes))
                ident = str(uuid.uuid5(uuid.NAMESPACE_DNS, str(name)))
                given |= {k: _exchanged(known[k], name, ident) for k in keys}
                path, source, needs = self.run.coaxed(engines[0], path, given, str(folder / "source"), needs)
                target = engines[1](target_path, given, cloud=needs)
            if "nics are required after" in str(target.get("error")):
                needs = dict(needs, nova="2.36")  # the last one with servers without networks
                source, target = engines[0](path, given, cloud=needs), engines[1](target_path, given, cloud=needs)
            given |= target.get("inputs") or {}
        else:
            given, target = values, {"ok": False, "stage": "source", "error": "the source does not deploy"}
        heat, cloudify = (source, target) if case.origin == HOT else (target, source)
        for mended in (target.get("mended") or ()) if case.origin == HOT else ():
            found.append(Difference(f"{mended['node']}: {mended['fault']}", {mended["node"]}))
        depends = source.get("depends") or {}
        return _Deployed(heat, cloudify, dict(sorted(given.items())), needs, depends, found, bool(lent))


@dataclass
class _Deployed:
    heat: Json
    cloudify: Json
    given: Json
    needs: Json
    depends: Json
    found: list[Difference]
    lent: bool


def _asked_for(source: Json, known: list[Any]) -> list[list[str]]:
    """What the source found by its name in the cloud."""
    existing = [e for e in source["cloud"]["entities"] if e["origin"] == "preexisting" and e["asked"]]
    found = [[e["kind"], e["asked"]] for e in existing if not re.fullmatch("[0-9a-f-]{32,36}", e["asked"])]
    return [row for row in found if row[0] != "domain" and row[1] not in ("default", "<any>") and row not in known]


def _makers(entities: list[Json]) -> set[str]:
    """The entries of the document that made something."""
    return {entity["actor"].split("/")[0] for entity in entities if entity["actor"]}


def _exchanged(value: Any, name: str, ident: str) -> Any:
    return [ident if item == name else item for item in value] if isinstance(value, list) else ident
