"""A film plays in a browser from beginning to end; skipped where no Chromium is installed."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread

import numpy as np
import pytest

pytest.importorskip("av")

from jaxphys_adapters import video

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# The page tells what it saw by asking for a path: a clock that runs ahead of the decoder, as that of a browser told to
# print a page does, may stop before the film has been read.
PAGE = """<video id=v src=film.mp4 muted></video><script>
const tell = (what) => fetch("/told/" + what);
v.oncanplaythrough = () => v.play();
v.onerror = () => tell("error " + v.error.message);
v.onended = () => tell(`at ${v.currentTime} of ${v.duration}, ${v.videoWidth} x ${v.videoHeight}`);
</script>"""


class Listener(SimpleHTTPRequestHandler):
    """Serves a folder, and keeps what the page tells."""

    told: Queue[str]

    def do_GET(self) -> None:
        if self.path.startswith("/told/"):
            self.told.put(self.path.removeprefix("/told/").replace("%20", " "))
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test is quiet."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Queue[str]]]:
    """Address of the folder, and what its page tells."""
    told: Queue[str] = Queue()
    handler = type("Told", (Listener,), {"told": told})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", told
        server.shutdown()


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_film_plays_to_its_end(tmp_path: Path, served: tuple[str, "Queue[str]"]) -> None:
    address, told = served
    frames = np.zeros((32, 48, 64, 3), np.uint8)
    frames[np.arange(32), 20, np.arange(32)] = 255
    (tmp_path / "film.mp4").write_bytes(video.mp4(frames, 25.6))
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    assert BROWSER is not None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-proxy-server"]
    flags += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", "--remote-debugging-port=0"]
    flags += ["--autoplay-policy=no-user-gesture-required"]
    browser = subprocess.Popen(
        [BROWSER, *flags, f"{address}/page.html"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    try:
        assert told.get(timeout=120) == "at 1.25 of 1.25, 64 x 48"
    finally:
        browser.terminate()
        browser.wait(timeout=30)
