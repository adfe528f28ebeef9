"""The generated pages, the public names and the registry of diagnostics."""

from __future__ import annotations

import re
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from string import Formatter

import pytest
import tosca_types
from mapping_language import documented
from pages import AREAS, PAGES, main
from pages import escape as markdown

import bpconvert
from bpconvert.diagnostics import Fidelity, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.translators.catalogue.model import V2, AttributeRule, CloudifyType, Kind, Lift, Only, PropertyRule, Split
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify import hook_names
from bpconvert.translators.tosca.column import Attribute, NodeType, OwnRequirement, Requirement, ToscaTypes


def test_pages_are_current(root: Path, pages: dict[str, str]) -> None:
    stale = [name for name, text in pages.items() if (root / name).read_text("utf-8") != text]
    assert not stale, "run python tools/docs"


def test_stale_page_is_found_and_written(
    tmp_path: Path, pages: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in pages.items():
        monkeypatch.setitem(PAGES, name, lambda root, text=text: text)
    page = tmp_path / "docs/diagnostics.md"
    assert main(["--check", "--root", str(tmp_path)]) == 1
    assert not page.exists()
    assert main(["--root", str(tmp_path)]) == 0
    assert main(["--check", "--root", str(tmp_path)]) == 0
    page.write_text("old")
    assert main(["--check", "--root", str(tmp_path)]) == 1
    assert "stale" in capsys.readouterr().err


def test_page_has_every_code(pages: dict[str, str]) -> None:
    page = pages["docs/diagnostics.md"]
    assert re.findall(r"^### (BPC\d+)", page, re.MULTILINE) == sorted(CODES)
    assert "\n\n\n" not in page
    assert page.endswith(")\n") or page.endswith(".\n")


@pytest.mark.parametrize("code", CODES)
def test_registry_entry(code: str) -> None:
    entry = CODES[code]
    assert re.fullmatch(r"BPC\d{3}", code)
    assert code[3] in AREAS
    assert entry.severity.upper() in Severity.__members__
    assert entry.fidelity.upper() in Fidelity.__members__
    assert entry.title
    assert entry.explanation
    for text in (entry.message, entry.hint):
        assert all(name != "" for _, name, _, _ in Formatter().parse(text)), "placeholders have names"


def test_public_names() -> None:
    for name in bpconvert.__all__:
        assert getattr(bpconvert, name) is not None
        assert name in dir(bpconvert)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        attrgetter("nothing")(bpconvert)


def test_readme_commands_are_complete(root: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", (root / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert "pip install ." in blocks[0]
    assert "hot2cfy corpus/hot/server-on-network/hot.yaml" in blocks[0]
    assert "pip install '.[test]'" in blocks[1]
    assert "-m pytest" in blocks[1]


def test_every_mapped_type_has_a_section(pages: dict[str, str]) -> None:
    page = pages["docs/types.md"]
    kinds = [builtin().kind(name) for name in {**builtin().types("hot"), **builtin().written_only("hot")}.values()]
    assert all(kind and f"\n## {kind.heat[0]}\n" in page for kind in kinds)
    assert all(f"\n| [{heat}](#{name}) | " in page for heat, name in builtin().types("hot").items())


def test_every_key_of_the_catalogue_is_explained_with_an_example(pages: dict[str, str]) -> None:
    page = pages["docs/catalogue.md"]
    columns = (ToscaTypes, OwnRequirement, NodeType, Requirement, Attribute)
    for owner in (Kind, CloudifyType, V2, PropertyRule, Lift, AttributeRule, Only, Split, *columns):
        assert list(documented(owner)) == [field.name for field in fields(owner) if field.init], owner.__name__
        assert all(meaning.replace("|", "\\|") in page for meaning in documented(owner).values()), owner.__name__
    rows = [line for line in page.split("## Functions")[0].splitlines() if line.startswith("| `")]
    assert len(rows) > 50
    assert [row for row in rows if not re.search(r"`[^`]+`( \(\w+\))? \|$", row)] == []
    named = [name for found in hook_names.functions().values() for name in found]
    assert all(f"`{name}`" in page for name in named)


def test_page_has_every_type_of_tosca_that_is_read(pages: dict[str, str]) -> None:
    page = pages["docs/types.md"]
    assert tosca_types.unnamed() == set()
    assert all(f"\n| `{row.name}` | " in page for row in tosca_types.tosca_types())
    assert "| OS::Nova::Server | `openstack.nova.Server`, a `tosca.nodes.Compute` |" in page


def test_page_has_the_way_back(pages: dict[str, str]) -> None:
    page = pages["docs/types.md"]
    names = [name for name, kind in builtin().types("cloudify").items() if kind]
    assert all(f"\n| {markdown(name)} | " in page for name in names)
    splits = [f"| `{one.relationship}` | to {markdown(one.target)}: a resource" for one in builtin().plugin.splits]
    assert all(split in page for split in splits)
    server = page[page.index("## OS::Nova::Server") :]
    assert "| `server_connected_to_keypair` | to keypair: property key\\_name |" in server
    assert "| `public_ip` | the address of the connected floating IP |" in server
    assert "\n\n\n" not in page


@pytest.mark.parametrize("code", [code for code, one in CODES.items() if one.fidelity in ("approximated", "carried")])
def test_no_hint_says_that_nothing_is_to_be_done_where_something_is_lost(code: str) -> None:
    assert "nothing to do" not in CODES[code].hint.lower()


@pytest.mark.parametrize("code", [code for code, entry in CODES.items() if entry.fidelity == "rewritten"])
def test_what_changes_nothing_is_an_info(code: str) -> None:
    assert CODES[code].severity == "info"


def test_each_code_that_follows_names_a_placeholder_of_its_message() -> None:
    following = {entry.follows: entry.message for entry in CODES.values() if entry.follows != "stand_in"}
    assert all(f"{{{name}}}" in message for name, message in following.items() if name)
    assert {entry.causes for entry in CODES.values()} == {"", "node", "document", "type", "types"}


@pytest.mark.parametrize("code", sorted(CODES))
def test_findings_use_the_words_of_the_field(code: str) -> None:
    """A document declares, has or defines something, a finding reports it: neither of them talks."""
    entry = CODES[code]
    texts = " ".join((entry.title, entry.message, entry.hint, entry.explanation))
    assert not re.search(r"\b(told|tells?|said|says?|saying|mistakes?)\b", texts, re.IGNORECASE), texts
