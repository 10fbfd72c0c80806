"""One contract for every registered benchmark: deterministic, round trips, questions blind to the truth, oracle 1.0."""

import dataclasses
import functools
import inspect
import json
from typing import Any

import pytest

from jaxphys_adapters import frames
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import EXTRACTORS, PLAIN, AskOptions, Reply, Spec, View

SCENES = 2

APART = (0, 4)
"""Indices of scenes that are never counterparts of one another."""


@pytest.fixture(params=registry.names())
def benchmark_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def made(benchmark_name: str) -> tuple[Any, list[Spec], list[Any]]:
    return _made(benchmark_name, tuple(range(SCENES)))


@functools.cache
def _made(name: str, indices: tuple[int, ...]) -> tuple[Any, list[Spec], list[Any]]:
    """Scenes and labels; both are frozen, so all tests may share them."""
    benchmark = registry.get(name)
    specs = list(benchmark.sample(3, max(indices) + 1, indices=indices))
    world, trajectory = benchmark.simulate(specs)
    return benchmark, specs, list(benchmark.label(specs, world, trajectory))


def test_same_seed_same_scenes_other_seed_others(benchmark_name: str) -> None:
    benchmark = registry.get(benchmark_name)
    first, again, other = ([spec.model_dump_json() for spec in benchmark.sample(seed, SCENES)] for seed in (3, 3, 4))
    assert first == again
    assert not set(first) & set(other)


def test_a_scene_does_not_depend_on_how_many_are_drawn(benchmark_name: str) -> None:
    benchmark = registry.get(benchmark_name)
    many = {spec.id: spec for spec in benchmark.sample(3, SCENES + 2)}
    assert all(many[spec.id] == spec for spec in benchmark.sample(3, SCENES))
    alone = benchmark.sample(3, SCENES + 2, indices=[1])
    assert all(many[spec.id] == spec for spec in alone)


def test_ids_are_those_of_sample(made: tuple[Any, list[Spec], list[Any]]) -> None:
    benchmark, specs, _ = made
    ids = [spec.id for spec in specs]
    assert ids == list(benchmark.ids(range(SCENES)))
    assert len(set(ids)) == len(ids)


def test_the_whole_benchmark_fills_its_groups(benchmark_name: str) -> None:
    benchmark = registry.get(benchmark_name)
    assert benchmark.size > 0
    assert benchmark.size % len(benchmark.ids([0])) == 0


def test_files_round_trip_bit_for_bit(made: tuple[Any, list[Spec], list[Any]]) -> None:
    benchmark, specs, labels = made
    for spec, label in zip(specs, labels, strict=True):
        assert type(spec).model_validate_json(spec.model_dump_json()) == spec
        files = benchmark.published(spec, label)
        stored = {name: json.loads(json.dumps(content, allow_nan=False)) for name, content in files.items()}
        again_spec, again_labels = benchmark.read(stored)
        assert again_spec == spec
        assert benchmark.published(again_spec, again_labels) == files


def test_pictures_are_deterministic_and_differ_by_scene(benchmark_name: str) -> None:
    """Scenes that differ in a speed alone may look alike as they start, so scenes of different layouts are drawn."""
    benchmark, specs, labels = _made(benchmark_name, APART)
    for kind in benchmark.views:
        view = View(kind, scale=0.5)
        first, again = (
            [frames.png(benchmark.picture(s, label, view)) for s, label in zip(specs, labels, strict=True)]
            for _ in range(2)
        )
        assert first == again
        assert len(set(first)) == len(first)


