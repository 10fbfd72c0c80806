"""Pictures on their way to a model."""

import base64
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from jaxphys_adapters.query import images
from tests.support import cases

CASE = cases("api")["api-image-5mb-boundary"]


def noise(width: int, height: int) -> bytes:
    pixels = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize("index", [0, 1])
def test_api_image_5mb_boundary(index: int) -> None:
    raw, limit = CASE["input"]["raw_bytes"][index], CASE["input"]["limit_base64_bytes"]
    assert limit == images.DEFAULT_LIMIT
    assert images.encoded_size(raw) == CASE["expected"]["base64_len"][index]
    assert images.fits(raw, limit) is CASE["expected"]["send"][index]


@pytest.mark.parametrize("raw", range(8))
def test_encoded_size_is_that_of_base64(raw: int) -> None:
    assert images.encoded_size(raw) == len(base64.b64encode(bytes(raw)))


def test_fit_halves_only_what_is_too_large() -> None:
    png = noise(256, 128)
    assert images.fit(png) is png
    smaller = images.fit(png, images.encoded_size(len(png)) // 2)
    assert Image.open(BytesIO(smaller)).size == (128, 64)


def test_a_picture_that_never_fits_is_an_error() -> None:
    with pytest.raises(ValueError, match="cannot be made smaller"):
        images.fit(noise(64, 64), 10)


def test_data_uri_round_trip() -> None:
    png = noise(8, 8)
    assert images.from_data_uri(images.data_uri(png)) == png
    with pytest.raises(ValueError, match="PNG data URI"):
        images.from_data_uri("https://example.org/a.png")
