"""A headless Chromium that looks at pages: what they say once they are drawn, and pictures of them."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

from websockets.sync.client import connect

from tests.e2e.station import until

CHROMIUM = shutil.which("chromium")
WIDTH = 1500
ZONE = "Europe/Berlin"
"""Where the browser stands: pages tell the time of there."""
REST = 1.5
"""Seconds for what fades in."""


class Browser:
    """One window, steered over the DevTools protocol."""

    def __enter__(self) -> Self:
        assert CHROMIUM
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        port = Path(self._profile.name) / "DevToolsActivePort"
        words = ["--headless", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--remote-debugging-port=0"]
        words += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        root = ["--no-sandbox"] if not os.getuid() else []
        self._process = subprocess.Popen(
            [CHROMIUM, *words, *root, f"--user-data-dir={self._profile.name}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        number = until("the browser is up", lambda: port.exists() and port.read_text().split()[:1])[0]
        with urlopen(Request(f"http://127.0.0.1:{number}/json/new?about:blank", method="PUT")) as answer:
            address = json.load(answer)["webSocketDebuggerUrl"]
        self._wire = connect(address, max_size=None)
        self._numbers = itertools.count()
        self._ask("Emulation.setTimezoneOverride", timezoneId=ZONE)
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()
        self._process.terminate()
        self._process.wait(20)
        self._profile.cleanup()

    def see(self, url: str, *expected: str, height: int = 960, width: int = WIDTH, dark: bool = False) -> str:
        """Open a page in a window of this size and wait until it says all of `expected`; returns all that it says.

        Raises:
            TimeoutError: it does not say that.
        """
        self._resize(height, width)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])
        self._ask("Page.navigate", url=url)
        self.says(*expected)
        return self.text()

    def says(self, *expected: str) -> None:
        """Wait until the page says all of `expected`.

        Raises:
            TimeoutError: it does not say that.
        """
        until(f"the page says {expected}", lambda: all(word in self.text() for word in expected), 30)

    def press(self, key: str) -> None:
        """Press and let go a key, such as `y` or `Enter`."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
            self._ask("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def fill(self, name: str, value: str) -> None:
        """Put a value into the field of a form."""
        field = f"document.querySelector({json.dumps(f'[name={name}]')})"
        changed = "new Event('input', {bubbles: true})"
        self.evaluate(f"{field}.value = {json.dumps(value)}; {field}.dispatchEvent({changed})")

    def unroll(self) -> None:
        """Make the window as high as what it shows."""
        heights = "[...document.querySelectorAll('main, main *')].map(e => e.scrollHeight)"
        self._resize(int(self.evaluate(f"Math.max(innerHeight, ...{heights})")))

    def _resize(self, height: int, width: int = WIDTH) -> None:
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def click(self, words: str) -> None:
        """Click what has these words as its title or as its whole text."""
        named = f"e => [e.title, e.children.length ? '' : e.innerText?.trim()].includes({json.dumps(words)})"
        found = f"[...document.querySelectorAll('*')].find({named})"
        until(f"'{words}' is there", lambda: self.evaluate(f"Boolean({found})"))
        self.evaluate(f"{found}.click()")

    def text(self) -> str:
        """What the page says now."""
        return str(self.evaluate("document.body ? document.body.innerText : ''"))

    def evaluate(self, script: str) -> Any:
        """Value of a JavaScript expression."""
        return self._ask("Runtime.evaluate", expression=script)["result"].get("value")

    def picture(self, path: Path) -> None:
        """Keep what the window shows as PNG."""
        time.sleep(REST)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"]))

    def _ask(self, method: str, **given: object) -> dict[str, Any]:
        number = next(self._numbers)
        self._wire.send(json.dumps({"id": number, "method": method, "params": given}))
        while (answer := json.loads(self._wire.recv(timeout=60))).get("id") != number:
            pass
        assert "error" not in answer, answer
        return dict(answer["result"])
