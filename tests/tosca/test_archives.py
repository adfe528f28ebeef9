"""Service templates in archives: reading, what is refused, writing."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from service_heads import SOFTWARE

from bpconvert import archives, convert
from bpconvert.api import Result, packed, read
from bpconvert.checking import check
from bpconvert.diagnostics import SourceError
from bpconvert.roundtrips import roundtrip
from bpconvert.verification import verify

DOCUMENT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [types.yaml]
topology_template:
  node_templates:
    key: {type: my.Key, properties: {name: k}}
"""
TYPES = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.nova.KeyPair: {derived_from: tosca.nodes.Root}
  my.Key:
    derived_from: openstack.nova.KeyPair
    properties: {name: {type: string}}
"""
META = "TOSCA-Meta-File-Version: 1.0\nCSAR-Version: 1.1\nCreated-By: me\nEntry-Definitions: {entry}\n"


def archive(files: dict[str, Any], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return stream.getvalue()


def with_meta(files: dict[str, Any], entry: str = "Definitions/main.yaml") -> dict[str, Any]:
    return {"TOSCA-Metadata/TOSCA.meta": META.format(entry=entry), **files}


@pytest.mark.parametrize(
    "files",
    [
        with_meta({"Definitions/main.yaml": DOCUMENT, "Definitions/types.yaml": TYPES}),
        with_meta({"main.yaml": DOCUMENT, "types.yaml": TYPES}, "main.yaml"),
        {"main.yaml": DOCUMENT.replace("types", "lib/types"), "lib/types.yaml": TYPES, "README.txt": "x"},
        with_meta({"Definitions/main.yaml": DOCUMENT.replace("types.y", "../T/types.y"), "T/types.yaml": TYPES}),
    ],
)
@pytest.mark.parametrize("ending", ["csar", "zip"])
def test_an_archive_is_read_like_a_folder(tmp_path: Path, files: dict[str, Any], ending: str) -> None:
    place = tmp_path / f"a.{ending}"
    place.write_bytes(archive(files))
    made = convert(place, "tosca", "hot", carry=False)
    assert made.document["resources"]["key"] == {"type": "OS::Nova::KeyPair", "properties": {"name": "k"}}
    assert not [one for one in made.diagnostics if one.code in ("BPC142", "BPC143")]
    assert all(str(tmp_path) in one.span.file for one in made.diagnostics)
    assert read(place).data["node_templates"]["key"]["type"] == "my.Key"
    assert not [one for one in check(place) if str(one.severity) == "error"]
    assert verify(place, place).is_same
    assert roundtrip(place, via="hot").is_identical
    assert convert(place.read_bytes(), "tosca", "hot", carry=False).text == made.text


def test_only_what_is_in_the_archive_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(TYPES)
    place = tmp_path / "a.csar"
    place.write_bytes(archive({"main.yaml": DOCUMENT.replace("types.yaml", "../types.yaml")}))
    found = {one.code: one.message for one in convert(place, "tosca", "hot").diagnostics}
    assert "outside" in found["BPC142"]


def linked() -> bytes:
    row = zipfile.ZipInfo("link.yaml")
    row.external_attr = (stat.S_IFLNK | 0o777) << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("main.yaml", DOCUMENT)
        made.writestr(row, "/etc/passwd")
    return stream.getvalue()


def encrypted() -> bytes:
    data = bytearray(archive({"main.yaml": DOCUMENT}))
    for begin, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(begin) + offset] |= 1
    return bytes(data)


def broken() -> bytes:
    data = bytearray(archive({"main.yaml": DOCUMENT}, zipfile.ZIP_STORED))
    data[data.index(b"tosca_def")] ^= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"no archive\n", "no ZIP archive"),
        (b"PK\x03\x04 cut off", "no ZIP archive"),
        (archive({"main.yaml": DOCUMENT})[:200], "no ZIP archive"),
        (archive({}), "no YAML files at its root"),
        (archive({"one.yaml": DOCUMENT, "two.yaml": DOCUMENT}), "2 YAML files at its root"),
        (archive(with_meta({"other.yaml": DOCUMENT})), "not in it"),
        (archive({"TOSCA-Metadata/TOSCA.meta": "CSAR-Version: 1.1\n", "main.yaml": DOCUMENT}), "no Entry-Definitions"),
        (archive({"main.yaml": DOCUMENT, "../../etc/x": "x"}), "leads out"),
        (archive({"main.yaml": DOCUMENT, "/etc/x": "x"}), "leads out"),
        (archive({"main.yaml": DOCUMENT, "C:/x": "x"}), "leads out"),
        (archive({"main.yaml": DOCUMENT, "zeros": bytes(3 << 20)}), "unpacks to"),
        (archive({"main.yaml": " " * (archives.SINGLE + 1)}, zipfile.ZIP_STORED), "too large"),
        (archive({"main.yaml": DOCUMENT} | {str(n): "" for n in range(archives.MEMBERS)}), "more than"),
        (linked(), "is a link"),
        (encrypted(), "is encrypted"),
        (broken(), "is broken"),
    ],
)
def test_what_could_do_harm_or_is_broken_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    place = tmp_path / "a.csar"
    place.write_bytes(data)
    for run in (lambda: convert(place, "tosca", "hot"), lambda: check(place), lambda: verify(place, place)):
        with pytest.raises(SourceError) as error:
            run()
        assert error.value.diagnostic.code == "BPC855"
        assert problem in error.value.diagnostic.message
    assert list(tmp_path.iterdir()) == [place]


def test_an_archive_with_a_file_twice_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.csar"
    with zipfile.ZipFile(place, "w") as made:
        made.writestr("main.yaml", DOCUMENT)
        with pytest.warns(UserWarning, match="Duplicate"):
            made.writestr("main.yaml", DOCUMENT)
    with pytest.raises(SourceError, match="twice"):
        convert(place, "tosca", "hot")


def test_a_written_archive_is_read_again_and_is_always_the_same() -> None:
    files = {"../Scripts/create.sh": "#!/bin/sh\n", "types.yaml": TYPES}
    made = packed(Result(DOCUMENT, [], files, target="tosca"), "main.yaml")
    assert made == packed(Result(DOCUMENT, [], dict(reversed(files.items())), target="tosca"), "main.yaml")
    names = zipfile.ZipFile(io.BytesIO(made)).namelist()
    assert names == [
        "TOSCA-Metadata/TOSCA.meta", "Definitions/main.yaml", "Scripts/create.sh", "Definitions/types.yaml",
    ]  # fmt: skip
    meta = zipfile.ZipFile(io.BytesIO(made)).read(names[0]).decode()
    assert meta.splitlines() == [
        "TOSCA-Meta-File-Version: 1.1", "CSAR-Version: 1.1", "Created-By: bpconvert",
        "Entry-Definitions: Definitions/main.yaml",
    ]  # fmt: skip
    assert "key" in convert(made, "tosca", "hot").document["resources"]


def test_without_files_elsewhere_the_document_is_at_the_root() -> None:
    made = packed(Result(DOCUMENT, [], {"types.yaml": TYPES}, target="tosca"), "main.yaml")
    names = zipfile.ZipFile(io.BytesIO(made)).namelist()
    assert names == ["TOSCA-Metadata/TOSCA.meta", "main.yaml", "types.yaml"]


@pytest.mark.parametrize("name", ["/etc/x", "main.yaml", "c:x"])
def test_files_that_cannot_be_in_an_archive(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be in it"):
        packed(Result(DOCUMENT, [], {name: ""}, target="tosca"), "main.yaml")
    with pytest.raises(ValueError, match="no archives"):
        packed(Result(DOCUMENT, [], {}, target="hot"), "main.yaml")


def test_scripts_beside_the_documents_folder_lie_beside_the_result(tmp_path: Path) -> None:
    text = (
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
        "    server: {type: tosca.nodes.Compute}\n    app:\n      type: tosca.nodes.SoftwareComponent\n"
        "      requirements: [{host: server}]\n"
        "      interfaces: {Standard: {operations: {create: ../Scripts/create.sh}}}\n"
    )
    place = tmp_path / "a.csar"
    place.write_bytes(archive(with_meta({"Definitions/main.yaml": text, "Scripts/create.sh": "#!/bin/sh\necho hi\n"})))
    made = convert(place, "tosca", "hot", files="copy")
    assert "Scripts/create.sh" in made.files or "echo hi" in made.text
    assert not [name for name in made.files if name.startswith("..")]
    back = convert(made.text.encode(), "hot", "tosca", beside=made.files)
    assert back.text == text
    names = zipfile.ZipFile(io.BytesIO(packed(back, "main.yaml"))).namelist()
    assert "Definitions/main.yaml" in names
    assert back.files == {"Scripts/create.sh": "#!/bin/sh\necho hi\n"}
    assert "Scripts/create.sh" in names


IN_A_FOLDER = SOFTWARE % "create: ../Scripts/create.sh, start: ../../outside.sh"


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_file_of_an_unpacked_archive_is_inside_it(tmp_path: Path, target: str) -> None:
    root = tmp_path / "archive"
    for folder in ("TOSCA-Metadata", "Definitions", "Scripts"):
        (root / folder).mkdir(parents=True)
    meta = root / "TOSCA-Metadata" / "TOSCA.meta"
    meta.write_text("TOSCA-Meta-File-Version: 1.1\nEntry-Definitions: Definitions/service.yaml\n")
    (root / "Definitions" / "service.yaml").write_text(IN_A_FOLDER)
    for place in (root / "Scripts" / "create.sh", tmp_path / "outside.sh"):
        place.write_text("#!/bin/sh\n")
    result = convert(root / "Definitions" / "service.yaml", "tosca", target, carry=False)
    assert result.files["Scripts/create.sh"] == "#!/bin/sh\n"
    refused = {"hot": "BPC611", "cloudify": "BPC834"}[target]
    messages = [finding.message for finding in result.diagnostics if finding.code in ("BPC610", "BPC611", "BPC834")]
    assert [finding.code for finding in result.diagnostics].count(refused) == len(messages) == 1
    assert "outside.sh" in messages[0]
    meta.unlink()
    codes = [f.code for f in convert(root / "Definitions" / "service.yaml", "tosca", target, carry=False).diagnostics]
    assert codes.count(refused) == 2
