"""Questions of several parts: what is sent, how often it is drawn, what is kept, and that no label is among it."""

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import ContentImage, ContentText, ContentVideo
from inspect_ai.util import materialize_media
from PIL import Image

from jaxphys_adapters import frames
from jaxphys_adapters.query import addresses, images, parts, records, replay
from jaxphys_adapters.query.evaluate import RunFailed, evaluate
from jaxphys_adapters.query.options import EvalOptions
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.samples import dataset
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Source, load
from jaxphys_adapters.query.tasks import Arguments
from jaxphys_benchmarks.protocol import Question, Shown, View
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub
from tests.adapters.query.toy import SECRET, Toy, ToySpec

pytestmark = pytest.mark.usefixtures("toy", "rendered")

Serve = Callable[[Script], Stub]
Films = list[tuple[float, ...]]

SHOTS = ("shots=2",)
ANSWER = Say('{"n": 1}')


def ask(url: str, **changes: Any) -> EvalOptions:
    return asking(url, **{"option": SHOTS, "film_frames": 3, **changes})


def record(out: Path, question: str = "g0/scene_00000/task1") -> dict[str, Any]:
    return dict(json.loads(records.AnswerFolder(out).path(question).read_text()))


def sizes(call: Call) -> set[tuple[int, int]]:
    return {Image.open(BytesIO(images.from_data_uri(uri))).size for uri in call.images}


def test_parts_are_sent_in_their_order_and_kept_as_sent(serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: ANSWER)
    evaluate(ask(stub.url, scenes=1, out=tmp_path))
    call = next(call for call in stub.calls if "Add" in call.prompt)
    assert len(call.messages) == 1
    film = ["image_url"] * 3
    kinds = [part["type"] for part in call.messages[0]["content"]]
    assert kinds == ["text", *film, "text", "text", *film, "text", "text", "image_url", "text"]
    assert call.prompt == 'Watch:  {"n": 10}. Watch:  {"n": 10}. Add: {"n": integer}'
    toy = Toy(shots=2)
    (scene,) = load(Source("toy", scenes=1, options='{"shots": 2}')).by_id.values()
    assert call.images[-1] == images.data_uri(frames.png(toy.picture(scene.spec, None, View("initial"))))

    kept = record(tmp_path)
    assert kept["prompt"] == call.prompt
    shown = replay.show(kept)
    assert "".join(part for part in shown if isinstance(part, str)) == call.prompt
    sent = [part for part in shown if isinstance(part, replay.Sent)]
    assert [part.sha256 for part in sent] == [images.sha256(images.from_data_uri(uri)) for uri in call.images]
    first, last = toy.pool()[0], sent[-1]
    assert [(part.scene, part.view, part.frame, part.frames, part.time) for part in sent[:3]] == [
        (first.id, "film", k, 3, first.b * k / 2) for k in range(3)
    ]
    assert (last.scene, last.view, last.frames, last.time) == (scene.spec.id, "initial", 1, None)
    asked = replay.ask_options(json.loads((tmp_path / "run.json").read_text()))
    again = replay.draw(Pictures(toy), toy.ask(scene.spec, asked)[0])
    assert set(again) == {part.sha256 for part in sent}
    content = [
        part["type"] if part["type"] == "text" else part["image_url"]["url"] for part in call.messages[0]["content"]
    ]
    told = ["text" if isinstance(part, str) else images.data_uri(again[part.sha256]) for part in shown]
    assert told == content


def test_a_record_of_one_picture_tells_it_too(serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: ANSWER)
    evaluate(asking(stub.url, scenes=1, out=tmp_path))
    text, picture = replay.show(record(tmp_path))
    assert text == 'Add: {"n": integer}'
    assert isinstance(picture, replay.Sent)
    assert (picture.scene, picture.view, picture.frames) == ("g0/scene_00000", "initial", 1)
    assert picture.sha256 in {images.sha256(images.from_data_uri(call.images[0])) for call in stub.calls}


@pytest.mark.parametrize("content", [{}, {"parts": 3}, {"parts": ["a"]}, {"parts": [{"scene": "s"}]}], ids=str)
def test_a_damaged_record_is_named(content: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="parts: not the parts of a question"):
        replay.show(content)


