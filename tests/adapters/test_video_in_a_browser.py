"""A film plays in a browser from beginning to end; skipped where no Chromium is installed."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("av")

from jaxphys_adapters import video

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PAGE = """<video id=v src=film.mp4 muted></video><p id=o>nothing</p><script>
v.oncanplaythrough = () => v.play();
v.onerror = () => { o.textContent = "error " + v.error.message };
v.ontimeupdate = () => { o.textContent = `at ${v.currentTime} of ${v.duration}, ${v.videoWidth} x ${v.videoHeight}` };
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_film_plays_to_its_end(tmp_path: Path) -> None:
    frames = np.zeros((32, 48, 64, 3), np.uint8)
    frames[np.arange(32), 20, np.arange(32)] = 255
    (tmp_path / "film.mp4").write_bytes(video.mp4(frames, 25.6))
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    assert BROWSER is not None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--dump-dom"]
    flags += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}"]
    flags += ["--autoplay-policy=no-user-gesture-required", "--virtual-time-budget=15000"]
    shown = subprocess.run(
        [BROWSER, *flags, page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert "at 1.25 of 1.25, 64 x 48" in shown.stdout
