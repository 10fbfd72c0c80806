"""What a run would send, told beforehand."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from jaxphys_adapters.query import evaluate
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Say, Script, Stub

pytestmark = pytest.mark.usefixtures("toy", "rendered")

Serve = Callable[[Script], Stub]


@pytest.mark.parametrize(
    ("changes", "images"),
    [
        ({"option": ("shots=2",), "film_frames": 3}, 7),
        ({"option": ("shots=2",), "film_frames": 3, "styles": "swapped"}, 7),
        ({}, 1),
        ({"image": False}, 0),
    ],
    ids=str,
)
def test_an_estimate_is_close_to_what_is_sent(
    serve: Serve, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], images: int
) -> None:
    stub = serve(lambda call, before: Say('{"n": 1}'))
    options = asking(stub.url, **{"scenes": 6, "cache": False, "json": True, **changes})
    assert evaluate.run(asking(stub.url, **{**vars(options), "dry_run": True})) == 0
    assert not stub.calls
    *words, line = capsys.readouterr().out.splitlines()
    assert words[0].startswith("Nothing was sent")
    told = json.loads(line)
    estimate = told.pop("estimate")
    assert told == {"benchmark": "toy", "model": "openai-api/stub/m"}
    evaluate.run(options)
    assert estimate["calls"] == estimate["questions"] == len(stub.calls)
    assert estimate["most_calls"] == 3 * len(stub.calls)
    assert (estimate["least_images"], estimate["most_images"], estimate["films"]) == (images, images, 0)
    sent = [uri.partition(",")[2] for call in stub.calls for uri in call.images]
    assert estimate["images"] == len(sent)
    assert estimate["image_bytes"] == pytest.approx(sum(map(len, sent)), rel=0.1)
    assert estimate["words"] == sum(len(call.prompt.split()) for call in stub.calls)
    assert estimate["text_tokens"] == pytest.approx(estimate["words"] * 4 / 3, abs=1)
    assert f"{images} in a question" in "\n".join(words)


def test_films_are_counted_apart(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("av")
    stub = serve(lambda call, before: Say('{"n": 1}'))
    options = asking(stub.url, scenes=1, option=("shots=2",), film_as="video", dry_run=True, json=True)
    assert evaluate.run(options) == 0
    out = capsys.readouterr().out
    assert "2 images and 4 films, 3 in a question" in out
    estimate = json.loads(out.splitlines()[-1])["estimate"]
    assert (estimate["images"], estimate["films"], estimate["most_images"]) == (2, 4, 3)


def test_bad_options_are_named_all_the_same(serve: Serve) -> None:
    stub = serve(lambda call, before: Say("no"))
    with pytest.raises(ValueError, match=r"max_images: .* shows 7 pictures and at most 5"):
        evaluate.run(asking(stub.url, option=("shots=2", "thrifty=false"), film_frames=3, max_images=5, dry_run=True))