def test_what_many_questions_show_is_drawn_once_and_only_when_it_is_due(rendered: Films) -> None:
    source = Source("toy", scenes=6, options='{"shots": 2}', ask=replace(Source("toy").ask, film_frames=3))
    samples = dataset(source, Settings())
    assert len(rendered) == 1  # one, to see that there is a renderer
    uris = [
        part.image
        for sample in samples
        if isinstance(sample.input, list)
        for part in sample.input[0].content
        if isinstance(part, ContentImage)
    ]
    assert len(uris) == 12 * 7
    assert all(addresses.is_address(uri) and len(uri) < 100 for uri in uris)
    drawn = {uri: anyio.run(materialize_media, uri) for uri in uris}
    assert len(drawn) == 2 * 3 + 6
    assert len(rendered) == 2
    assert all(images.from_data_uri(uri) for uri in drawn.values())


def test_an_address_of_another_process_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no such picture"):
        addresses.read("jaxphys://nowhere/x.png")


@pytest.mark.parametrize(("most", "sent"), [(32, 17), (17, 17), (7, 7), (5, 5), (3, 3)])
def test_the_image_budget_is_kept(serve: Serve, most: int, sent: int) -> None:
    stub = serve(lambda call, before: ANSWER)
    evaluate(ask(stub.url, scenes=1, film_frames=8, max_images=most))
    assert {len(call.images) for call in stub.calls} == {sent}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_images": 2}, "max_images: g0/scene_00000/task1 shows 3 pictures and at most 2 may be sent"),
        ({"max_images": 5, "option": (*SHOTS, "thrifty=false")}, "max_images: .* shows 7 pictures and at most 5"),
        ({"max_images": 0}, "max_images: 0; give a whole number >= 1"),
        ({"film_frames": 0}, "film_frames: 0; give a whole number >= 1"),
        ({"film_as": "gif"}, "film_as: 'gif'; give one of frames, video"),
        ({"option": (*SHOTS, "feature=smell")}, "feature: 'smell' is unknown; give one of colour_grid, clip_l"),
    ],
    ids=str,
)
def test_what_cannot_be_sent_is_named_before_work_starts(
    serve: Serve, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    stub = serve(lambda call, before: ANSWER)
    with pytest.raises(ValueError, match=message):
        evaluate(ask(stub.url, out=tmp_path / "out", **changes))
    assert not stub.calls
    assert not (tmp_path / "out").exists()


def test_all_pictures_are_shrunk_when_they_are_too_large(serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: ANSWER if sizes(call) == {(32, 32)} else Say(status=413, message="too large"))
    evaluate(ask(stub.url, scenes=1, out=tmp_path))
    large, small = (call for call in stub.calls if "Add" in call.prompt)
    assert (sizes(large), sizes(small)) == ({(64, 64)}, {(32, 32)})
    first, second = record(tmp_path)["attempts"]
    assert first["image_sha256"] != second["image_sha256"]
    assert second["image_sha256"] == images.digest([images.from_data_uri(uri) for uri in small.images])


def test_each_picture_is_held_to_the_size_limit(serve: Serve) -> None:
    stub = serve(lambda call, before: ANSWER)
    evaluate(ask(stub.url, scenes=1, option=(*SHOTS, "side_px=4000"), max_image_mib=0.02))
    for call in stub.calls:
        assert all(len(uri.partition(",")[2]) <= 0.02 * images.MIB for uri in call.images)
        assert len(sizes(call)) == 2


def test_a_run_is_taken_up_unless_other_pictures_are_asked_for(serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: ANSWER)
    evaluate(ask(stub.url, out=tmp_path))
    evaluate(ask(stub.url, out=tmp_path))
    assert len(stub.calls) == 4
    evaluate(ask(stub.url))  # from the cache of replies
    assert len(stub.calls) == 4
    evaluate(ask(stub.url, out=tmp_path, film_frames=4))
    assert len(stub.calls) == 8
    assert {len(call.images) for call in stub.calls[4:]} == {9}


def test_where_a_picture_stands_is_part_of_the_question() -> None:
    shown = Shown(ToySpec(index=0, a=1, b=2), View("initial"))
    before = Question("q", "s", "t", "ab", "h", None, False, ("a", shown, "b"))
    after = replace(before, parts=("ab", shown))
    assert parts.outline(before) != parts.outline(after)
    assert parts.outline(before) != parts.outline(replace(before, parts=("a", replace(shown, view=View("x")), "b")))


def test_no_request_depends_on_the_labels_of_the_scene_asked_about(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs whose labels differ send the same bytes, and no label, seed or id is among them."""

    def requests() -> list[bytes]:
        load.cache_clear()
        stub = serve(lambda call, before: ANSWER)
        evaluate(ask(stub.url, scenes=4, cache=False, seed=424242, option=(*SHOTS, "feature=colour_grid")))
        return sorted(call.raw for call in stub.calls)

    sent = requests()
    assert len(sent) == 8
    truth = Toy.label
    monkeypatch.setattr(Toy, "label", lambda *a: [(n + 1, m + 1, s) for n, m, s in truth(*a)])
    assert requests() == sent
    for raw in sent:
        words = (SECRET.encode(), b"scene_", b"exemplar_", b"424242", b"jaxphys", b"hash-")
        assert not any(word in raw for word in words)
        assert set(json.loads(raw)) == {"messages", "model", "max_tokens", "temperature"}


def test_the_results_tell_how_films_were_sent(serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: ANSWER)
    evaluate(ask(stub.url, out=tmp_path, option=(*SHOTS, "feature=colour_grid"), max_images=5))
    content = json.loads((tmp_path / "metrics.json").read_text())
    assert content["shown"] == {
        "film_as": "frames",
        "max_images": 5,
        "images_per_question": {"least": 5, "most": 5},
        "films_by_frames": {"2": 8},
        "feature": {"name": "colour_grid", "version": "1"},
    }
    assert content["options"] == json.loads((tmp_path / "run.json").read_text())["options"]
    assert (content["options"]["shots"], content["options"]["largest"], content["seed"]) == (2, 9, 0)


def test_a_film_may_be_sent_as_one_file(tmp_path: Path) -> None:
    video = pytest.importorskip("jaxphys_adapters.video")
    evaluate(EvalOptions("toy", "jaxphys/oracle", scenes=1, option=SHOTS, film_as="video", max_images=3, out=tmp_path))
    text, film, *_ = replay.show(record(tmp_path))
    assert isinstance(film, replay.Sent)
    assert (text, film.film, film.frames, film.view) == ("Watch: ", True, Toy.films["film"], "film")
    given = Arguments(scenes=1, film_as="video", max_images=3)
    source = given.source("toy", {"shots": 2})
    (sample, _) = dataset(source, given.settings())
    assert isinstance(sample.input, list)
    content = sample.input[0].content
    assert [type(part) for part in content[:3]] == [ContentText, ContentVideo, ContentText]
    data = addresses.read(content[1].video)  # type: ignore[union-attr]
    assert images.sha256(data) == film.sha256
    assert len(video.frames_of(data)) == Toy.films["film"]
    assert images.data_uri(data).startswith("data:video/mp4;base64,")
    assert replay.ask_options({"arguments": {"film_as": "video"}}) == Arguments(film_as="video").source("toy", {}).ask


def test_a_model_that_takes_no_films_is_named(serve: Serve) -> None:
    stub = serve(lambda call, before: ANSWER)
    with pytest.raises(RunFailed, match="Video content is not currently supported"):
        evaluate(ask(stub.url, film_as="video"))
    assert not stub.calls


@pytest.mark.parametrize("given", [{"film_frames": "8"}, {"image": 1}, {"enable_cot": "no"}], ids=str)
def test_how_a_run_was_asked_is_read_with_care(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(ValueError, match=f"arguments.{name}: "):
        replay.ask_options({"arguments": given})


def test_how_a_run_was_asked_is_read_back() -> None:
    run = {"arguments": {"film_frames": 5, "max_images": 9, "enable_cot": True, "force_numeric": None, "seed": 3}}
    asked = Arguments(film_frames=5, max_images=9, enable_cot=True).source("toy", {}).ask
    assert replay.ask_options(run) == asked
    assert replay.ask_options({}) == Arguments().source("toy", {}).ask


@pytest.mark.parametrize(
    ("benchmark", "wanted"), [("toy", "only the answer"), ("billiardphys", "only the JSON object")]
)
def test_a_correction_asks_for_json_where_the_question_did(serve: Serve, benchmark: str, wanted: str) -> None:
    stub = serve(lambda call, before: Say("what?"))
    evaluate(asking(stub.url, benchmark=benchmark, scenes=1, new_conversation=False, attempts=2))
    corrections = [call.messages[2]["content"] for call in stub.calls if len(call.messages) == 3]
    assert corrections
    assert all(f"Reply again with {wanted}" in text for text in corrections)


def test_a_source_keeps_its_limits_and_no_ranking() -> None:
    source = Arguments(film_frames=5, max_images=9).source("toy", {"feature": "colour_grid", "shots": 2})
    assert Source.from_json(source.to_json()) == source
    assert load(source).feature is not None
    assert "nearest" not in source.to_json()
    with pytest.raises(ValueError, match="ask: nearest is made from the feature"):
        replace(source, ask=replace(source.ask, nearest=lambda spec, candidates: [0]))
