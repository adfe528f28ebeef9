"""How fast conversion is, as ratios that hold on any machine; both sides of a ratio come from the same run.

    python benchmarks/conversion.py [--templates DIR] [--rounds N]

Run it with the Python of an environment that has bpconvert. DIR defaults to the real templates in
../shared/realworld/hot, or else to corpus/hot; service templates are those beside it. A ratio above its limit is
marked; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path

from ruamel.yaml.cyaml import CParser

from bpconvert import SourceError, convert

ROOT = Path(__file__).resolve().parent.parent
#: size of the template for whole processes
TYPICAL = 8 * 1024
SIZES = (125, 250, 500, 1000)
#: the least that a program does which validates with pydantic: it imports itself in parts, on first use
VALIDATES = """
import jinja2, ruamel.yaml
from pydantic import BaseModel
class One(BaseModel):
    key: str
One.model_validate({"key": "value"})
"""


def main() -> int:
    """Measure everything, print one line per ratio, and return the exit code."""
    parser = argparse.ArgumentParser(description="Print ratios of bpconvert's speed.")
    parser.add_argument("--templates", type=Path, default=None, help="folder with Heat templates")
    parser.add_argument("--rounds", type=int, default=15, help="how often each thing is measured (default: 15)")
    chosen = parser.parse_args()
    found = [path for path in templates(chosen.templates) if converts(path)]
    if not found:
        parser.error("no templates; use --templates")
    size = sum(path.stat().st_size for path in found) / 1024
    print(f"{len(found)} templates, {size:.0f} KB; medians of {chosen.rounds} rounds")
    services = [path for path in templates(None, "tosca") if converts(path, "tosca", "hot")]
    lines = [
        in_process(found, chosen.rounds),
        in_process(found, chosen.rounds, "hot", "tosca"),
        in_process(services, chosen.rounds, "tosca", "hot"),
        *processes(found, chosen.rounds),
        *scaling(chosen.rounds, generated),
        *scaling(chosen.rounds, generated, "hot", "tosca"),
        *scaling(chosen.rounds, partial(generated, idioms=True), "hot", "tosca", "idioms, "),
        *scaling(chosen.rounds, service, "tosca", "hot"),
    ]
    return 0 if all(lines) else 1


def templates(folder: Path | None, dialect: str = "hot") -> list[Path]:
    """The templates to convert."""
    real = ROOT.parent / "shared" / "realworld" / dialect
    if folder is None and (real / "manifest.json").exists():
        files = json.loads((real / "manifest.json").read_text("utf-8"))["files"]
        return [real / entry["path"] for entry in files if entry["role"] == "primary"]
    return sorted((folder or ROOT / "corpus" / dialect).rglob("*.yaml"))


def converts(path: Path, source: str = "hot", target: str = "cloudify") -> bool:
    """Whether the file is a template; it also warms everything up."""
    try:
        convert(path, source, target)
    except SourceError:
        return False
    return True


def in_process(found: Iterable[Path], rounds: int, source: str = "hot", target: str = "cloudify") -> bool:
    """The whole conversion beside libyaml's bare events, per template; the median over all templates."""
    ratios = []
    for path in found:
        text = path.read_bytes().decode("utf-8-sig")
        try:
            scan(text)
        except Exception:  # libyaml refuses what an engine accepts
            continue
        actions = {"convert": partial(convert, path, source, target), "scan": partial(scan, text)}
        taken = interleaved(actions, max(3, rounds // 3))
        ratios.append(taken["convert"] / taken["scan"])
    ratios.sort()
    slowest = ratios[len(ratios) * 9 // 10]
    what = f"{source} to {target} / libyaml events"
    return line(what, statistics.median(ratios), 12, f"90 % below {slowest:.1f}")


def scan(text: str) -> None:
    """All events of libyaml, and nothing else."""
    parser = CParser(text)
    while parser.get_event() is not None:
        pass


def processes(found: Iterable[Path], rounds: int) -> list[bool]:
    """Whole processes beside what no program of this kind can avoid."""
    typical = min(found, key=lambda path: abs(path.stat().st_size - TYPICAL))
    command = str(Path(sys.executable).with_name("bpconvert"))
    with tempfile.TemporaryDirectory() as folder:
        words = {
            "help": [command, "--help"],
            "nothing": [sys.executable, "-c", "pass"],
            "convert": [command, "hot2cfy", str(typical), "-o", os.path.join(folder, "out.yaml")],
            "imports": [sys.executable, "-c", "import pydantic, ruamel.yaml, jinja2"],
            "validates": [sys.executable, "-c", VALIDATES],
        }
        taken = interleaved({name: partial(run, words[name]) for name in words}, rounds)
    size = typical.stat().st_size / 1024
    return [
        line("bpconvert --help / python -c pass", taken["help"] / taken["nothing"], 3.2, milliseconds(taken["help"])),
        line(
            "process that converts / process that imports",
            taken["convert"] / taken["imports"],
            1.25,
            f"{size:.1f} KB, {milliseconds(taken['convert'])} / {milliseconds(taken['imports'])}",
        ),
        line(
            "process that converts / process that validates",
            taken["convert"] / taken["validates"],
            1.5,
            f"it takes {taken['validates'] / taken['imports']:.2f} times the imports by itself",
        ),
    ]


def run(words: list[str]) -> None:
    """Run a command that has to succeed, with what Python and jinja2 keep of earlier runs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def scaling(
    rounds: int, made: Callable[[int], str], source: str = "hot", target: str = "cloudify", what: str = ""
) -> list[bool]:
    """The time that twice the resources take, of templates that are ``made``. ``what``: begins the lines."""
    taken = interleaved({str(size): partial(convert, made(size), source, target) for size in SIZES}, rounds)
    return [
        line(
            f"{what}{source} to {target}, {large} / {small} resources",
            taken[str(large)] / taken[str(small)],
            2.2,
            milliseconds(taken[str(large)]),
        )
        for small, large in pairwise(SIZES)
    ]


def generated(size: int, idioms: bool = False) -> str:
    """A template of ``size`` resources: servers with their ports, half of them in a chain of dependencies. With
    ``idioms`` every fifth port is that of a server in a group, with a volume that is attached."""
    lines = [
        "heat_template_version: 2018-08-31",
        "parameters:",
        "  image: {type: string, default: cirros}",
        "resources:",
        "  net: {type: 'OS::Neutron::Net'}",
    ]
    if idioms:
        lines += ["  together: {type: 'OS::Nova::ServerGroup', properties: {policies: [affinity]}}"]
    for number in range((size - 1) // 2):
        grouped = idioms and number % 5 == 0
        if idioms and number % 5 == 1:  # in place of a server and its port
            ends = f"volume_id: {{get_resource: volume_{number}}}, instance_uuid: {{get_resource: server_{number - 1}}}"
            lines += [f"  volume_{number}: {{type: 'OS::Cinder::Volume', properties: {{size: 1}}}}"]
            lines += [f"  attached_{number}: {{type: 'OS::Cinder::VolumeAttachment', properties: {{{ends}}}}}"]
            continue
        lines += [
            f"  port_{number}:",
            "    type: OS::Neutron::Port",
            "    properties: {network: {get_resource: net}}",
            f"  server_{number}:",
            "    type: OS::Nova::Server",
            *([f"    depends_on: server_{number - 1}"] if number % 2 and not idioms else []),
            "    properties:",
            "      image: {get_param: image}",
            "      flavor: m1.small",
            f"      networks: [{{port: {{get_resource: port_{number}}}}}]",
            *(["      scheduler_hints: {group: {get_resource: together}}"] if grouped else []),
            f"      user_data: {{str_replace: {{template: 'id=$id', params: {{$id: {number}}}}}}}",
        ]
    return "\n".join(lines) + "\n"


def service(size: int) -> str:
    """A service template of ``size`` nodes: machines with ports on a network, every fifth with a volume and a program
    that waits for the one before; a policy keeps these apart."""
    lines = [
        "tosca_definitions_version: tosca_simple_yaml_1_3",
        "policy_types:",
        "  own.Apart: {derived_from: tosca.policies.Placement, properties: {policy: {type: string}}}",
        "topology_template:",
        "  node_templates:",
        "    net: {type: tosca.nodes.network.Network, properties: {network_name: lan, cidr: 10.0.0.0/8}}",
    ]
    few: list[int] = []
    for number in range(size * 5 // 12):  # twelve nodes for five machines
        storage = f", requirements: [{{local_storage: {{node: volume_{number}, relationship: at_{number}}}}}]"
        lines += [
            f"    machine_{number}: {{type: tosca.nodes.Compute{storage if number % 5 == 0 else ''}}}",
            f"    port_{number}:",
            "      type: tosca.nodes.network.Port",
            f"      requirements: [{{binding: machine_{number}}}, {{link: net}}]",
        ]
        if number % 5 == 0:
            before = f", {{dependency: program_{few[-1]}}}" if few else ""
            lines += [
                f"    volume_{number}: {{type: tosca.nodes.Storage.BlockStorage, properties: {{name: v, size: 1 GB}}}}",
                f"    program_{number}:",
                "      type: tosca.nodes.SoftwareComponent",
                f"      requirements: [{{host: machine_{number}}}{before}]",
                "      interfaces:",
                "        Standard:",
                "          operations:",
                f"            create: {{implementation: a.sh, inputs: {{at: {{get_attribute: [machine_{number}, "
                "private_address]}}}",
            ]
            few.append(number)
    attached = "{type: tosca.relationships.AttachesTo, properties: {location: /data}}"
    lines += ["  relationship_templates:", *(f"    at_{number}: {attached}" for number in few)]
    apart = "{policy: anti-affinity}"
    targets = ", ".join(f"machine_{number}" for number in few)
    lines += [f"  policies: [{{apart: {{type: own.Apart, properties: {apart}, targets: [{targets}]}}}}]"]
    return "\n".join(lines) + "\n"


def interleaved(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each action; all take turns, so that a busy machine slows all of them. The first turn is not
    counted. Garbage is collected between the turns only, as in ``timeit`` (the command does not collect either)."""
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _ in range(rounds):
        for name, action in actions.items():
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            action()
            taken[name].append(time.perf_counter() - start)
            gc.enable()
    return {name: statistics.median(times) for name, times in taken.items()}


def milliseconds(seconds: float) -> str:
    """A duration for people."""
    return f"{seconds * 1000:.1f} ms"


def line(what: str, ratio: float, limit: float, remark: str) -> bool:
    """Print one ratio; whether it is within its limit."""
    good = ratio <= limit
    print(f"{'' if good else 'ABOVE ':<6}{what:<46}{ratio:6.2f}  (limit {limit}; {remark})")
    return good


if __name__ == "__main__":
    sys.exit(main())
