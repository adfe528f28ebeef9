"""Running a case: what it yields, and what breaks."""

from __future__ import annotations

import hashlib
import io
import random
import re
import resource
import signal
import tempfile
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from cases import CORPUS, Case, changed, in_bytes

from bpconvert.api import Result, convert
from bpconvert.checking import check
from bpconvert.diagnostics import BpconvertError
from bpconvert.roundtrips import roundtrip
from bpconvert.verification import verify

SECONDS: Final = 5
MEMORY: Final = 500 * 1024 * 1024


class TooLong(BaseException):
    """The case has used its time; nothing takes this for an error of its own."""


@contextmanager
def limited() -> Iterator[None]:
    """Limits of time and memory, for :func:`outcome`."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, stop)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def outcome(case: Case) -> tuple[str, str]:
    """What broke ("": nothing), and a digest of what the case yields."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return "", _digest("\0".join(_run(case)))
    except BpconvertError as error:
        return "", _digest(str(error))
    except TooLong as late:
        return f"more than {SECONDS} s, in {_where(late)}", ""
    except MemoryError as full:
        return f"more than {MEMORY // 1024**2} MB, in {_where(full)}", ""
    except Exception as error:
        return f"{type(error).__name__}: {error}, in {_where(error)}"[:300], ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _digest(text: str) -> str:
    """A digest without the names of temporary folders."""
    place = re.escape(tempfile.gettempdir())
    return hashlib.sha256(re.sub(rf"{place}/\w+/", "", text).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _where(error: BaseException) -> str:
    """The innermost place of the package."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "site-packages" not in frame.filename and "/fuzz/" not in frame.filename]
    last = own[-1] if own else frames[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _run(case: Case) -> list[str]:
    """Everything that the case yields."""
    text, name = case.text.encode("latin-1"), str(CORPUS / case.name)
    with tempfile.TemporaryDirectory() as folder:
        choices: dict[str, Any] = dict(case.choices)
        for option, content in case.more.items():
            place = Path(folder, f"{option}.yaml")
            place.write_bytes(content.encode("latin-1"))
            choices[option] = (str(place),)
        if case.action == "archive":
            return _archived(case, text, choices)
        if case.action == "check":
            files = {option: choices[option] for option in ("types", "environments") if option in choices}
            return [str(found) for found in check(text, name=name, **files)]
        if case.action == "roundtrip":
            trip = roundtrip(text, case.target, name=name, **choices)
            return [trip.there.text, trip.back.text]
        made = convert(text, None, case.target, name=name, **choices)
        if case.action == "verify":
            found = verify(text, made.text.encode(), draws=1)
            return [str([one.what for one in found.differences]), str(found.notes)]
        return [*_yielded(made), *(_back(case, text, made) if case.action == "back" else [])]


def _yielded(made: Result) -> list[str]:
    assert isinstance(made.document, dict)
    return [made.text, *(f"{name}\n{text}" for name, text in made.files.items()), *map(str, made.diagnostics)]


def _back(case: Case, text: bytes, made: Result) -> list[str]:
    """What an odd form of the result, with odd files beside it, goes back to."""
    from bpconvert.api import dialect_of, read

    draw = random.Random(case.then)
    files = dict(made.files)
    if files and draw.random() < 0.3:
        odd = draw.choice(sorted(files))
        files[odd] = in_bytes(files[odd].encode(), draw).decode("utf-8", "replace")
    result = changed(made.text.encode(), draw)
    return _yielded(convert(result, case.target, dialect_of(read(text)), beside=files))


def _archived(case: Case, text: bytes, choices: dict[str, Any]) -> list[str]:
    """What an odd archive with the document yields."""
    draw = random.Random(case.then)
    packed = io.BytesIO()
    entry = draw.choice(["main.yaml"] * 4 + ["Definitions/main.yaml"] * 4 + ["../main.yaml", "x/../main.yaml"])
    with zipfile.ZipFile(packed, "w") as archive:
        meta = f"TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nCreated-By: x\nEntry-Definitions: {entry}\n".encode()
        if draw.random() < 0.7:
            archive.writestr("TOSCA-Metadata/TOSCA.meta", changed(meta, draw) if draw.random() < 0.3 else meta)
        archive.writestr(entry, text)
    data = packed.getvalue()
    made = convert(in_bytes(data, draw) if draw.random() < 0.4 else data, None, case.target, **choices)
    return _yielded(made)
