"""The language server: what editors ask, answered by the other modules of this folder. Needs pygls 2."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from bpconvert import __version__
from bpconvert.cli.lsp import changing, completing, describing
from bpconvert.cli.lsp.findings import findings
from bpconvert.cli.lsp.index import Index, Token
from bpconvert.diagnostics import BpconvertError, Diagnostic, Severity

#: seconds without a keystroke after which a document is checked
PAUSE: Final = 0.05
CONVERT: Final = "bpconvert.convert"
_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_KINDS: Final = {
    "type": lsp.CompletionItemKind.Class,
    "property": lsp.CompletionItemKind.Property,
    "function": lsp.CompletionItemKind.Function,
    "name": lsp.CompletionItemKind.Variable,
}


class _Open:
    """A document that an editor has open: the index of its text, of the last text that was a document, and its
    findings."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.index = Index("", "")
        self.usable = self.index
        self.findings: list[Diagnostic] = []
        self.elsewhere: set[str] = set()
        self.waiting: asyncio.TimerHandle | None = None


class Server(LanguageServer):
    """The server with the documents that are open."""

    def __init__(self) -> None:
        super().__init__("bpconvert", __version__)
        self._open: dict[str, _Open] = {}

    def state(self, uri: str) -> _Open:
        """The state of a document, with the index of its text now."""
        document, state = self.workspace.get_text_document(uri), self._open.setdefault(uri, _Open())
        if state.version != document.version or state.index.text != document.source:
            state.index, state.version = Index(document.source, _name(document)), document.version
            if state.index.tokens:
                state.usable = state.index
        return state

    def soon(self, uri: str) -> None:
        """Check a document when nothing has been typed for a while."""
        state = self._open.setdefault(uri, _Open())
        if state.waiting is not None:
            state.waiting.cancel()
        state.waiting = asyncio.get_running_loop().call_later(PAUSE, self.check, uri)

    def check(self, uri: str) -> None:
        """Publish the findings of a document, those in files that it uses at these."""
        if uri not in self.workspace.text_documents:
            return
        document, state = self.workspace.get_text_document(uri), self.state(uri)
        state.findings = findings(_name(document), document.source)
        places: dict[str, list[lsp.Diagnostic]] = {uri: [], **{other: [] for other in state.elsewhere}}
        for item in state.findings:
            own = item.span.file == _name(document)
            place = uri if own else from_fs_path(item.span.file) or uri
            places.setdefault(place, []).append(self._diagnostic(item, document, state.index if own else None))
        state.elsewhere = {place for place, items in places.items() if items} - {uri}
        for place, items in places.items():
            version = document.version if place == uri else None
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=place, version=version, diagnostics=items)
            )

    def close(self, uri: str) -> None:
        """Forget a document, and take its findings back."""
        state = self._open.pop(uri, None)
        if state is not None and state.waiting is not None:
            state.waiting.cancel()
        for place in {uri, *(state.elsewhere if state is not None else ())}:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=place, diagnostics=[]))

    def token(self, params: Any) -> tuple[_Open, Token | None]:
        """The state of the document that a request is about, and what stands at its place."""
        state = self.state(params.text_document.uri)
        document = self.workspace.get_text_document(params.text_document.uri)
        place = document.position_codec.position_from_client_units(document.lines, params.position)
        return state, state.index.at(place.line, place.character)

    def range(self, uri: str, edit: changing.Edit | Token) -> lsp.Range:
        """A place as the client counts it."""
        document = self.workspace.get_text_document(uri)
        return _range(document, edit.line, edit.start, edit.end_line, edit.end)

    def edits(self, uri: str, edits: list[changing.Edit]) -> lsp.WorkspaceEdit:
        """Edits of a document, for the client."""
        return lsp.WorkspaceEdit({uri: [lsp.TextEdit(self.range(uri, edit), edit.text) for edit in edits]})

    def _diagnostic(self, item: Diagnostic, document: TextDocument, index: Index | None) -> lsp.Diagnostic:
        line, column = max(item.span.line - 1, 0), max(item.span.column - 1, 0)
        token = index.at(line, column) if index is not None else None
        if token is not None and token.line == line and column - 1 <= token.start:
            place = _range(document, line, token.start, token.end_line, token.end)
        elif index is not None:
            place = _range(document, line, column, line, column + 1)
        else:
            place = lsp.Range(lsp.Position(line, column), lsp.Position(line, column + 1))
        message = f"{item.message}\n{item.hint}" if item.hint else item.message
        return lsp.Diagnostic(place, message, _SEVERITIES[item.severity], code=item.code, source="bpconvert")


