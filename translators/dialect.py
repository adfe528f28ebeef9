"""A language: what its row in :mod:`bpconvert.translators.dialects` has, and what that means when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from bpconvert.models.light import NamedTuple
from bpconvert.translators.support import imported

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.diagnostics import Diagnostic, Reporter
    from bpconvert.files import Files
    from bpconvert.models.expressions import Value
    from bpconvert.models.topology import Input, Topology
    from bpconvert.options import Nearby
    from bpconvert.translators.catalogue.model import Column
    from bpconvert.translators.catalogue.types import Catalogue
    from bpconvert.translators.catalogue.user_types import Hooks
    from bpconvert.translators.comparing.model import Comparison
    from bpconvert.translators.evaluate.facts import Evaluator
    from bpconvert.translators.lowered import Lowered
    from bpconvert.translators.passes.capabilities import Capabilities
    from bpconvert.translators.passes.request import Request
    from bpconvert.translators.provenance.sidecar import Sidecar
    from bpconvert.translators.support.deploying import Steps
    from bpconvert.translators.support.drawn import Drawn
    from bpconvert.translators.support.editing import Editing
    from bpconvert.translators.support.packing import Packing
    from bpconvert.translators.takeovers import Adopting, AdoptionSteps, Recording
    from bpconvert.yamlio.document import Document

    Reader: TypeAlias = Callable[..., Topology]
    Writer: TypeAlias = Callable[[Topology, Request], Lowered]
    Checker: TypeAlias = Callable[[Document, Reporter, Files, Sequence[str], Catalogue | None], None]
    Acceptor: TypeAlias = Callable[[Input, Any], Value]
    Environments: TypeAlias = Callable[[Sequence[str]], tuple[Any, list[Diagnostic]]]
    Around: TypeAlias = Callable[[Any, Nearby, Callable[[str], bool]], Any]

T = TypeVar("T")
#: the sections that every language has under some name
SECTIONS: Final = ("description", "inputs", "nodes", "outputs")
ROOT: Final = "bpconvert.translators."


class Dialect(NamedTuple):
    """One language. What is a function or another object here may be given as ``module:name``, and is imported when it
    is needed first; only the reader and the writer have to be given.

    title: what messages call a document of it.
    marker: the top-level key by which a document is known; its value is the version.
    reader: (document, catalogue, reporter, files) -> topology; with ``naming`` also ``seen``: takes what was read.
    writer: (topology, request) -> lowered.
    layout: how a result is laid out: the name of a built-in template, the path of another one, or a template's text.
    short: its name in the names of commands; default: ``name``.
    word: what users call a document of it.
    options: the fields of :class:`~bpconvert.options.Options` that say how a document of it is written.
    recogniser: data of a document -> whether it is of this language; default: the marker is there.
    can: its :class:`~.passes.capabilities.Capabilities`.
    acceptor: (input, value) -> what a reference to the input yields; ValueError where the engine refuses the value.
    checker: (document, reporter, files, environments, mappings of types); reports what the engine refuses.
    naming: the same for what was read, for misspelt names; False where the engine sees something else.
    environments: files of the user -> what types stand for, and what was found in them.
    around: (that, what was found near a document, whether a type needs none) -> both; ``registry``: the key that such
        files have.
    evaluator: the :class:`~.evaluate.facts.Evaluator` of values; default: none.
    comparison: how documents are compared: a :class:`~.comparing.model.Comparison`; default: the plain one.
    sidecar: where a document keeps the record of its source; default: nowhere.
    published: the section of a nested document that the nesting one can read.
    bodies: sections inside of which others are, of which a document has one; ``lifted``: those others.
    drawing: (data of a document, its section of nodes) -> what a picture shows of it as it is written
        (:class:`~.support.drawn.Drawn`); default: nothing.
    hooks: yields the functions that users' mappings of types may name.
    column: its :class:`~.catalogue.model.Column` in the catalogue, where that is under a key of its own.
    archive: the module that knows its archives (:class:`~.support.packing.Packing`); default: it has none.
    deploying: the function that lists what to do before a document of it can be deployed, as
    :data:`~.support.deploying.Steps`; default: it is not known.
    recording: the module that reads what its engine records of a deployment (:class:`Recording`); default: it is not
        known.
    adopting: the same for an engine that owns what it takes over (:class:`Adopting`).
    adopts: documents of it take over what runs.
    adoption: the module with the steps of taking over (:class:`AdoptionSteps`).
    profile: yields the file with all types that results can import; default: there is none.
    library: whether a text of the language only defines what others import; default: none does.
    core: whether a text is of a version that is read by the core schema of YAML 1.2; default: none is.
    editing: what an editor knows of it; default: nothing."""

    name: str
    title: str
    marker: str
    reader: Reader | str
    writer: Writer | str
    layout: str | Path
    short: str = ""
    word: str = "document"
    options: tuple[str, ...] = ()
    recogniser: Callable[[Any], bool] | str = ""
    can: Capabilities | str = ""
    acceptor: Acceptor | str = ROOT + "support.constraints:accept_data"
    checker: Checker | str = ""
    naming: Callable[..., bool] | str = ""
    environments: Environments | str = ""
    around: Around | str = ""
    registry: str = ""
    evaluator: Evaluator | str = ""
    comparison: Comparison | str = ROOT + "comparing.model:PLAIN"
    sidecar: Sidecar | str = ROOT + "provenance.sidecar:NO_SIDECAR"
    published: str = "outputs"
    bodies: tuple[str, ...] = ()
    lifted: frozenset[str] = frozenset()
    hooks: Callable[[], Hooks] | str = ""
    column: Column | str = ""
    drawing: Callable[[Any, str], Drawn] | str = ""
    archive: Packing | str = ""
    deploying: Steps | str = ""
    recording: Recording | str = ""
    adopting: Adopting | str = ""
    adopts: bool = False
    adoption: AdoptionSteps | str = ""
    profile: Callable[[], str] | str = ""
    library: Callable[[bytes], bool] | str = ""
    core: Callable[[str], bool] | str = ""
    editing: Editing | str = ROOT + "support.editing:NOTHING"

    @property
    def kind(self) -> str:
        """What a document of it is, in messages: ``Heat template``."""
        return f"{self.capabilities().title} {self.word}"

    def recognises(self, data: Any) -> bool:
        """True for the data of a document of this language."""
        if self.recogniser:
            return resolved(self.recogniser)(data)
        return isinstance(data, dict) and self.marker in data

    def capabilities(self) -> Capabilities:
        """What the language can express."""
        if self.can:
            return resolved(self.can)
        from bpconvert.translators.passes.capabilities import Capabilities

        return Capabilities(self.title)

    def read(self) -> Reader:
        """The function that reads a document into a topology."""
        return resolved(self.reader)

    def write(self) -> Writer:
        """The function that writes a topology."""
        return resolved(self.writer)

    def check(self) -> Checker | None:
        """The function that checks a document; None where the language has no other than its reader."""
        return resolved(self.checker) if self.checker else None

    def names(self) -> Callable[..., bool] | None:
        """The function that finds misspelt names in what was read; None where only the checker does."""
        return resolved(self.naming) if self.naming else None

    def accept(self, declared: Input, value: Any) -> Value:
        """What a reference to the input yields when it is given ``value``; ValueError where the engine refuses it."""
        return resolved(self.acceptor)(declared, value)

    def evaluated(self) -> Evaluator | None:
        """How its engine computes values; None where it is not known."""
        return resolved(self.evaluator) if self.evaluator else None

    def compared(self) -> Comparison:
        """How its documents are compared with others."""
        return resolved(self.comparison)

    def keeper(self) -> Sidecar:
        """What keeps and finds the record of the source."""
        return resolved(self.sidecar)

    def drawn(self, data: Any) -> Drawn:
        """What a picture shows of a document as it is written."""
        from bpconvert.translators.support.drawn import Drawn

        return resolved(self.drawing)(data, self.section("nodes")) if self.drawing else Drawn({}, {})

    def records(self) -> Recording | None:
        """The module that reads what the engine records of a deployment."""
        return resolved(self.recording) if self.recording else None

    @property
    def file_name(self) -> str:
        """What a document is called where nobody gives it a name."""
        return f"{self.word.replace(' ', '_')}.yaml"

    def adopter(self) -> Adopting | None:
        """The module that writes what the engine adopts."""
        return resolved(self.adopting) if self.adopting else None

    def adoption_steps(self) -> AdoptionSteps | None:
        """The module with the steps of taking over; None for a language without."""
        return resolved(self.adoption) if self.adoption else None

    def packing(self) -> Packing | None:
        """What knows its archives; None for a language without."""
        return resolved(self.archive) if self.archive else None

    def deployed(self) -> Steps | None:
        """What lists the steps of a deployment; None where they are not known."""
        return resolved(self.deploying) if self.deploying else None

    def types_file(self) -> str | None:
        """The text of the file with all types that results can import; None for a language without one."""
        return resolved(self.profile)() if self.profile else None

    def edited(self) -> Editing:
        """What an editor knows of the language."""
        return resolved(self.editing)

    def is_library(self, text: bytes) -> bool:
        """True for the text of a file that only defines what others import."""
        return bool(self.library) and resolved(self.library)(text)

    def section(self, neutral: str) -> str:
        """The name of one of :data:`SECTIONS`, or of ``capabilities``."""
        return self.capabilities().words.section(neutral)

    def counterparts(self, other: Dialect) -> dict[str, str]:
        """Section of this dialect -> section of the other one."""
        theirs, mine = self.capabilities().words, other.capabilities().words
        sections = {theirs.section(neutral): mine.section(neutral) for neutral in SECTIONS}
        return {**sections, **({theirs.connecting: mine.section("nodes")} if theirs.connecting else {})}

    def moves(self, other: Dialect) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """(section of this dialect, that of the other one) and the same of what says the version, as places."""
        sections = self.counterparts(other).items()
        return [*(((theirs,), (mine,)) for theirs, mine in sections), ((self.marker,), (other.marker,))]


def resolved(what: T | str) -> T:
    """What ``module:name`` or ``module`` means; anything else is itself."""
    return cast(T, imported(what)) if isinstance(what, str) else what
