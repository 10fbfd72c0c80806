"""Ground truth of known scenes, and the two published files with their exact keys."""

import copy
import json
import math
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.files import FINAL, INIT, published, read
from jaxphys_benchmarks.billiardphys.labels import chain_depth, four_decimals, label
from jaxphys_benchmarks.billiardphys.lower import arrange, lower, simulate
from jaxphys_benchmarks.billiardphys.sample import draw
from tests.benchmarks.billiardphys.scenes import CONFIG, draw_window, head_on, pool, potted, table, truth

INIT_KEYS = [
    "seed", "index", "attempt", "variant", "table", "R", "mass", "mu", "g", "t", "pockets", "balls", "cue",
    "arrow_scale", "canvas", "cue_speed_text", "rules", "rejected", "status", "margin", "config_hash",
]  # fmt: skip


def test_golden_head_on() -> None:
    (labels,) = truth([head_on()])
    assert labels.q1 == (True, False)
    assert labels.q2 == (False, False, False, False)
    assert np.array(labels.pos) == pytest.approx(np.array([[1.14, 0.5], [1.6682, 0.5], [0.3, 0.9]]), abs=1e-12)
    assert np.array(labels.vel) == pytest.approx(np.array([[0.0, 0.0], [-0.5412, 0.0], [0.0, 0.0]]), abs=1e-12)
    assert [(e.kind, e.ids, e.wall) for e in labels.events] == [("ball", (0, 1), None), ("wall", (1,), "RIGHT")]
    assert [e.t for e in labels.events] == pytest.approx([1.085927565, 2.447870474])
    assert labels.chain_depth == (0, 1, -1)
    assert labels.hit_balls == {1}
    assert not labels.hit_walls


def test_golden_rows_and_symmetric_breaks() -> None:
    row = table([(0.5, 0.5), (1.0, 0.5), (1.06, 0.5)], 0.6, 2.0)
    wedge = table([(0.5, 0.5), (1.0, 0.53), (1.0, 0.47)], 0.6, 2.0)
    first, second = truth([row, wedge])
    assert first.q1 == (True, False)
    assert first.chain_depth == (0, 1, 2)
    assert second.q1 == (True, True)
    assert second.chain_depth == (0, 1, 1)
    assert second.pos[1] == pytest.approx((1.423622851, 0.774578767), abs=1e-8)


def test_a_pocketed_ball_has_no_place() -> None:
    spec = potted()
    (labels,) = truth([spec])
    assert labels.pos[1] is labels.vel[1] is None
    assert labels.events[-1].kind == "pocket"
    assert labels.events[-1].pocket == 0
    files = published(spec, labels)
    assert files[FINAL]["predictions"][1] == {"id": 1, "pos": None}
    assert files[FINAL]["meta"]["pos_full"][1] is None
    assert read(files) == (spec, labels)


@pytest.mark.parametrize(
    ("contacts", "depth"),
    [
        ([], (0, -1, -1, -1)),
        ([(1, 0, 2), (2, 2, 3), (3, 1, 3)], (0, 3, 1, 2)),
        # Hit by a deep and by a shallow ball at once: the shortest chain counts.
        ([(1, 0, 1), (2, 1, 2), (3, 2, 3), (3, 0, 3)], (0, 1, 2, 1)),
        # A joint hit passes nothing on within itself.
        ([(1, 0, 1), (1, 1, 2), (2, 1, 2)], (0, 1, 2, -1)),
        # The cue ball hit again stays 0; a first touch is never overwritten.
        ([(1, 0, 1), (2, 0, 2), (3, 1, 2), (4, 0, 1)], (0, 1, 1, -1)),
    ],
)
def test_chain_depth(contacts: list[tuple[int, int, int]], depth: tuple[int, ...]) -> None:
    assert chain_depth(4, contacts) == depth


def test_published_keys_and_their_order() -> None:
    spec = head_on()
    (labels,) = truth([spec])
    files = published(spec, labels)
    assert list(files) == [INIT, FINAL]
    assert list(files[INIT]) == INIT_KEYS
    assert list(files[FINAL]) == ["Q1", "Q2", "predictions", "meta"]
    assert list(files[FINAL]["meta"]) == ["t", "status", "pos_full", "vel", "events", "chain_depth", "margin"]
    golden = json.loads(json.dumps({key: files[FINAL][key] for key in ("Q1", "Q2", "predictions")}))
    assert golden == {
        "Q1": [{"id": 1, "answer": "T"}, {"id": 2, "answer": "F"}],
        "Q2": [
            {"wall": "TOP", "answer": "F"}, {"wall": "BOTTOM", "answer": "F"},
            {"wall": "LEFT", "answer": "F"}, {"wall": "RIGHT", "answer": "F"},
        ],
        "predictions": [
            {"id": 0, "pos": [1.14, 0.5]}, {"id": 1, "pos": [1.6682, 0.5]}, {"id": 2, "pos": [0.3, 0.9]},
        ],
    }  # fmt: skip


def test_files_of_drawn_scenes_read_back_to_the_bit() -> None:
    specs, labels = pool(3.0, 32)
    for spec, known in zip(specs, labels, strict=True):
        files = published(spec, known)
        text = json.dumps(files, allow_nan=False)
        assert "-0.0," not in text
        assert "-0.0]" not in text
        assert read(json.loads(text)) == (spec, known)
        for row in files[FINAL]["predictions"]:
            assert row["pos"] == [round(x, 4) for x in row["pos"]]


