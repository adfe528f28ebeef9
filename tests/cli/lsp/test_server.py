"""``bpconvert lsp`` with a real client: pygls' own, over standard input and output of a process."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS
from corpus_cases import LANGUAGES
from machine_pace import pace

from bpconvert.cli.main import main

pytest.importorskip("pygls", reason="pygls is not installed: pip install '.[lsp]'")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  env: {type: string, default: dev}
conditions:
  is_prod: {equals: [{get_param: env}, prod]}
resources:
  net:
    type: OS::Neutron::Net
  web:
    type: OS::Nova::Server
    depends_on: [net]
    properties:
      image: debian-12
      flavor: {if: [is_prod, m1.large, m1.small]}
      networks: [{network: {get_resource: net}}]
      metadata: {"\N{GRINNING FACE}": {get_param: env}}
outputs:
  address: {value: {get_attr: [web, name]}}
"""


class Editor:
    """An editor with one server."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.applied: list[lsp.WorkspaceEdit] = []
        self.versions: dict[str, int] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(lsp.WORKSPACE_APPLY_EDIT)
        def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.applied.append(params.edit)
            return lsp.ApplyWorkspaceEditResult(True)

    async def start(self, folder: Path) -> None:
        await self.client.start_io(sys.executable, "-m", "bpconvert", "lsp", cwd=folder)
        asked = lsp.InitializeParams(lsp.ClientCapabilities(), root_uri=from_fs_path(str(folder)))
        await self.client.initialize_async(asked)
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    async def open(self, path: Path, text: str | None = None) -> tuple[str, list[lsp.Diagnostic]]:
        uri = from_fs_path(str(path))
        assert uri is not None
        given = path.read_text("utf-8") if text is None else text
        self.versions[uri] = 1
        item = lsp.TextDocumentItem(uri, "yaml", 1, given)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri, await self.findings(uri)

    async def change(self, uri: str, text: str) -> list[lsp.Diagnostic]:
        self.versions[uri] += 1
        changed = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        whole = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(changed, whole))
        return await self.findings(uri)

    async def close(self, uri: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        assert await self.findings(uri) == []

    async def findings(self, uri: str) -> list[lsp.Diagnostic]:
        while True:
            published = await asyncio.wait_for(self.published.get(), 30)
            if published.uri == uri and published.version in (None, self.versions[uri]):
                return list(published.diagnostics)


def in_editor(folder: Path, steps: Callable[[Editor], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        editor = Editor()
        await editor.start(folder)
        try:
            return await steps(editor)
        finally:
            await editor.stop()

    return asyncio.run(run())


def place(text: str, mark: str, offset: int = 0) -> lsp.Position:
    """The place where ``mark`` is in the text, as clients count: in units of UTF-16."""
    before = text[: text.index(mark) + offset]
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def at(uri: str, text: str, mark: str, offset: int = 0) -> dict[str, Any]:
    return {"text_document": lsp.TextDocumentIdentifier(uri), "position": place(text, mark, offset)}


def changed(text: str, edits: list[lsp.TextEdit]) -> str:
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        number = edit.range.start.line
        units = lines[number].encode("utf-16-le")
        start, end = 2 * edit.range.start.character, 2 * edit.range.end.character
        lines[number] = (units[:start] + edit.new_text.encode("utf-16-le") + units[end:]).decode("utf-16-le")
    return "".join(lines)


# -- findings -----------------------------------------------------------------------------------------------


def documents() -> Iterator[Path]:
    for language in LANGUAGES:
        for path in sorted((CORPUS / language.folder).glob(f"*/{language.document}")):
            try:
                path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:  # no editor sends what is no text
                continue
            yield path


def test_every_document_of_the_corpus_has_the_findings_of_check(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = list(documents())
    assert len(paths) > 600
    main(["check", "--format", "json", *map(str, paths)])
    checked = {row["file"]: row["diagnostics"] for row in json.loads(capsys.readouterr().out)["files"]}

    async def steps(editor: Editor) -> dict[str, list[lsp.Diagnostic]]:
        found = {}
        for path in paths:
            uri, found[str(path)] = await editor.open(path)
            await editor.close(uri)
        return found

    names = {1: "error", 2: "warning", 3: "info"}
    for path, found in in_editor(tmp_path, steps).items():
        own = [row for row in checked[path] if row["file"] == path and row["code"] != "BPC131"]
        expected = [(row["code"], row["severity"], f"{row['message']}\n{row['hint']}".rstrip()) for row in own]
        assert [(item.code, names[item.severity], item.message) for item in found] == expected, path
        assert [item.range.start.line + 1 for item in found] == [row["line"] for row in own], path


def test_a_keystroke_in_a_large_template_is_answered_soon(tmp_path: Path) -> None:
    servers = "".join(
        f"  server_{number}:\n    type: OS::Nova::Server\n    properties:\n      image: debian\n      flavor: small\n"
        for number in range(200)
    )
    text = f"heat_template_version: 2018-08-31\nresources:\n{servers}"
    assert text.count("\n") > 1000

    async def steps(editor: Editor) -> list[float]:
        uri, found = await editor.open(tmp_path / "large.yaml", text)
        assert not [item for item in found if item.severity == lsp.DiagnosticSeverity.Error]
        taken = []
        for number in range(5):
            typed = text.replace("flavor: small", f"flavr{number}: small", number + 1)
            slowdown, start = pace(), time.perf_counter()
            found = await editor.change(uri, typed)
            taken.append((time.perf_counter() - start) / slowdown)
            assert sum("flavr" in item.message for item in found) == number + 1
        return taken

    assert min(in_editor(tmp_path, steps)) < 0.3


def test_findings_follow_what_is_typed_and_other_files_have_none(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TEMPLATE, "utf-8")

    async def steps(editor: Editor) -> None:
        uri, found = await editor.open(tmp_path / "t.yaml")
        assert found == []
        found = await editor.change(uri, TEMPLATE.replace("debian-12", "debian-12\n      imge: x"))
        assert [(item.code, item.range.start.line) for item in found] == [("BPC170", 13)]
        assert (found[0].range.start.character, found[0].range.end.character) == (6, 10)
        found = await editor.change(uri, TEMPLATE.replace("image: debian-12", "image: [debian-12"))
        assert [item.code for item in found] == ["BPC101"]
        _, found = await editor.open(tmp_path / "compose.yaml", "services: {web: {image: nginx}}\n")
        assert found == []

    in_editor(tmp_path, steps)


def test_the_configuration_and_comments_count(tmp_path: Path) -> None:
    (tmp_path / ".bpconvert.toml").write_text('[check]\nignore = ["BPC170"]\n')
    typed = TEMPLATE.replace("debian-12", "debian-12\n      imge: x\n      flvor: y")

    async def steps(editor: Editor) -> None:
        uri, found = await editor.open(tmp_path / "t.yaml", typed)
        assert found == []
        (tmp_path / ".bpconvert.toml").unlink()
        found = await editor.change(uri, typed.replace("imge: x", "imge: x  # bpconvert: ignore[BPC170]"))
        assert [item.range.start.line for item in found] == [14]

    in_editor(tmp_path, steps)


# -- what stands at a place ---------------------------------------------------------------------------------


def test_hover(tmp_path: Path) -> None:
    expected = {
        ("OS::Nova::Server", 2): ["cloudify.nodes.openstack.Server", "openstack.nova.Server"],
        ("get_param: env}, prod", 2): ["Cloudify DSL: `get_input`", "TOSCA: `get_input`"],
        ("flavor: {if", 2): ["OS::Nova::Server", "in Cloudify: `flavor`"],
        ("net}}]", 1): ["resources", "type: OS::Neutron::Net"],
        ("if: [is_prod", 1): ["one of two values"],
    }

    async def steps(editor: Editor) -> None:
        uri, _ = await editor.open(tmp_path / "t.yaml", TEMPLATE)
        for (mark, offset), words in expected.items():
            found = await editor.client.text_document_hover_async(lsp.HoverParams(**at(uri, TEMPLATE, mark, offset)))
            assert found is not None, mark
            assert [word for word in words if word not in found.contents.value] == [], found.contents.value
        nothing = await editor.client.text_document_hover_async(lsp.HoverParams(**at(uri, TEMPLATE, "2018", 1)))
        assert nothing is None

    in_editor(tmp_path, steps)


def test_definition_and_references(tmp_path: Path) -> None:
    places = {
        ("net}}]", 1): "  net:", ("[net]", 2): "  net:", ("env}, prod", 1): "  env:", ("env}}", 1): "  env:",
        ("is_prod, m1", 1): "  is_prod:", ("web, name", 1): "  web:",
    }  # fmt: skip

    async def steps(editor: Editor) -> None:
        uri, _ = await editor.open(tmp_path / "t.yaml", TEMPLATE)
        for (mark, offset), entry in places.items():
            asked = lsp.DefinitionParams(**at(uri, TEMPLATE, mark, offset))
            found = await editor.client.text_document_definition_async(asked)
            assert isinstance(found, lsp.Location), mark
            assert found.range.start == place(TEMPLATE, entry, 2)
        context = lsp.ReferenceContext(include_declaration=True)
        asked = lsp.ReferenceParams(context=context, **at(uri, TEMPLATE, "env: {type", 1))
        assert len(await editor.client.text_document_references_async(asked)) == 3

    in_editor(tmp_path, steps)


BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
inputs:
  region: {type: string, default: here}
node_templates:
  base: {type: cloudify.nodes.Root}
  'top':
    type: cloudify.nodes.Root
    relationships:
      - {type: cloudify.relationships.depends_on, target: "base"}
outputs:
  where: {value: {concat: [{get_input: region}, {get_attribute: [base, x]}]}}
"""
SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    region: {type: string, default: here}
  node_templates:
    base: {type: tosca.nodes.Root}
    top:
      type: tosca.nodes.Root
      requirements:
        - dependency: base
        - dependency: {node: base}
  outputs:
    where: {value: {concat: [{get_input: region}, {get_attribute: [base, x]}]}}
