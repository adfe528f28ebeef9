"""Reading the files that a template refers to: only below its folder, never from the network."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import unquote, urljoin, urlsplit

from bpconvert.models.light import NamedTuple, dataclass, field
from bpconvert.models.topology import NestedInterface
from bpconvert.urls import Maps, is_url, place_of

if TYPE_CHECKING:
    from bpconvert.archives import Archive
    from bpconvert.surroundings import Around

#: how the names of archives of documents end, and how such archives begin
ARCHIVES: Final = (".csar", ".zip")
#: how many files of one folder are read at most
BELOW: Final = 200
_SIGNATURES: Final = (b"PK\x03\x04", b"PK\x05\x06")


def is_archive(name: str, data: bytes = b"") -> bool:
    """True for a file that is an archive by its name or its first bytes."""
    return name.lower().endswith(ARCHIVES) or data.startswith(_SIGNATURES)


class CannotNest(Exception):
    """Why a nested document cannot be converted: a diagnostic's ``code`` and what it says."""

    def __init__(self, code: str, **texts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.texts = texts


class Opener(Protocol):
    """Converts nested documents."""

    def open(self, files: Files, name: str, resource: str) -> NestedInterface:
        """The document that ``name`` means beside the one with these ``files``, nested by ``resource``; raises
        :class:`CannotNest`."""


class Meant(NamedTuple):
    """What a type's name stands for. ``name``: another type, or the path of a document; ``path``: the entry that says
    so, () for none; ``file``: the document. ``environment``: the file that says so, where nobody named it; ``others``:
    the places that say different things, so that none of them counts."""

    name: str
    path: tuple[str, ...] = ()
    file: Path | None = None
    environment: str = ""
    others: tuple[str, ...] = ()


#: findings of a node that creates nothing because nothing is known of its type, and that of a whole document
UNKNOWN: Final = frozenset({"BPC300", "BPC801", "BPC787"})


class TypeNames(Protocol):
    """What the user's environment says that names of types stand for; ``parameters``: values of the outermost
    document's inputs, ``defaults``: those of every document's; ``home``: the folder of the outermost document, None
    for where its text comes from."""

    parameters: Mapping[str, Any]
    defaults: Mapping[str, Any]
    home: Path | None

    def resolve(self, type: str, resource: str) -> Meant:
        """What ``type`` stands for at ``resource``."""

    def inside(self, path: tuple[str, ...]) -> TypeNames:
        """The same for the document that the entry at ``path`` leads to."""


@dataclass(eq=False, repr=False)
class Files:
    """The files beside a template. ``folder`` None: there are none on disk (the template came as text).

    ``used``: name -> text of every file that was read and is part of the bundle; ``merged``: of those whose content
    has become part of the document. ``given``: files that are not on disk. ``inner``: another document nests this one;
    then ``top`` is the folder of the outermost one, below which everything is, and ``base`` the path from there.
    ``packed``: the archive that the document is in, and all that it can name. ``opener`` converts nested documents;
    ``environment``: what type names stand for, ``stages``: the values of each stage;
    ``mapped``: resource -> the entry of it that says so; ``near``: resource -> what was found for it in an environment
    that nobody named. ``opened``: the paths of all files that were read, of nested
    documents too. ``maps``: checkouts that URLs are read from; ``url``: that of the document, where it was read so;
    ``stem``: what generated files are named after, "" for a document that is no file. ``flavour``: the deployment
    flavour that is chosen; ``orchestrator``: what deploys the result, where that gives values in a way of its own."""

    folder: Path | None
    allow_outside: bool = False
    used: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    top: Path | None = None
    base: str = ""
    inner: bool = False
    packed: Archive | None = None
    opener: Opener | None = None
    environment: TypeNames | None = None
    stages: Mapping[str, TypeNames] = field(default_factory=dict)
    mapped: dict[str, tuple[str, ...]] = field(default_factory=dict)
    near: dict[str, Meant] = field(default_factory=dict)
    opened: set[Path] = field(default_factory=set)
    maps: Maps = field(default_factory=Maps)
    url: str = ""
    stem: str = ""
    flavour: str | None = None
    orchestrator: str | None = None
    #: (name, text) of a file -> the document that it is, for those who read it again; nobody changes one
    documents: dict[tuple[str, str], Any] = field(default_factory=dict)
    #: name of a file outside of the folder -> what names the document from above, below whose folder the file is
    outer: dict[str, str] = field(default_factory=dict)
    #: the outermost document on disk, as far as it is known
    document: Path | None = None
    #: folder -> where it is, without links on the way
    _resolved: dict[Path, Path] = field(default_factory=dict)
    _outer: dict[Path, Path | None] = field(default_factory=dict)
    #: document -> what is around it
    _around: dict[Path, Around] = field(default_factory=dict)
    #: names that were looked for, as they stand in the document
    sought: set[str] = field(default_factory=set)
    #: name of a file on disk -> its text and a code
    _looked: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    #: (file, folder that it has to be below) -> its text and a code: a conversion sees one state of a file
    _texts: dict[tuple[Path, Path], tuple[str | None, str]] = field(default_factory=dict)
    #: (folder of the document, one in it) -> the files below that
    _folders: dict[tuple[Path, str], list[str]] = field(default_factory=dict)

    def read(self, name: str) -> tuple[str | None, str]:
        """The text of file ``name`` and "", or None and the code of the diagnostic that says why not."""
        self.sought.add(name)
        if name in self.used:
            return self.used[name], ""
        text, code = self.look(name)
        if text is not None:
            self.used[name] = text
        return text, code

    def keep(self, name: str) -> str | None:
        """The text of a file that the source needs and the result does not have as it is; None where there is none."""
        text, _ = self.look(name)
        if text is not None and name not in self.used:
            self.merged[name] = text
        return text

    def look(self, name: str) -> tuple[str | None, str]:
        """As :meth:`read`, of a file that does not become part of the bundle as it is."""
        self.sought.add(name)
        for same in self._names(name) if self.given else ():
            if same in self.given:
                return self.given[same], ""
        if name in self.used:
            return self.used[name], ""
        url = self.url_of(name)
        if url:
            mapped = self.maps.find(url)
            text, code = (None, "BPC654") if mapped is None else self._text(mapped.file, mapped.folder)
            return text, "BPC655" if code == "BPC610" else code
        if self.packed is not None:
            return self.packed.text(posixpath.join(self.base, name))
        if self.folder is None:
            return None, "BPC610"
        if name not in self._looked:
            self._looked[name] = self._on_disk(name, self.folder)
        return self._looked[name]

    def _on_disk(self, name: str, folder: Path) -> tuple[str | None, str]:
        """The text of the file ``name`` of the document in ``folder``, and the code of what is wrong."""
        try:
            parts = urlsplit(name)
            place = self._real(folder) / (unquote(parts.path) if parts.scheme == "file" else name)
        except (OSError, ValueError, RuntimeError):
            return None, "BPC610"
        text, code = self._text(place, self.top or folder)
        if code == "BPC610" and self._unpacked() is not None and not posixpath.normpath(name).startswith(("../", "/")):
            return self._text(Path(str(self._unpacked()), name), Path(str(self._unpacked())))
        return self._from_above(name, place) if code == "BPC611" and self.document is not None else (text, code)

    def _unpacked(self) -> Path | None:
        """The folder of the archive that the document is in, where somebody has unpacked it."""
        from bpconvert.surroundings import Around  # as below

        if self.document is None:
            return None
        try:
            document = self._real(self.document.parent) / self.document.name
        except (OSError, RuntimeError):
            return None
        return self._around.setdefault(document, Around(document)).archive

    def _from_above(self, name: str, place: Path) -> tuple[str | None, str]:
        """The text of a file that is not below the document's folder, where something above names the document."""
        try:
            document = self._real(self.document.parent) / self.document.name if self.document else None
            above = None if document is None else self._above(document, place.resolve().parent)
        except (OSError, ValueError, RuntimeError):
            return None, "BPC611"
        if above is None:
            return None, "BPC611"
        text, code = self._text(place, Path(place.anchor))
        if text is not None:
            self.outer[name] = str(above)
        return text, code

    def _above(self, document: Path, folder: Path) -> Path | None:
        """What names the document and is above the folder, too: looked for once."""
        from bpconvert.surroundings import Around  # few documents need it

        if folder not in self._outer:
            around = self._around.setdefault(document, Around(document))
            self._outer[folder] = around.outer(folder)
        return self._outer[folder]

    def _text(self, place: Path, top: Path) -> tuple[str | None, str]:
        """The text of a file that is to be below ``top``, and the code of what is wrong; read once."""
        text = self._texts.get((place, top))
        if text is None:
            text = self._texts[place, top] = self._read(place, top)
        return text

    def _read(self, place: Path, top: Path) -> tuple[str | None, str]:
        try:
            path = self.real(place)
            if not self.allow_outside and not path.is_relative_to(self._real(top)):
                return None, "BPC611"
            if not path.is_file():  # what is no file may have no end
                return None, "BPC610"
            self.opened.add(path)
            return path.read_bytes().decode("utf-8"), ""
        except UnicodeDecodeError:
            return None, "BPC612"
        except (OSError, ValueError, RuntimeError):  # what Python calls a circle of links before 3.13
            return None, "BPC610"

    def real(self, file: Path) -> Path:
        """Where a file is: its folder is found out once. Raises OSError, ValueError and RuntimeError for links that
        lead nowhere."""
        if os.name != "posix" or file.name == "..":
            return file.resolve()
        place = self._real(file.parent) / file.name
        return place.resolve() if place.is_symlink() else place

    def _real(self, folder: Path) -> Path:
        """Where a folder is, which is found out once. Raises OSError and RuntimeError for links that lead nowhere."""
        if folder not in self._resolved:
            self._resolved[folder] = folder.resolve()
        return self._resolved[folder]

    def _names(self, name: str) -> list[str]:
        """What a file that is not on disk may be called."""
        url = self.url_of(name)
        relative = [posixpath.relpath(place_of(url), self.base or ".")] if url else []
        return [name, *([] if is_url(name) else [posixpath.normpath(name)]), *relative]

    @property
    def around(self) -> list[str]:
        """The names of the folders that the document is in, outermost first, as far as they are known."""
        if self.folder is not None and not self.given:
            return list(self.folder.resolve().parts[1:])
        return [name for name in self.base.split("/") if name]

    def below(self, name: str) -> list[str]:
        """The names of the files below the folder ``name``, in order; none where it is no folder of the document's, or
        has more than :data:`BELOW` of them."""
        start = f"{posixpath.normpath(name)}/"
        if is_url(name) or self.url_of(name):
            return []
        if self.given or (self.folder is None and self.packed is None):
            names = dict.fromkeys([*self.given, *self.used])
            paths = [file for file in names if posixpath.normpath(file).startswith(start)]
        elif self.packed is not None:
            base = posixpath.normpath(posixpath.join(posixpath.dirname(self.packed.entry), self.base, start))
            paths = [start + file.removeprefix(f"{base}/") for file in self.packed.names if file.startswith(f"{base}/")]
        else:
            paths = self._below(start)
        return sorted(paths) if len(paths) <= BELOW else []

    def _below(self, start: str) -> list[str]:
        """The files on disk below a folder, as far as there are no links on the way; looked for once."""
        if self.folder is None or posixpath.isabs(start):
            return []
        if (self.folder, start) not in self._folders:
            self._folders[self.folder, start] = self._files_below(self.folder, start)
        return self._folders[self.folder, start]

    def _files_below(self, own: Path, start: str) -> list[str]:
        paths: list[str] = []
        try:
            root = (self._real(own) / start).resolve()
            if not root.is_relative_to(self._real(self.top or own)):
                return []
            for folder, _, names in os.walk(root):
                paths += [start + (Path(folder) / file).relative_to(root).as_posix() for file in names]
                if len(paths) > BELOW:
                    break
        except (OSError, ValueError, RuntimeError):
            return []
        return paths

    def generated_name(self, name: str) -> str:
        """What a file that is generated for the document alone is called: those of several documents of one folder
        stand beside each other."""
        return (f"{self.stem}.{name}" if self.stem else name).replace("/", "_")

    def look_around(self, name: str) -> str | None:
        """The text of a file that keeps what a document was made from; it may be in a folder around the document's."""
        text, code = self.look(name)
        if code == "BPC611" and self.folder is not None and self.packed is None:
            folder = self.folder.resolve()
            around = [folder, *folder.parents][: name.split("/").count("..") + 1][-1]
            text, _ = self._text(folder / name, around)  # a link may not lead out of that folder
        return text

    def url_of(self, name: str) -> str:
        """The URL that ``name`` stands for, "" for a file on disk: in a document that was read by its URL, names are
        relative to that (heatclient.common.template_utils)."""
        if is_url(name):
            return name
        try:
            return urljoin(self.url, name) if self.url and urlsplit(name).scheme != "file" else ""
        except ValueError:
            return ""

    def has_url(self, name: str) -> bool:
        """True for a URL that is read from a checkout, or whose text is known."""
        if not is_url(name):
            return False
        return name in self.used or any(same in self.given for same in self._names(name)) or bool(self.maps.find(name))

    def shown(self, name: str) -> str:
        """What findings call the file: of a URL that is read from a checkout they also say where it is."""
        url = self.url_of(name)
        mapped = self.maps.find(url) if url else None
        return name if mapped is None else f"{url} ({mapped.file})"

    def label(self, name: str, place: str) -> str:
        """What findings about the document ``name``, which is at ``place``, call it."""
        url = self.url_of(name)
        mapped = self.maps.find(url) if url else None
        return place if mapped is None else str(mapped.file)

    @property
    def copies(self) -> dict[str, str]:
        """The files that were read, by their path beside the document."""
        return {self.local(name) if self.url_of(name) else name: text for name, text in self.used.items()}

    def local(self, name: str) -> str:
        """What a result calls the file ``name``: as the document does, but what is in an archive outside of the
        document's folder has its path from the archive's root, so that it can lie beside the result. The file of a URL
        that is read lies in a folder named after its host."""
        url = self.url_of(name)
        if url and (self.url or self.has_url(name)):
            return posixpath.relpath(place_of(url), self.base or ".")
        if self.folder is None and self.packed is None and name not in self.used:  # of a document that was in one
            inside = posixpath.normpath(name).replace("../", "")
            return inside if inside in self.used else name
        leads_out = posixpath.normpath(posixpath.join(self.base, name)).startswith("../")
        root = self._unpacked() if leads_out and self.packed is None and self.folder is not None else None
        if root is not None and self.folder is not None:
            place = posixpath.normpath(posixpath.join(self._real(self.folder).as_posix(), name))
            return posixpath.relpath(place, root.as_posix()) if place.startswith(f"{root.as_posix()}/") else name
        if self.packed is None or not leads_out:
            return name
        return self.packed.place(posixpath.join(self.base, name)) or name

    def place(self, name: str) -> str | None:
        """The path of file ``name`` below the folder of the outermost document; None where it is elsewhere."""
        url = self.url_of(name)
        if url:
            return place_of(url) if self.has_url(url) else None
        parts = urlsplit(name)
        if parts.scheme == "file" and self.folder is not None:
            folder = self.folder.resolve().as_posix()
            name = posixpath.relpath(posixpath.join(folder, unquote(parts.path)), folder)
        elif parts.scheme or posixpath.isabs(name):
            return None
        path = posixpath.normpath(posixpath.join(self.base, name))
        return None if path.startswith("../") or path in (".", "..") else path

    def elsewhere(self) -> set[str]:
        """The names of files outside of the folder that were looked for."""
        return {name for name in self.sought if name.startswith("../") and self.place(name) is None}

    def type_of(self, type: str, resource: str) -> str:
        """What a type name stands for at a resource: another type, or the path of a file relative to the document."""
        if self.environment is None:
            return type
        resolved = self.environment.resolve(type, resource)
        if resolved.path:
            self.mapped[resource] = resolved.path
        if resolved.environment:
            self.near[resource] = resolved
        if resolved.file is None or self.folder is None:
            return resolved.name
        home = self.environment.home
        folder = self.folder if home is None else home / self.base
        place = posixpath.relpath(resolved.file.resolve().as_posix(), folder.resolve().as_posix())
        return f"file:{place}" if self.url else place

    def nested_in(self, name: str, resource: str = "") -> Files:
        """The files of the document ``name``, one with a :meth:`place`, that ``resource`` nests."""
        base, start = posixpath.dirname(self.place(name) or ""), self.base or "."
        moved = {
            file if is_url(file) else posixpath.relpath(posixpath.join(start, file), base or "."): text
            for file, text in self.given.items()
        }
        top = self.top or self.folder
        folder = None if top is None else top / base
        files = Files(folder, self.allow_outside, given=moved, top=top, base=base, inner=True, packed=self.packed)
        files.opener, files.environment, files.opened = self.opener, self.environment, self.opened
        files._resolved, files.document, files._outer = self._resolved, self.document, self._outer
        files._around = self._around
        files._texts = self._texts
        files.maps, files.url, files.flavour = self.maps, self.url_of(name), self.flavour
        files.orchestrator = self.orchestrator
        if files.environment is not None and resource in self.mapped:
            files.environment = files.environment.inside(self.mapped[resource])
        return files

    def nested(self, name: str, resource: str = "") -> NestedInterface:
        """The document ``name`` that ``resource`` nests, converted, as its parent sees it.

        Raises CannotNest."""
        if self.opener is None:
            raise CannotNest("BPC610", name=name)
        return self.opener.open(self, name, resource)
