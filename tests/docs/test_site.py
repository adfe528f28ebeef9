"""The documentation as a site: every page is in its contents, and built it needs no network and has no broken link."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from bpconvert.diagnostics.codes import CODES

ROOT = Path(__file__).parents[2]
TOP = {"index.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"}
needs_mkdocs = pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs-material: pip install '.[docs]'")


def listed(entry: Any) -> Iterator[str]:
    """The pages of a part of the contents."""
    if isinstance(entry, str):
        yield entry
    for inner in entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ():
        yield from listed(inner)


def test_every_page_is_in_the_contents_once() -> None:
    pages = list(listed(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(pages) == sorted(there | TOP)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Page(HTMLParser):
    """The anchors and links of a page, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ("img", "script") and "src" in given:
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preconnect"):
            self.loaded.append(given["href"])


@needs_mkdocs
def test_all_links_lead_somewhere_and_nothing_is_fetched(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 35
    broken, fetched = [], []
    for path, page in pages.items():
        fetched += [place for place in page.loaded if urlsplit(place).scheme or place.startswith("//")]
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            is_there = target.is_file() and (not parts.fragment or target not in pages
                                             or unquote(parts.fragment) in pages[target].anchors)  # fmt: skip
            if not is_there:
                broken.append(f"{path.relative_to(site)}: {link}")
    assert (broken, fetched) == ([], [])


@needs_mkdocs
def test_every_finding_has_an_anchor_and_can_be_searched(site: Path) -> None:
    assert {code.lower() for code in CODES} <= Page(site / "diagnostics.html").anchors
    entries = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    titles = " ".join(entry["title"] for entry in entries)
    assert [code for code in CODES if code not in titles] == []
