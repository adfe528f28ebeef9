"""Running a case: what it yields, and what breaks."""

from __future__ import annotations

import gc
import hashlib
import io
import os
import random
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

from cases import Case
from changes import changed, in_bytes
from commands import edited
from machine import pace
from material import CORPUS

from bpconvert.api import Result, convert, dialect_of, read
from bpconvert.archives import pack
from bpconvert.checking import check
from bpconvert.cli.main import finish, main
from bpconvert.diagnostics import BpconvertError
from bpconvert.graphs import FORMATS, graph
from bpconvert.roundtrips import roundtrip
from bpconvert.translators.dialects import DIALECTS, load
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.support.places import without
from bpconvert.verification import verify
from bpconvert.yamlio.emit import emit

#: seconds of processor time, of a usual machine, for one conversion of a document of so many bytes, in proportion for
#: larger ones
SECONDS: Final = 2
_SIZE: Final = 10 * 1024
#: how many conversions an action takes, about, where it is not one
_CONVERSIONS: Final = {"back": 3, "roundtrip": 2, "verify": 3, "archive": 3}
MEMORY: Final = 500 * 1024 * 1024
#: the exit codes that README.md promises
_CODES: Final = (0, 1, 2)


class TooLong(BaseException):
    """The case has used its time; nothing takes this for an error of its own."""


class _Wrong(Exception):
    """A command line has not ended as it should."""


@contextmanager
def limited() -> Iterator[None]:
    """Limits of time and memory, for :func:`outcome`. To be entered before the first case: pydantic reserves a
    gigabyte where it may."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, stop)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, hard))
    gc.freeze()
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def outcome(case: Case, folder: Path) -> tuple[str, str]:
    """What broke ("": nothing), and a digest of what the case yields. ``folder``: for the files of the case, which are
    gone afterwards; a path of it may be in what is yielded."""
    if folder.exists():  # of a process that was ended
        shutil.rmtree(folder)
    seconds = _seconds(case)
    signal.setitimer(signal.ITIMER_PROF, seconds * pace(), 1)
    try:
        return "", _digest("\0".join(_run(case, folder)))
    except BpconvertError as error:
        return "", _digest(str(error))
    except TooLong as late:
        return f"more than {seconds:.0f} s, in {_where(late)}", ""
    except MemoryError as full:
        return f"more than {MEMORY // 1024**2} MB, in {_where(full)}", ""
    except Exception as error:
        return f"{type(error).__name__}: {error}, in {_where(error)}"[:300], ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if folder.exists():
            shutil.rmtree(folder)


def _seconds(case: Case) -> float:
    """How long a case may take."""
    size = max(len(case.text), *(len(text) for text in case.files.values()), _SIZE)
    return SECONDS * size / _SIZE * (_CONVERSIONS.get(case.action, 1) if case.text else max(3, len(case.steps)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _where(error: BaseException) -> str:
    """The innermost place of the package."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "site-packages" not in frame.filename and "/fuzz/" not in frame.filename]
    last = own[-1] if own else frames[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _run(case: Case, folder: Path) -> list[str]:
    """Everything that the case yields."""
    if case.action == "commands":
        return _commands(case, folder)
    text, name = case.text.encode("latin-1"), str(CORPUS / case.name)
    choices: dict[str, Any] = dict(case.choices)
    for option, content in case.more.items():
        place = str(_put(folder, f"{option}.yaml", content))
        choices[option] = (("prod", place),) if option == "stages" else (place,)
    files = {option: choices[option] for option in ("types", "environments") if option in choices}
    if case.action == "archive":
        return _archived(case, text, choices)
    if case.action == "check":
        return [str(found) for found in check(text, name=name, **files)]
    if case.action == "graph":
        picture = graph(text, name=name, **files)
        return [picture.text(form) for form in FORMATS]
    if case.action == "roundtrip":
        trip = roundtrip(text, case.target, name=name, **choices)
        return [trip.there.text, trip.back.text]
    made = convert(text, None, case.target, name=name, **choices)
    if case.action == "verify":
        compared = verify(text, made.text.encode(), draws=1)
        return [str([one.what for one in compared.differences]), str(compared.notes)]
    return [*_yielded(made), *(_back(case, text, made) if case.action == "back" else [])]


def _put(folder: Path, name: str, content: str) -> Path:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content.encode("latin-1"))
    return place