def _name(document: TextDocument) -> str:
    return to_fs_path(document.uri) or document.uri


def _range(document: TextDocument, line: int, start: int, end_line: int, end: int) -> lsp.Range:
    codepoints = lsp.Range(lsp.Position(line, start), lsp.Position(end_line, end))
    return document.position_codec.range_to_client_units(document.lines, codepoints)


SERVER: Final = Server()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def did_open(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """A document is checked at once."""
    server.check(params.text_document.uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def did_change(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """A document is checked after a pause."""
    server.soon(params.text_document.uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def did_save(server: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    """Files that others use may have changed: all open documents are checked."""
    for uri in list(server.workspace.text_documents):
        server.check(uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def did_close(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """A document that is closed has no findings."""
    server.close(params.text_document.uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What is known of what the pointer is on."""
    state, token = server.token(params)
    text = describing.described(state.index, token) if token is not None else None
    if token is None or text is None:
        return None
    contents = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(contents, server.range(params.text_document.uri, token))


@SERVER.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[":", "{", "[", " "]))
def completion(server: Server, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """What can be written at a place."""
    state = server.state(params.text_document.uri)
    document = server.workspace.get_text_document(params.text_document.uri)
    place = document.position_codec.position_from_client_units(document.lines, params.position)
    lines = document.source.splitlines()
    index = state.index if state.index.tokens else state.usable
    offered = completing.choices(index, lines, place.line, place.character)
    return [
        lsp.CompletionItem(choice.word, kind=_KINDS[choice.kind], detail=choice.about or None) for choice in offered
    ]


@SERVER.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(server: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """The entry that a reference names."""
    state, token = server.token(params)
    target = state.index.name_of(token) if token is not None else None
    entry = state.index.entry(target) if target is not None else None
    return lsp.Location(params.text_document.uri, server.range(params.text_document.uri, entry)) if entry else None


@SERVER.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """All that names an entry."""
    state, token = server.token(params)
    target = state.index.name_of(token) if token is not None else None
    uri = params.text_document.uri
    return [lsp.Location(uri, server.range(uri, use)) for use in state.index.uses(target)] if target else []


@SERVER.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """The name that would be changed; None where there is none."""
    state, token = server.token(params)
    target = state.index.name_of(token) if token is not None else None
    is_there = target is not None and state.index.entry(target) is not None
    return server.range(params.text_document.uri, token) if token is not None and is_there else None


@SERVER.feature(lsp.TEXT_DOCUMENT_RENAME)
def rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """An entry gets another name, with all that refers to it."""
    state, token = server.token(params)
    edits = changing.renamed(state.index, token, params.new_name) if token is not None else None
    return server.edits(params.text_document.uri, edits) if edits is not None else None


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
def code_action(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What can be done about the findings at a place, and the conversions of the document."""
    uri, state = params.text_document.uri, server.state(params.text_document.uri)
    document = server.workspace.get_text_document(uri)
    asked = document.position_codec.range_from_client_units(document.lines, params.range)
    result = []
    for item in state.findings:
        if item.span.file != _name(document) or not asked.start.line <= item.span.line - 1 <= asked.end.line:
            continue
        for action in changing.actions(state.index, item):
            result.append(
                lsp.CodeAction(
                    action.title,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[sent for sent in params.context.diagnostics if sent.code == item.code],
                    is_preferred=action.is_preferred,
                    edit=server.edits(uri, action.edits),
                )
            )
    for dialect in changing.targets(state.index):
        title = f"Convert to a {dialect.kind}"
        command = lsp.Command(title, CONVERT, arguments=[uri, dialect.name])
        result.append(lsp.CodeAction(title, kind=lsp.CodeActionKind.Source, command=command))
    return result


@SERVER.command(CONVERT)
async def convert(server: Server, uri: str, target: str) -> str | None:
    """Convert a document into a new file beside it, which the editor creates and shows; returns its URI."""
    document = server.workspace.get_text_document(uri)
    try:
        place, text = changing.converted(_name(document), document.source, target)
    except (BpconvertError, OSError) as error:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error)))
        return None
    result_uri = str(from_fs_path(place))
    start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    identified = lsp.OptionalVersionedTextDocumentIdentifier(result_uri, None)
    changes: list[Any] = [lsp.CreateFile(result_uri), lsp.TextDocumentEdit(identified, [lsp.TextEdit(start, text)])]
    edit = lsp.WorkspaceEdit(document_changes=changes)
    await server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, label=f"convert to {target}"))
    return result_uri


def serve() -> None:
    """Answer an editor over standard input and output until it ends."""
    SERVER.start_io()
