"""Films: what goes in comes out, at the right times, playable in browsers, with equal bytes for equal frames."""

import os
import subprocess
import sys
from fractions import Fraction
from io import BytesIO

import numpy as np
import pytest

from jaxphys_adapters import video

av = pytest.importorskip("av", reason="pip install '.[video]' in the checkout")


def ramps(count: int = 8, height: int = 48, width: int = 64) -> np.ndarray:
    """Smooth pictures that differ from frame to frame."""
    y, x = np.mgrid[:height, :width]
    shades = [np.stack([2 * y + 4 * k, 2 * x, np.full_like(x, 20 * k)], axis=-1) for k in range(count)]
    return np.stack(shades).astype(np.uint8)


def boxes(data: bytes) -> list[bytes]:
    """Kinds of the outermost boxes of an MP4 file, in order."""
    at, kinds = 0, []
    while at < len(data):
        kinds.append(data[at + 4 : at + 8])
        at += int.from_bytes(data[at : at + 4], "big")
    return kinds


def test_frames_come_back_almost_as_they_were() -> None:
    frames = ramps()
    back = video.frames_of(video.mp4(frames, 25.6))
    assert back.shape == frames.shape
    assert back.dtype == np.uint8
    assert np.abs(back.astype(float) - frames).mean() < 3


def test_colours_survive() -> None:
    plain = np.array([(173, 35, 35), (41, 208, 208), (255, 238, 51), (140, 140, 140)], dtype=np.uint8)
    frames = np.broadcast_to(plain[:, None, None], (4, 32, 32, 3))
    back = video.frames_of(video.mp4(frames, 10))
    assert np.abs(back.astype(float) - frames).max() <= 6


def test_equal_frames_give_equal_bytes() -> None:
    first = video.mp4(ramps(), 25.6)
    assert video.mp4(ramps(3), 12) != first
    assert video.mp4(list(ramps()), Fraction(128, 5)) == first


AFRESH = """
import hashlib, numpy as np
from jaxphys_adapters import video
y, x = np.mgrid[:160, :240]
film = np.stack([np.stack([100 + x // 8, 100 + y // 8, (x + y) // 10], axis=-1)] * 16).astype(np.uint8)
for k, frame in enumerate(film):
    frame[50:80, 7 * k : 7 * k + 40] = (173, 35, 35)
print(hashlib.sha256(video.mp4(film, 25.6)).hexdigest())
"""


def test_bytes_do_not_depend_on_what_is_left_in_memory() -> None:
    # The C library fills fresh memory with this byte where it is glibc; elsewhere the runs are equal anyway.
    runs = [{**os.environ, "MALLOC_PERTURB_": byte, "PYTHONPATH": os.pathsep.join(sys.path)} for byte in ("1", "254")]
    command = [sys.executable, "-c", AFRESH]
    said = [subprocess.run(command, env=run, capture_output=True, text=True, check=True).stdout for run in runs]
    assert len(said[0]) > 60
    assert said[0] == said[1]


def test_the_file_is_what_browsers_play() -> None:
    data = video.mp4(ramps(128), 25.6)
    kinds = boxes(data)
    assert kinds[0] == b"ftyp"
    assert kinds.index(b"moov") < kinds.index(b"mdat")
    with av.open(BytesIO(data)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.average_rate == Fraction(128, 5)
        assert stream.frames == 128
        assert stream.duration * stream.time_base == 5
        assert {"creation_time", "encoder"}.isdisjoint({**container.metadata, **stream.metadata})


def test_frame_k_is_shown_from_k_over_fps_on() -> None:
    with av.open(BytesIO(video.mp4(ramps(40), 25.6))) as container:
        shown = [frame.pts * frame.time_base for frame in container.decode(video=0)]
    assert shown == [Fraction(5 * k, 128) for k in range(40)]


@pytest.mark.parametrize("change", [1, 17, 31, 32, 39])
def test_a_change_is_seen_in_its_frame(change: int) -> None:
    frames = np.full((40, 32, 48, 3), (173, 35, 35), dtype=np.uint8)
    frames[change:] = (42, 75, 215)
    back = video.frames_of(video.mp4(frames, 25.6)).astype(int)
    bluer = back[..., 2].mean(axis=(1, 2)) > back[..., 0].mean(axis=(1, 2))
    assert bluer.tolist() == [k >= change for k in range(40)]


@pytest.mark.parametrize("size", [(47, 64), (48, 63), (47, 63), (1, 1)])
def test_odd_sides_are_made_even(size: tuple[int, int]) -> None:
    frames = ramps(3, *size)
    back = video.frames_of(video.mp4(frames, 25.6))
    height, width = size
    assert back.shape[1:3] == (height + height % 2, width + width % 2)
    assert np.abs(back[:, :height, :width].astype(float) - frames).mean() < 6


@pytest.mark.parametrize(
    ("frames", "fps", "message"),
    [
        ([], 25, "give at least one"),
        ([np.zeros((4, 4, 3), np.uint8), np.zeros((4, 6, 3), np.uint8)], 25, "2 of 2 sizes"),
        (np.zeros((1, 4, 4, 3)), 25, "float64"),
        (np.zeros((4, 4, 3), np.uint8), 25, "height, width, 3"),
        (ramps(1), 0, "fps: 0"),
        (ramps(1), -3, "fps: -3"),
        (ramps(1), float("nan"), "fps: nan"),
        (ramps(1), float("inf"), "fps: inf"),
    ],
)
def test_what_makes_no_film_is_refused(frames: np.ndarray, fps: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        video.mp4(frames, fps)


@pytest.mark.parametrize("data", [b"", b"not a film", video.mp4(ramps(4), 5)[:300]])
def test_what_is_no_film_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a film"):
        video.frames_of(data)


def test_without_pyav_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ModuleNotFoundError, match=r"\.\[video\]"):
        video.mp4(ramps(1), 5)
    with pytest.raises(ModuleNotFoundError, match=r"\.\[video\]"):
        video.frames_of(b"")