def test_questions_never_see_the_labels(made: tuple[Any, list[Spec], list[Any]]) -> None:
    """`ask` takes the spec alone; nothing in it or in the first picture changes with the truth."""
    benchmark, specs, _ = made
    assert list(inspect.signature(benchmark.ask).parameters) == ["spec", "options"]
    for spec in specs:
        questions = benchmark.ask(spec, AskOptions())
        assert [q.task for q in questions] == list(benchmark.tasks)
        assert all(q.id == f"{spec.id}/{q.task}" for q in questions)
        texts = [(q.prompt, "".join(part for part in q.parts if isinstance(part, str))) for q in questions if q.parts]
        assert all(prompt == joined for prompt, joined in texts)
        assert all(frames.png(benchmark.picture(spec, None, q.view)) for q in questions if q.view)


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_oracle_is_perfect_and_silence_is_wrong(made: tuple[Any, list[Spec], list[Any]], extractor: str) -> None:
    benchmark, specs, labels = made
    oracle, right, silent = benchmark.baselines()["oracle"], [], []
    for spec, label in zip(specs, labels, strict=True):
        for question in benchmark.ask(spec, AskOptions()):
            reply = Reply(oracle(spec, label, question, 0))
            right.append(benchmark.score(question, label, benchmark.parse(question, reply, extractor=extractor)))
            nothing = benchmark.parse(question, Reply(""), extractor=extractor)
            assert nothing.value is None
            silent.append(benchmark.score(question, label, nothing))
    assert benchmark.aggregate(right)["mean"] == 1.0
    assert benchmark.aggregate(silent)["mean"] == 0.0


def test_every_style_asks_about_the_same_scene(made: tuple[Any, list[Spec], list[Any]]) -> None:
    """The oracle is right in every look, and says the same as in the plain one."""
    benchmark, specs, labels = made
    assert benchmark.styles[0] == PLAIN
    oracle, spec, label = benchmark.baselines()["oracle"], specs[0], labels[0]
    plain = {}
    for style in benchmark.styles:
        for question in benchmark.ask(spec, AskOptions(view=View("initial", style=style))):
            assert (question.scene, question.id) == (spec.id, f"{spec.id}/{question.task}")
            answer = benchmark.parse(question, Reply(oracle(spec, label, question, 0)))
            assert benchmark.score(question, label, answer).values["exact"] == 1
            assert benchmark.agree(question, plain.setdefault(question.task, answer), answer)


def test_variants_are_scenes_of_their_own(made: tuple[Any, list[Spec], list[Any]]) -> None:
    benchmark, specs, _ = made
    shown = [(spec.id, name, variant) for spec in specs for name, variant in benchmark.variants(spec).items()]
    assert [variant.id for _, _, variant in shown] == [f"{origin}_{name}" for origin, name, _ in shown]
    variants = [variant for _, _, variant in shown]
    labels = benchmark.label(variants, *benchmark.simulate(variants)) if variants else []
    assert [benchmark.statuses(spec, truth)[-1] for spec, truth in zip(variants, labels, strict=True)] == [0] * len(
        shown
    )


def test_how_to_ask_is_configured(benchmark_name: str) -> None:
    asking = registry.get(benchmark_name).asking
    assert set(asking) == {"extract", "attempts", "force_numeric", "feature"}
    assert asking["extract"] in EXTRACTORS
    assert asking["attempts"] >= 1
    assert set(registry.get(benchmark_name).reading) == set(EXTRACTORS)


def test_an_option_that_no_baseline_has_is_refused(benchmark_name: str) -> None:
    with pytest.raises(TypeError, match="no_such_option"):
        registry.get(benchmark_name).baselines(no_such_option=1)


@pytest.mark.parametrize("text", ["", "{", "}" * 50, "null", "[[[", '{"Q1": 1}', "\x00\ud800", "NaN", "{}" * 2000])
def test_no_reply_can_crash_the_parser(made: tuple[Any, list[Spec], list[Any]], text: str) -> None:
    benchmark, specs, _ = made
    for question in benchmark.ask(specs[0], AskOptions()):
        for extractor in EXTRACTORS:
            answer = benchmark.parse(question, Reply(text), extractor=extractor)
            assert answer.status != "ok"
            assert answer.reason


def test_rows_have_the_declared_columns(made: tuple[Any, list[Spec], list[Any]]) -> None:
    benchmark, specs, labels = made
    for spec, label in zip(specs, labels, strict=True):
        assert set(benchmark.row(spec, label)) <= set(benchmark.columns)


def test_an_unknown_option_is_named(benchmark_name: str) -> None:
    with pytest.raises(ValueError, match="no_such_option"):
        registry.get(benchmark_name).sample(0, 1, no_such_option=1)


def test_specs_are_frozen(made: tuple[Any, list[Spec], list[Any]]) -> None:
    _, specs, _ = made
    with pytest.raises(ValueError, match="frozen"):
        specs[0].seed = 1  # type: ignore[attr-defined]
    assert dataclasses.is_dataclass(View)
