"""``python tools/release`` checks a release: it builds a wheel and a source distribution of HEAD, installs each one in
an environment of its own, and converts with it. With ``--final`` nothing of CHANGELOG.md may be unreleased.

Needs git, and an index of packages for what bpconvert depends on; ``twine check`` runs where twine is installed."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "corpus/hot/server-on-network/hot.yaml"
#: the number of a version by the rule of CONTRIBUTING.md
NUMBER = r"\d+\.\d+\.\d+"


def version(root: Path = ROOT) -> str:
    """The version that the package has."""
    text = (root / "bpconvert/__init__.py").read_text("utf-8")
    found = re.search(rf'^__version__ = "({NUMBER})"$', text, re.MULTILINE)
    if found is None:
        raise SystemExit("bpconvert/__init__.py: __version__ is no MAJOR.MINOR.PATCH")
    return found[1]


def problems(changes: str, number: str) -> list[str]:
    """What is wrong with CHANGELOG.md for a release of this number."""
    headings = re.findall(r"^## (.*)$", changes, re.MULTILINE)
    found = []
    if headings[:1] == ["Unreleased"]:
        body = changes.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
        if re.search(r"^- ", body, re.MULTILINE):
            found.append("CHANGELOG.md: there are unreleased entries; give them the number and the date of the release")
        headings = headings[1:]
    if not headings or not re.fullmatch(rf"{re.escape(number)} \(\d{{4}}-\d\d-\d\d\)", headings[0]):
        found.append(f"CHANGELOG.md: the newest release is not '{number} (YYYY-MM-DD)'")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the release; 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python tools/release", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--final", action="store_true", help="the changes have to be those of this version")
    final = parser.parse_args(arguments).final
    number = version()
    wrong = problems((ROOT / "CHANGELOG.md").read_text("utf-8"), number) if final else []
    for problem in wrong:
        print(problem, file=sys.stderr)
    if wrong:
        return 1
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
        for archive in built:
            check(archive, number, Path(folder))
    print(f"bpconvert {number}: {', '.join(archive.name for archive in built)} can be installed and convert")
    return 0


def build(folder: Path) -> list[Path]:
    """The wheel and the source distribution of HEAD. Files that git does not know are not in them."""
    source, target = folder / "source", folder / "built"
    run("git", "clone", "--quiet", str(ROOT), str(source))
    tools = environment(folder / "builder")
    run(str(tools), "-m", "pip", "install", "--quiet", "build")
    run(str(tools), "-m", "build", "--outdir", str(target), str(source))
    built = sorted(target.iterdir())
    if find_spec("twine"):
        run(sys.executable, "-m", "twine", "check", "--strict", *map(str, built))
    return built


def check(archive: Path, number: str, folder: Path) -> None:
    """Install an archive, and convert with it outside of the checkout."""
    python = environment(folder / f"with-{archive.suffix[1:]}")
    run(str(python), "-m", "pip", "install", "--quiet", str(archive))
    tool = [str(python.with_name("bpconvert"))]
    printed = run(*tool, "--version", cwd=folder)
    if printed.strip() != f"bpconvert {number}":
        raise SystemExit(f"{archive.name}: {printed.strip()!r} is not version {number}")
    result = run(*tool, "hot2cfy", str(ROOT / SAMPLE), "--no-carry", cwd=folder)
    if "cloudify.nodes.openstack.Server" not in result:
        raise SystemExit(f"{archive.name}: the sample is not converted")


def environment(folder: Path) -> Path:
    """The interpreter of a new environment."""
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def run(*command: str, cwd: Path = ROOT) -> str:
    """Standard output of a command, which has to succeed."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
