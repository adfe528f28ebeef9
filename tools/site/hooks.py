"""Hooks of mkdocs: pages at the top of the repository are pages of the site, and files that pages link to are in it."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
#: page at the top of the repository -> page of the site
PAGES = {name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")} | {"README.md": "index.md"}
#: where the site has files of the repository that are no pages
BESIDE = "repository"
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]+)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages at the top, and the files that any page links to."""
    linked: set[str] = set()
    for page in [*ROOT.glob("*.md"), *Path(config.docs_dir).rglob("*.md")]:
        own = page.relative_to(ROOT).as_posix()
        linked.update(_target(own, link[1]) for link in LINK.finditer(page.read_text("utf-8")))
    for name, place in PAGES.items():
        files.append(File.generated(config, place, content=_rewritten(name, (ROOT / name).read_text("utf-8"))))
    for name in sorted(linked):
        if name not in PAGES and not name.startswith("docs/") and (ROOT / name).is_file():
            files.append(File.generated(config, f"{BESIDE}/{name}.txt", content=(ROOT / name).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **rest: Any) -> str:
    """Links of a page to the rest of the repository, as links of the site."""
    is_own = page.file.generated_by is None
    return _rewritten(f"docs/{page.file.src_uri}", markdown) if is_own else markdown


def _target(own: str, link: str) -> str:
    """The path in the repository that a link of a page leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(own), link))


def _rewritten(own: str, text: str) -> str:
    here = posixpath.dirname(_place(own) or "")

    def link(found: re.Match[str]) -> str:
        target = _target(own, found[1])
        place = _place(target)
        if place is None:  # a folder
            return "]"
        return f"]({posixpath.relpath(place, here or '.')}{found[2] or ''})"

    text = re.sub(r"\[(`?[^\]\[]*`?)\]\(([^)#\s:]+/)\)", lambda found: _folder(own, found), text)
    return LINK.sub(link, text)


def _folder(own: str, found: re.Match[str]) -> str:
    """A link to a folder: only its words."""
    return found[1] if (ROOT / _target(own, found[2])).is_dir() else found[0]


def _place(target: str) -> str | None:
    """Where the site has a file of the repository; None for a folder."""
    if target in PAGES:
        return PAGES[target]
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return f"{BESIDE}/{target}.txt" if (ROOT / target).is_file() else None