def test_every_scene_has_one_shape() -> None:
    """Public case exp-object-vs-array: the same keys and kinds of value in all rows, pocketed balls included."""

    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shape(entry) for key, entry in value.items()}
        return list if isinstance(value, list) else type(value)

    specs = [*pool(1.0, 16)[0], *pool(5.0, 16)[0]]
    shapes = {json.dumps(shape(published(s, k)), default=str) for s, k in zip(specs, truth(specs), strict=True)}
    assert len(shapes) == 1
    events = [e for k in [*truth([potted()]), *truth(specs)] for e in k.events]
    assert {len(e.ids) == len(e.pos) for e in events} == {True}


def test_the_event_list_has_simulation_resolution() -> None:
    """Public case exp-collision-log: two hits within one frame of 1/24 s are both listed, at their own times."""
    spec = table([(0.5, 0.5), (0.58, 0.5), (0.65, 0.5)], 1.0, 1.0, mu=0.0)
    (labels,) = truth([spec])
    hits = [event for event in labels.events if event.kind == "ball"]
    assert [event.ids for event in hits] == [(0, 1), (1, 2)]
    assert [event.t for event in hits] == pytest.approx([0.02, 0.03], abs=1e-12)


def test_four_decimals_never_show_minus_zero() -> None:
    for x, y in (four_decimals((-1e-9, -0.0)), four_decimals((-0.00004, 0.00005))):
        assert math.copysign(1, x) == math.copysign(1, y) == 1.0


def test_no_label_is_written_for_a_failed_scene() -> None:
    spec = head_on()
    capped = spec.model_copy(update={"rules": spec.rules.model_copy(update={"max_events": 1})})
    (labels,) = truth([capped])
    assert labels.status == 1
    with pytest.raises(ValueError, match=r"status 1, no label is written: .* raise max_events"):
        published(capped, labels)


def test_labels_need_the_right_rollout() -> None:
    spec = head_on()
    with pytest.raises(ValueError, match="log=True"):
        label([spec], simulate([spec], log=False)[1])
    with pytest.raises(ValueError, match=r"runs to 3\.0 s, not to t = 2\.0 s"):
        label([spec.model_copy(update={"t": 2.0})], simulate([spec])[1])
    with pytest.raises(ValueError, match="1 scenes for 2 specs"):
        label([spec, spec], simulate([spec])[1])


def damaged(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    spec = head_on()
    files: dict[str, Any] = copy.deepcopy(published(spec, truth([spec])[0]))
    place = files
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return files


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ((INIT,), None, "init.json: missing"),
        ((FINAL,), None, "_final.json: missing"),
        ((INIT, "R"), -1.0, "init.json: R"),
        ((INIT, "spin"), 1, "init.json: spin"),
        ((FINAL, "Q1"), None, "_final.json"),
        ((FINAL, "Q1", 0, "answer"), "yes", "_final.json"),
        ((FINAL, "Q1", 0, "id"), 5, "Q1: lists"),
        ((FINAL, "Q2", 0, "wall"), "UP", "Q2: lists"),
        ((FINAL, "predictions", 0, "pos"), [1.0, 0.5], "predictions: differs"),
        ((FINAL, "meta", "t"), 2.0, "meta.t"),
        ((FINAL, "meta", "pos_full"), [[1.0, 2.0]], "pos_full"),
        ((FINAL, "meta", "events"), [{"t": "soon"}], "_final.json: events"),
        ((FINAL, "meta"), 3, "_final.json"),
        ((FINAL, "predictions"), 3, "_final.json"),
        ((FINAL, "predictions", 0), {}, "_final.json: no field 'id'"),
        ((FINAL, "Q1", 0), {"answer": "F"}, "_final.json: no field 'id'"),
    ],
)
def test_damaged_files_name_file_and_field(path: tuple[Any, ...], value: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read(damaged(path, value))


def test_the_keys_of_the_answers_are_configured() -> None:
    config = BilliardConfig(q1_key="balls", q2_key="walls", q3_key="places")
    spec = head_on()
    (labels,) = truth([spec])
    files = published(spec, labels, config)
    assert list(files[FINAL]) == ["balls", "walls", "places", "meta"]
    assert read(files, config) == (spec, labels)
    with pytest.raises(ValueError, match="Q1"):
        read(files)


def test_lowering_keeps_every_bit_and_refuses_mixtures() -> None:
    specs = draw_window(CONFIG, 2, 3.0, range(4))
    world, state = lower(specs)
    assert state.pos.tolist() == [[list(xy) for xy in spec.positions] for spec in specs]
    assert state.vel[:, 0].tolist() == [list(spec.cue.vel) for spec in specs]
    assert not np.any(state.vel[:, 1:])
    assert world.radius.shape == (4, 7)
    again = arrange(specs[0], np.asarray(state.pos), np.asarray(state.vel))
    assert np.array_equal(again[1].pos, state.pos)
    with pytest.raises(ValueError, match="R: scene"):
        lower([*specs, draw(BilliardConfig(R=0.02), 2, 3.0, 0)])
    with pytest.raises(ValueError, match="n: scene"):
        lower([*specs, draw(BilliardConfig(n_balls=3), 2, 3.0, 0)])
    with pytest.raises(ValueError, match="empty"):
        lower([])
