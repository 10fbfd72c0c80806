"""What a run would send, told beforehand."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from jaxphys_adapters.query import evaluate, tokens
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
    assert estimate["text_tokens"] == sum(tokens.of_text(call.prompt) for call in stub.calls)
    assert estimate["shows"] == {k: n for k, n in (("film", images - 1), ("initial", 1)) if n > 0 and images}
    assert estimate["image_tokens"] == {
        "openai": 255 * len(sent),
        "anthropic": 6 * len(sent),
        "google": 258 * len(sent),
    }
    assert estimate["reply_tokens"] == len(stub.calls) * options.max_tokens
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


@pytest.mark.parametrize(
    ("size", "openai", "anthropic", "google"),
    [
        ((1280, 720), 85 + 170 * 3 * 2, 1229, 258 * 2),  # neither side is too long, 2.5 x 1.4 tiles
        ((512, 512), 255, 350, 258),
        ((384, 384), 255, 197, 258),
        ((4096, 8192), 85 + 170 * 2 * 3, 1640, 258 * 6 * 11),
        ((1, 1), 255, 1, 258),
    ],
)
def test_tokens_of_a_picture(size: tuple[int, int], openai: int, anthropic: int, google: int) -> None:
    counted = {who: rule(*size) for who, rule in tokens.RULES.items()}
    assert counted == {"openai": openai, "anthropic": anthropic, "google": google}


def test_tokens_of_a_text() -> None:
    assert tokens.of_text("") == 0
    assert tokens.of_text("a b c") == 4
    assert tokens.of_text('{"minimum":0,"maximum":3}') == 7
