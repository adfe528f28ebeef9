"""What a document's names of files mean: where each one is, what it reads as, and why one is not read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bpconvert.archives import Archive, open_archive
from bpconvert.files import CannotNest, Files, Meant, is_archive
from bpconvert.models.topology import NestedInterface
from bpconvert.urls import Maps

SITE = "https://templates.example.com/common"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder ``app`` with files, and one beside it."""
    for name, content in {
        "app/run.sh": b"ls\n",
        "app/a b.sh": b"blank\n",
        "app/lib/inner.sh": b"inner\n",
        "app/lib/deep/x.sh": b"x\n",
        "app/odd.bin": b"\xff\xfe",
        "other.sh": b"other\n",
        "checkout/run.sh": b"of the site\n",
        "checkout/odd.bin": b"\xff",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path / "app"


def maps(folder: Path) -> Maps:
    return Maps([(SITE, folder.parent / "checkout")])


def packed(files: dict[str, str], entry: str) -> Archive:
    """An archive with these files, of which ``entry`` is the document."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    found = open_archive(data.getvalue(), "a.zip")
    found.entry = entry
    return found


# -- what is an archive -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        ("a.csar", b"", True),
        ("a.ZIP", b"", True),
        (".zip.yaml", b"", False),
        ("a", b"PK\x03\x04 and more", True),
        ("a", b"PK\x05\x06 of an empty one", True),
        ("a", b"text PK\x03\x04", False),
    ],
)
def test_an_archive_is_known_by_its_name_or_its_first_bytes(name: str, data: bytes, wanted: bool) -> None:
    assert is_archive(name, data) is wanted


# -- reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("run.sh", "ls\n", ""),
        ("lib/../run.sh", "ls\n", ""),
        ("a b.sh", "blank\n", ""),
        ("file:a%20b.sh", "blank\n", ""),
        ("a%20b.sh", None, "BPC610"),
        ("none.sh", None, "BPC610"),
        ("lib", None, "BPC610"),
        ("circle", None, "BPC610"),
        ("nul\0", None, "BPC610"),
        ("//[x", None, "BPC610"),
        ("..", None, "BPC611"),
        ("../other.sh", None, "BPC611"),
        ("out.sh", None, "BPC611"),
        ("own.sh", "ls\n", ""),
        ("odd.bin", None, "BPC612"),
        ("https://elsewhere.example.com/x", None, "BPC654"),
        (f"{SITE}/run.sh", "of the site\n", ""),
        (f"{SITE}/none.sh", None, "BPC655"),
        (f"{SITE}/../other.sh", None, "BPC611"),
        (f"{SITE}/odd.bin", None, "BPC612"),
    ],
)
def test_what_a_name_reads_as(folder: Path, name: str, text: str | None, code: str) -> None:
    (folder / "out.sh").symlink_to("../other.sh")
    (folder / "own.sh").symlink_to("run.sh")
    (folder / "circle").symlink_to("circle")
    files = Files(folder, maps=maps(folder))
    assert files.look(name) == (text, code)
    assert files.used == {}
    assert files.read(name) == (text, code)
    assert files.used == ({} if text is None else {name: text})


def test_a_file_outside_of_the_folder_is_read_where_that_is_allowed(folder: Path) -> None:
    assert Files(folder, allow_outside=True).look("../other.sh") == ("other\n", "")


def test_a_conversion_sees_one_state_of_a_file(folder: Path) -> None:
    files = Files(folder)
    assert files.look("run.sh") == ("ls\n", "")
    (folder / "run.sh").write_text("changed\n")
    for known in (files, files.nested_in("lib/../t.yaml")):
        assert known.look("run.sh") == ("ls\n", "")
        assert known.look("./run.sh") == ("ls\n", "")
    assert Files(folder).look("run.sh") == ("changed\n", "")


def test_what_was_read_is_known_by_its_path(folder: Path) -> None:
    files = Files(folder, maps=maps(folder))
    for name in ("run.sh", "none.sh", f"{SITE}/run.sh"):
        files.read(name)
    files.nested_in("lib/t.yaml").look("inner.sh")
    assert files.opened == {folder / "run.sh", folder.parent / "checkout" / "run.sh", folder / "lib" / "inner.sh"}


def test_what_was_read_or_handed_over_needs_no_disk() -> None:
    files = Files(None, used={"run.sh": "used\n"}, given={"a/b.sh": "given\n", "run.sh": "newer\n"})
    assert files.read("run.sh") == ("used\n", "")
    assert files.look("run.sh") == ("newer\n", "")
    assert files.look("a/./b.sh") == ("given\n", "")
    assert files.look("c.sh") == (None, "BPC610")
    assert Files(None, used={"run.sh": "used\n"}).look("run.sh") == ("used\n", "")


def test_what_becomes_part_of_the_document_is_kept_unless_the_result_has_the_file(folder: Path) -> None:
    files = Files(folder)
    assert [files.keep(name) for name in ("run.sh", "none.sh")] == ["ls\n", None]
    assert files.merged == {"run.sh": "ls\n"}
    files.read("a b.sh")
    assert files.keep("a b.sh") == "blank\n"
    assert files.merged == {"run.sh": "ls\n"}


# -- the files below a folder -------------------------------------------------------------------------------


def test_the_files_below_a_folder_on_disk(folder: Path) -> None:
    files = Files(folder, maps=maps(folder))
    assert files.below("lib") == ["lib/deep/x.sh", "lib/inner.sh"]
    assert files.below("./lib/deep/") == ["lib/deep/x.sh"]
    assert files.nested_in("lib/t.yaml").below("deep") == ["deep/x.sh"]
    assert files.nested_in("lib/t.yaml").below("../lib/deep") == ["../lib/deep/x.sh"]
    for name in ("none", "run.sh", "..", "/etc", str(folder / "lib"), SITE, "nul\0"):
        assert files.below(name) == []
    assert Files(folder, url=f"{SITE}/t.yaml").below("lib") == []
    (folder / "lib" / "late.sh").write_text("")
    assert files.below("lib") == ["lib/deep/x.sh", "lib/inner.sh"]


@pytest.mark.parametrize(("count", "found"), [(200, 200), (201, 0)])
def test_a_folder_with_too_many_files_is_not_listed(count: int, found: int, tmp_path: Path) -> None:
    names = {f"many/{number:04}": "" for number in range(count)}
    assert len(Files(None, given=names).below("many")) == found
    (tmp_path / "many").mkdir()
    for name in names:
        (tmp_path / name).touch()
    assert Files(tmp_path).below("many") == sorted(names)[:found]


def test_the_files_below_a_folder_that_were_handed_over(folder: Path) -> None:
    files = Files(None, used={"lib/b.sh": "", "library.sh": ""}, given={"./lib/a.sh": "", "x/lib/c.sh": ""})
    assert files.below("lib") == ["./lib/a.sh", "lib/b.sh"]
    assert Files(folder, given={"lib/a.sh": ""}).below("lib") == ["lib/a.sh"]
    assert Files(None, used={"lib/b.sh": ""}).below("lib") == ["lib/b.sh"]


def test_the_files_below_a_folder_of_an_archive(folder: Path) -> None:
    archive = packed({"defs/t.yaml": "", "defs/lib/a.sh": "a", "lib/b.sh": "b"}, "defs/t.yaml")
    files = Files(None, packed=archive)
    assert files.below("lib") == ["lib/a.sh"]
    assert files.below("../lib") == ["../lib/b.sh"]
    assert files.nested_in("lib/t.yaml").below(".") == ["./a.sh"]
    assert files.look("lib/a.sh") == ("a", "")
    assert files.nested_in("lib/t.yaml").look("a.sh") == ("a", "")


# -- where a file is ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("run.sh", "run.sh"),
        ("./lib/../run.sh", "run.sh"),
        ("..run.sh", "..run.sh"),
        ("../other.sh", None),
        ("..", None),
        (".", None),
        ("/etc/passwd", None),
        ("c:run.sh", None),
        ("file:a%20b.sh", "a b.sh"),
        (f"{SITE}/run.sh", "templates.example.com/common/run.sh"),
        ("https://elsewhere.example.com/x", None),
    ],
)
def test_the_place_of_a_file(folder: Path, name: str, place: str | None) -> None:
    files = Files(folder, maps=maps(folder))
    assert files.place(name) == place
    if place is not None and "://" not in name:
        assert files.nested_in("lib/t.yaml").place(name) == f"lib/{place}"


def test_a_url_on_disk_has_its_place_by_the_whole_path(folder: Path) -> None:
    assert Files(folder).place(f"file://{folder}/lib/inner.sh") == "lib/inner.sh"
    assert Files(None).place("file:a.sh") is None


def test_names_in_a_document_that_was_read_by_its_url_are_relative_to_that(folder: Path) -> None:
    files = Files(folder, maps=maps(folder), url=f"{SITE}/t.yaml")
    assert files.url_of("run.sh") == f"{SITE}/run.sh"
    assert files.url_of("file:run.sh") == ""
    assert files.url_of("https://[x") == ""
    assert files.look("run.sh") == ("of the site\n", "")
    assert files.local("run.sh") == files.place("run.sh") == "templates.example.com/common/run.sh"
    assert Files(folder).url_of("run.sh") == ""


def test_what_findings_call_a_file(folder: Path) -> None:
    files, url = Files(folder, maps=maps(folder)), f"{SITE}/run.sh"
    file = folder.parent / "checkout" / "run.sh"
    assert (files.shown("run.sh"), files.label("run.sh", "here")) == ("run.sh", "here")
    assert (files.shown(url), files.label(url, "here")) == (f"{url} ({file})", str(file))
    unknown = "https://elsewhere.example.com/x"
    assert (files.shown(unknown), files.label(unknown, "here")) == (unknown, "here")


def test_which_urls_are_known(folder: Path) -> None:
    url = "https://elsewhere.example.com/x"
    assert [Files(folder, maps=maps(folder)).has_url(name) for name in ("run.sh", url, f"{SITE}/n")] == [
        False,
        False,
        True,
    ]
    assert Files(None, used={url: ""}).has_url(url)
    assert Files(None, given={"elsewhere.example.com/x": ""}).has_url(url)
    assert Files(None, given={"../elsewhere.example.com/x": ""}, base="lib").has_url(url)
    assert not Files(None, used={"run.sh": ""}).has_url("run.sh")


def test_what_a_result_calls_the_files_that_were_read(folder: Path) -> None:
    files, url = Files(folder, maps=maps(folder)), f"{SITE}/run.sh"
    files.read(url)
    files.read("lib/../run.sh")
    assert files.copies == {"templates.example.com/common/run.sh": "of the site\n", "lib/../run.sh": "ls\n"}
    nested = files.nested_in("lib/t.yaml")
    nested.read(url)
    assert nested.copies == {"../templates.example.com/common/run.sh": "of the site\n"}
    unknown = "https://elsewhere.example.com/x"
    assert files.local(unknown) == unknown


def test_what_a_result_calls_a_file_of_an_archive(folder: Path) -> None:
    archive = packed({"defs/t.yaml": "", "defs/a.sh": "a", "lib/b.sh": "b"}, "defs/t.yaml")
    files = Files(None, packed=archive)
    assert [files.local(name) for name in ("a.sh", "../lib/b.sh", "../../out.sh")] == [
        "a.sh",
        "lib/b.sh",
        "../../out.sh",
    ]
    later = Files(None, used={"lib/b.sh": "b"})  # of a document that was in an archive
    assert [later.local(name) for name in ("../lib/b.sh", "../lib/c.sh", "lib/b.sh")] == [
        "lib/b.sh",
        "../lib/c.sh",
        "lib/b.sh",
    ]
    assert Files(folder, used={"lib/b.sh": "b"}).local("../lib/b.sh") == "../lib/b.sh"


def test_generated_files_of_several_documents_stand_beside_each_other() -> None:
    assert Files(None, stem="app").generated_name("a/run.sh") == "app.a_run.sh"
    assert Files(None).generated_name("run.sh") == "run.sh"


def test_the_folders_that_a_document_is_in(folder: Path) -> None:
    assert Files(folder).around == list(folder.resolve().parts[1:])
    assert Files(None, base="a//b").around == ["a", "b"]
    assert Files(folder, given={"x": ""}).around == []


def test_a_record_may_be_in_a_folder_around_the_document(folder: Path) -> None:
    files = Files(folder / "lib" / "deep")
    assert files.look_around("x.sh") == "x\n"
    assert files.look_around("../inner.sh") == "inner\n"
    assert files.look_around("../../../other.sh") == "other\n"
    assert files.look_around("../none.sh") is None
    assert files.look_around("/etc/hostname") is None
    (folder / "lib" / "link.sh").symlink_to("../../other.sh")
    assert files.look_around("../link.sh") is None
    assert Files(None).look_around("../x.sh") is None
    assert Files(None, packed=packed({"t.yaml": ""}, "t.yaml")).look_around("../x.sh") is None


# -- types and nested documents -----------------------------------------------------------------------------


class Names:
    """An environment that says what ``My::Type`` is; inside of its entry it says nothing."""

    def __init__(self, meant: Meant, home: Path | None = None) -> None:
        self.meant, self.home = meant, home
        self.parameters: Mapping[str, Any] = {}
        self.defaults: Mapping[str, Any] = {}

    def resolve(self, type: str, resource: str) -> Meant:
        return self.meant if type == "My::Type" else Meant(type)

    def inside(self, path: tuple[str, ...]) -> Names:
        return Names(Meant(".".join(path)))


PATH = ("resource_registry", "My::Type")


def test_what_a_type_stands_for(folder: Path) -> None:
    files = Files(folder, environment=Names(Meant("OS::Neutron::Net", PATH)))
    assert [files.type_of(type, "net") for type in ("My::Type", "Other")] == ["OS::Neutron::Net", "Other"]
    assert (files.mapped, files.near) == ({"net": PATH}, {})
    assert Files(folder).type_of("My::Type", "net") == "My::Type"
    nobody = Meant("OS::Neutron::Net", environment="env.yaml")
    files = Files(folder, environment=Names(nobody))
    assert files.type_of("My::Type", "net") == "OS::Neutron::Net"
    assert (files.mapped, files.near) == ({}, {"net": nobody})


def test_a_type_that_is_a_document_is_named_from_the_one_that_uses_it(folder: Path) -> None:
    meant = Meant("lib/t.yaml", PATH, folder / "lib" / "t.yaml")
    assert Files(folder, environment=Names(meant)).type_of("My::Type", "a") == "lib/t.yaml"
    assert Files(folder / "lib", environment=Names(meant)).type_of("My::Type", "a") == "t.yaml"
    at_home = Files(folder, base="lib", environment=Names(meant, home=folder))
    assert at_home.type_of("My::Type", "a") == "t.yaml"
    assert Files(None, environment=Names(meant)).type_of("My::Type", "a") == "lib/t.yaml"
    by_url = Files(folder, environment=Names(meant), url=f"{SITE}/t.yaml")
    assert by_url.type_of("My::Type", "a") == "file:lib/t.yaml"


def test_what_a_nested_document_sees(folder: Path) -> None:
    files = Files(folder, environment=Names(Meant("x", PATH)), flavour="small", orchestrator="opera")
    files.type_of("My::Type", "a")
    nested = files.nested_in("lib/t.yaml", "a")
    assert (nested.folder, nested.top, nested.base, nested.inner) == (folder / "lib", folder, "lib", True)
    assert (nested.flavour, nested.orchestrator) == ("small", "opera")
    assert nested.look("../run.sh") == ("ls\n", "")
    assert nested.look("../../other.sh") == (None, "BPC611")
    assert nested.type_of("My::Type", "b") == "resource_registry.My::Type"
    assert files.nested_in("lib/t.yaml", "b").type_of("My::Type", "b") == "x"
    deeper = nested.nested_in("deep/t.yaml")
    assert (deeper.folder, deeper.top, deeper.base) == (folder / "lib" / "deep", folder, "lib/deep")
    assert not files.inner
    assert Files(folder).flavour is Files(folder).orchestrator is None


def test_what_was_handed_over_is_named_from_each_document(folder: Path) -> None:
    url = "https://elsewhere.example.com/x"
    files = Files(None, given={"run.sh": "r", "lib/inner.sh": "i", url: "u"})
    nested = files.nested_in("lib/t.yaml")
    assert nested.given == {"../run.sh": "r", "inner.sh": "i", url: "u"}
    assert nested.nested_in("../t.yaml").given == {"run.sh": "r", "lib/inner.sh": "i", url: "u"}
    assert (nested.folder, nested.top, nested.base) == (None, None, "lib")


def test_a_document_is_nested_by_what_opens_it() -> None:
    class Opens:
        def open(self, files: Files, name: str, resource: str) -> NestedInterface:
            return NestedInterface(f"{resource} nests {name}", "", {})

    files = Files(None)
    with pytest.raises(CannotNest) as caught:
        files.nested("t.yaml", "a")
    assert (caught.value.code, caught.value.texts, str(caught.value)) == ("BPC610", {"name": "t.yaml"}, "BPC610")
    files.opener = Opens()
    assert files.nested("t.yaml", "a").file == "a nests t.yaml"
    assert files.nested_in("lib/t.yaml").nested("u.yaml").file == " nests u.yaml"