def _yielded(made: Result) -> list[str]:
    if not isinstance(made.document, dict):
        raise _Wrong("the result is no map")
    return [made.text, *(f"{name}\n{text}" for name, text in made.files.items()), *map(str, made.diagnostics)]


def _back(case: Case, text: bytes, made: Result) -> list[str]:
    """What an odd form of the result, with odd files beside it, goes back to."""
    draw = random.Random(case.then)
    files = dict(made.files)
    if files and draw.random() < 0.3:
        odd = draw.choice(sorted(files))
        files[odd] = in_bytes(files[odd].encode(), draw).decode("utf-8", "replace")
    result = changed(made.text.encode(), draw)
    if draw.random() < 0.3:
        result = _forged(made.text, case.target, draw)
    return _yielded(convert(result, case.target, dialect_of(read(text)), beside=files))


def _forged(made: str, target: str, draw: random.Random) -> bytes:
    """A result with another kept source, whose sum fits."""
    data = load(made).data
    keeper = DIALECTS[target].keeper()
    place = keeper.find(data, "")
    record = None if place is None else dict(keeper.read(data, place))
    if record is None or "text" not in record:
        return changed(made.encode(), draw)
    record["text"] = changed(record["text"].encode("utf-8", "surrogatepass"), draw).decode("utf-8", "replace")
    record["sum"] = digest(record["text"])
    if draw.random() < 0.3:
        record["unkept"] = draw.choice(["types", "params", "environments limits", "zz"])
    plain: dict[str, Any] = without(data, place)
    keeper.put(plain, record)
    return emit(plain).encode("utf-8", "surrogatepass")


def _archived(case: Case, text: bytes, choices: dict[str, Any]) -> list[str]:
    """What an odd archive with the document yields."""
    draw = random.Random(case.then)
    entry = draw.choice(["main.yaml"] * 4 + ["Definitions/main.yaml"] * 4 + ["../main.yaml", "x/../main.yaml"])
    meta = f"TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nCreated-By: x\nEntry-Definitions: {entry}\n".encode()
    members = {}
    if draw.random() < 0.7:
        members["TOSCA-Metadata/TOSCA.meta"] = changed(meta, draw) if draw.random() < 0.3 else meta
    data = pack({**members, entry: text})
    made = convert(in_bytes(data, draw) if draw.random() < 0.4 else data, None, case.target, **choices)
    return _yielded(made)


def _commands(case: Case, folder: Path) -> list[str]:
    """What the command lines of a case print, and all files that are there in the end."""
    folder.mkdir()
    for name, content in case.files.items():
        _put(folder, name, content)
    before = Path.cwd()
    os.chdir(folder)
    try:
        found = [text for step in case.steps for text in _step(step)]
        files = (place for place in sorted(Path().rglob("*")) if place.is_file())
        return [*found, *(f"{place}\n{place.read_bytes().decode('latin-1')}" for place in files)]
    finally:
        os.chdir(before)


def _step(step: Mapping[str, Any]) -> list[str]:
    """What a step of a case prints. Raises _Wrong for a command line that ends as none should."""
    if "edit" in step:
        edited(Path(step["edit"]), step["seed"])
        return []
    given = Path(step["stdin"]).read_bytes() if "stdin" in step else b""
    printed = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(stream, "utf-8", "backslashreplace") for stream in printed)
    with patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))), redirect_stdout(out), redirect_stderr(err):
        code = finish(main(step["run"]))
    texts = [stream.getvalue().decode() for stream in printed]
    if code not in _CODES or "internal error" in texts[1]:
        raise _Wrong(f"{' '.join(step['run'])} ended with {code}: {texts[1][:100]}")
    return [str(code), *texts]