"""


@pytest.mark.parametrize(
    ("text", "mark", "times"), [(TEMPLATE, "  net:", 3), (TEMPLATE, "  env:", 3), (BLUEPRINT, "  base:", 3),
                                (BLUEPRINT, "  region:", 2), (SERVICE, "    base:", 4), (SERVICE, "    region:", 2)],
)  # fmt: skip
def test_rename_changes_all_that_refers_to_an_entry(tmp_path: Path, text: str, mark: str, times: int) -> None:
    name = mark.strip(" :")

    async def steps(editor: Editor) -> None:
        uri, found = await editor.open(tmp_path / "t.yaml", text)
        asked = at(uri, text, mark, len(mark) - 2)
        assert await editor.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**asked)) is not None
        made = await editor.client.text_document_rename_async(lsp.RenameParams(new_name="other", **asked))
        assert made is not None
        edits = list(made.changes[uri])
        assert len(edits) == times
        renamed = changed(text, edits)
        assert renamed.count("other") == times
        assert not [line for line in renamed.splitlines() if line.strip(" ':\"").startswith(f"{name}:")]
        after = await editor.change(uri, renamed)
        assert [item.code for item in after] == [item.code for item in found]
        taken = "web" if text is TEMPLATE else "top"
        if mark.strip() not in ("env:", "region:"):
            again = at(uri, renamed, "other", 1)
            none = await editor.client.text_document_rename_async(lsp.RenameParams(new_name=taken, **again))
            assert none is None

    in_editor(tmp_path, steps)


# -- completion ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "typed", "wanted", "unwanted"),
    [
        (TEMPLATE, "  db:\n    type: OS::No|", "OS::Nova::Server", "get_param"),
        (TEMPLATE, "  db:\n    type: OS::Nova::Server\n    properties:\n      fl|", "flavor", "OS::Nova::Server"),
        (TEMPLATE, "  db:\n    type: OS::Nova::Server\n    properties:\n      flavor: {get_param: |", "env", "net"),
        (TEMPLATE, "  db:\n    type: OS::Nova::Server\n    properties:\n      flavor: {ge|", "get_param", "flavor"),
        (TEMPLATE, "  db:\n    type: OS::Nova::Server\n    properties:\n      flavor: {get_attr: [|", "web", "env"),
        (TEMPLATE, "  db:\n    type: OS::Nova::Server\n    depends_on: |", "net", "env"),
        (BLUEPRINT, "  db:\n    type: cloudify.nodes.op|", "cloudify.nodes.openstack.Server", "base"),
        (BLUEPRINT, "  db:\n    type: cloudify.nodes.openstack.Server\n    properties:\n      |", "image", "base"),
        (BLUEPRINT, "  db:\n    relationships:\n      - type: x\n        target: |", "base", "region"),
        (SERVICE, "    db:\n      type: tosca.nodes.C|", "tosca.nodes.Compute", "base"),
        (SERVICE, "    db:\n      type: openstack.no|", "openstack.nova.Server", "base"),
        (SERVICE, "    db:\n      type: yorc.|", "yorc.nodes.openstack.Compute", "base"),
        (SERVICE, "    db:\n      type: openstack.nova.Server\n      properties:\n        |", "flavor", "base"),
        (
            SERVICE,
            "    db:\n      type: yorc.nodes.openstack.Compute\n      properties:\n        |",
            "imageName",
            "base",
        ),
        (SERVICE, "    db:\n      type: x\n      properties:\n        a: {get_input: |", "region", "base"),
        (SERVICE, "    db:\n      type: x\n      requirements:\n        - host: |", "base", "region"),
    ],
)
def test_completion(tmp_path: Path, text: str, typed: str, wanted: str, unwanted: str) -> None:
    outputs = text.index("outputs:") if text is not SERVICE else text.index("  outputs:")
    typed_text = text[:outputs] + typed.replace("|", "\N{BULLET}") + "\n" + text[outputs:]
    mark = typed_text.replace("\N{BULLET}", "")

    async def steps(editor: Editor) -> list[str]:
        uri, _ = await editor.open(tmp_path / "t.yaml", text)
        await editor.change(uri, mark)
        asked = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), place(typed_text, "\N{BULLET}"))
        return [item.label for item in await editor.client.text_document_completion_async(asked)]

    labels = in_editor(tmp_path, steps)
    assert wanted in labels
    assert unwanted not in labels


# -- code actions -------------------------------------------------------------------------------------------


def test_code_actions(tmp_path: Path) -> None:
    typed = TEMPLATE.replace("image: debian-12", "imge: debian-12")

    async def steps(editor: Editor) -> None:
        uri, found = await editor.open(tmp_path / "t.yaml", typed)
        wrong = next(item for item in found if item.code == "BPC170")
        context = lsp.CodeActionContext([wrong])
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), wrong.range, context)
        offered = {one.title: one for one in await editor.client.text_document_code_action_async(asked)}
        assert list(offered) == [
            "Replace 'imge' by 'image'", "Ignore BPC170 here", "Convert to a Cloudify blueprint",
            "Convert to a TOSCA service template",
        ]  # fmt: skip
        assert changed(typed, list(offered["Replace 'imge' by 'image'"].edit.changes[uri])) == TEMPLATE
        ignored = changed(typed, list(offered["Ignore BPC170 here"].edit.changes[uri]))
        assert "BPC170" not in {item.code for item in await editor.change(uri, ignored)}
        await editor.change(uri, TEMPLATE)
        command = lsp.ExecuteCommandParams("bpconvert.convert", [uri, "cloudify"])
        made = await editor.client.workspace_execute_command_async(command)
        assert made == from_fs_path(str(tmp_path / "t.blueprint.yaml"))
        create, edit = editor.applied[0].document_changes
        assert create.uri == made
        assert "type: cloudify.nodes.openstack.Server" in edit.edits[0].new_text

    in_editor(tmp_path, steps)
