"""Pixels: places are exact, bytes are equal for equal input, nothing outside the picture is touched."""

import time
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from jaxphys_adapters import coverage, frames
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.display import Arrow, Canvas, Disc, Polyline, Rectangle, Text
from jaxphys_benchmarks.protocol import View

HALF_PIXEL = 0.5
WHITE, BLACK, RED = "#ffffff", "#000000", "#ff0000"


def draw(*items: object, size: tuple[int, int] = (60, 40)) -> np.ndarray:
    return frames.rasterise(Canvas(*size, WHITE, tuple(items))).astype(float)  # type: ignore[arg-type]


def ink(pixels: np.ndarray) -> np.ndarray:
    """How dark each pixel is, 0 to 1."""
    return 1 - pixels.mean(axis=-1) / 255


def centre_of(weight: np.ndarray) -> tuple[float, float]:
    ys, xs = np.indices(weight.shape) + 0.5
    return float((xs * weight).sum() / weight.sum()), float((ys * weight).sum() / weight.sum())


@pytest.mark.parametrize("centre", [(20.0, 15.0), (20.5, 15.5), (20.25, 15.75), (31.37, 22.91)])
@pytest.mark.parametrize("radius", [3.0, 7.5, 12.3])
def test_a_disc_lies_where_it_should_and_is_as_large(centre: tuple[float, float], radius: float) -> None:
    dark = ink(draw(Disc(centre, radius, BLACK, BLACK)))
    assert centre_of(dark) == pytest.approx(centre, abs=0.02)
    assert dark.sum() == pytest.approx(np.pi * radius**2, rel=0.015)


@pytest.mark.parametrize("seed", range(4))
def test_every_ball_centre_is_recovered_from_the_png(seed: int) -> None:
    benchmark = registry.get("billiardphys", screen=False)
    spec = benchmark.sample(seed, 1)[0]
    canvas = benchmark.picture(spec, None, View("initial"))
    with Image.open(BytesIO(frames.png(canvas))) as image:
        pixels = np.asarray(image.convert("RGB"), dtype=float)
    discs = [item for item in canvas.items if isinstance(item, Disc)]
    assert len(discs) == 7
    for disc in discs:
        fill = np.array([int(disc.fill[k : k + 2], 16) for k in (1, 3, 5)])
        # The printed id is a hole in the fill; filling it makes the centroid that of the disc.
        blobs, count = ndimage.label(np.abs(pixels - fill).max(axis=-1) < 40)
        filled = [ndimage.binary_fill_holes(blobs == k) for k in range(1, count + 1)]
        found = [centre_of(blob.astype(float)) for blob in filled if blob.sum() > 100]
        assert min(np.hypot(x - disc.centre_px[0], y - disc.centre_px[1]) for x, y in found) < HALF_PIXEL


def test_a_box_covers_its_exact_area() -> None:
    dark = ink(draw(Rectangle((10.25, 5.5), (20.5, 8.25), BLACK)))
    assert dark.sum() == pytest.approx(20.5 * 8.25, rel=2e-3)
    assert centre_of(dark) == pytest.approx((20.5, 9.625), abs=0.01)


def test_an_outline_lies_inside_its_box() -> None:
    dark = ink(draw(Rectangle((10, 5), (20, 10), None, BLACK, 2)))
    assert dark.sum() == pytest.approx(20 * 10 - 16 * 6)
    assert dark[:5].sum() == dark[:, :10].sum() == 0


@pytest.mark.parametrize(
    "corners", [((5.0, 5.0), (50.0, 30.0)), ((5.0, 20.0), (55.0, 20.0)), ((9.5, 4.0), (9.5, 35.0))]
)
def test_a_line_has_its_width(corners: tuple[tuple[float, float], ...]) -> None:
    (ax, ay), (bx, by) = corners
    length = np.hypot(bx - ax, by - ay)
    # Round ends add a disc of the line's width.
    assert ink(draw(Polyline(corners, BLACK, 3.0))).sum() == pytest.approx(3 * length + np.pi * 1.5**2, rel=0.02)


def test_a_line_over_itself_is_painted_once() -> None:
    there = draw(Polyline(((5.0, 5.0), (50.3, 30.7)), "#777777", 1.5))
    and_back = draw(Polyline(((5.0, 5.0), (50.3, 30.7), (5.0, 5.0)), "#777777", 1.5))
    # Pieces meet at other places on the way back, so edges may differ by rounding.
    assert np.abs(there - and_back).max() <= 2


def test_an_arrow_ends_at_its_tip() -> None:
    dark = ink(draw(Arrow((10.0, 20.0), (45.0, 20.0), BLACK, 3.0, 10.0)))
    columns = np.flatnonzero(dark.max(axis=0) > 0.3)
    assert columns.max() in (43, 44)
    assert centre_of(dark)[1] == pytest.approx(20.0, abs=0.01)
    assert ink(draw(Arrow((10.0, 20.0), (10.0, 20.0), BLACK))).sum() == 0


def test_text_is_drawn_around_its_anchor() -> None:
    dark = ink(draw(Text((30.0, 20.0), "0", 16)))
    assert centre_of(dark) == pytest.approx((30.0, 20.0), abs=0.3)
    assert ink(draw(Text((30.0, 20.0), "", 16))).sum() == 0


def test_what_lies_outside_is_cut_off() -> None:
    pixels = draw(Disc((0.0, 0.0), 10.0, RED, RED), Disc((500.0, -70.0), 10.0, RED, RED), Text((-90.0, 3.0), "far", 12))
    assert (pixels[0, 0] == (255, 0, 0)).all()
    assert (pixels[20:] == 255).all()


def test_equal_input_gives_equal_bytes_whatever_was_drawn_before() -> None:
    canvas = Canvas(
        90, 50, "#f0f0f0", (Rectangle((5, 5), (80, 40), "#dddddd"), Disc((30.3, 20.2), 9, RED), Text((30, 20), "3", 9))
    )
    first = frames.png(canvas, {"scene": "a"})
    frames.png(Canvas(90, 50, BLACK, canvas.items[::-1]))
    coverage.disc.cache_clear()
    frames._backdrop.cache_clear()
    assert frames.png(canvas, {"scene": "a"}) == first


def test_a_png_file_says_what_it_shows_and_has_no_time() -> None:
    data = frames.png(Canvas(4, 4, WHITE, ()), {"scene": "t3s/scene_00012", "note": "Größe"})
    with Image.open(BytesIO(data)) as image:
        assert dict(image.info) == {"scene": "t3s/scene_00012", "note": "Größe"}
    assert b"tIME" not in data


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (10_000, 10_000)])
def test_an_impossible_canvas_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="canvas"):
        frames.rasterise(Canvas(*size, WHITE, ()))


def test_a_picture_takes_a_few_hundredths_of_a_second() -> None:
    benchmark = registry.get("billiardphys", screen=False)
    canvases = [benchmark.picture(spec, None, View("initial")) for spec in benchmark.sample(0, 8)]
    frames.png(canvases[0])
    start = time.process_time()
    for canvas in canvases:
        frames.png(canvas)
    # 1000 pictures within a minute; measured: 16 ms each.
    assert (time.process_time() - start) / len(canvases) < 0.06
