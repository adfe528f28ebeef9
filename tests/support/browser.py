"""A real browser without a window, driven by the DevTools protocol over a pipe: no package is needed for that."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

#: the names that Chromium has on different systems; ``BPCONVERT_BROWSER`` names another one
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: seconds to wait for an answer
PATIENCE = 120


def found() -> str | None:
    """The path of a browser; None where there is none."""
    named = os.environ.get("BPCONVERT_BROWSER")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser with one page. ``messages``: what pages wrote to the console, errors too, as text."""

    def __init__(self, program: str, width: int = 1280, height: int = 900) -> None:
        self.messages: list[str] = []
        self._profile = tempfile.mkdtemp(prefix="bpconvert-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # the browser reads its file descriptor 3 and writes 4
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        options = [
            "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
            "--disable-background-networking", f"--user-data-dir={self._profile}", f"--window-size={width},{height}",
            "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            ["bash", "-c", shell, program, *options],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        pages = self._call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in pages if one["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, page: Path | str, place: str = "") -> None:
        """Load a page anew; ``place``: what comes after ``#``."""
        self._call("Page.navigate", url="about:blank")
        url = page.resolve().as_uri() if isinstance(page, Path) else page
        self._call("Page.navigate", url=f"{url}#{place}" if place else url)
        self.run("new Promise(done => document.readyState == 'complete' ? done() : addEventListener('load', done))")

    def run(self, script: str) -> Any:
        """The value of an expression in the page, awaited. Raises AssertionError where it throws."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = {"Tab": 9, "Enter": 13}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self._call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **more)

    def look(self, width: int, dark: bool = False) -> None:
        """Show pages in a window of this width, as somebody sees them who prefers dark or light colours."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=features)

    def picture(self, place: Path) -> None:
        """Write what is in the window as PNG."""
        place.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def _call(self, method: str, **arguments: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": arguments}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                self.messages.append(json.dumps(answer["params"]))
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            assert ready, f"the browser has not answered for {PATIENCE} seconds"
            more = os.read(self._in, 1 << 20)
            assert more, "the browser has ended"
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(text)
        return answer
