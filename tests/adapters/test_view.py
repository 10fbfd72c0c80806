"""`jaxphys view`: pages of every kind of scene, what they hold, and every kind of bad input."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser")

import msgspec
import zstandard

from jaxphys_adapters import layout
from tests.support import cases

from .scene_files import Run, simulated, write

BILLIARDS: dict[str, Any] = cases("billiards")["bil-headon-exchange"]["input"]
PLANAR: dict[str, Any] = {
    "kind": "planar_scene",
    "t_end": 1.0,
    "bodies": [
        {"shape": "cube", "size": 0.2, "pos": [0, 0], "vel": [1, 0], "mu": 0.1},
        {"shape": "cube", "size": [0.1, 1.0], "pos": [0.7, 0], "mass": None},
    ],
}
RIGID: dict[str, Any] = {
    "kind": "rigid_scene",
    "t_end": 0.5,
    "bodies": [
        {"shape": "sphere", "size": 0.05, "pos": [0, 0, 1], "vel": [1, 0, 0], "mass": 0.3},
        {"shape": "capsule", "size": [0.05, 0.1], "pos": [0.3, 0, 1], "omega": [0, 3, 0], "mass": 0.3},
    ],
    "statics": [{"pos": [0, 0, 0.5], "half": [0.4, 0.3, 0.02]}],
    "rules": {"substeps": 1},
}
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def replays(page: str) -> dict[str, Any]:
    """What a page holds, by the names of its replays."""
    found = re.search(r'<script type="application/json" id="replays">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    content: dict[str, Any] = json.loads(found.group(1))
    return content


def messages(recording: str) -> tuple[float, list[tuple[float, dict[str, Any]]]]:
    """Length (s) and messages of a recording of viser: size, then compressed: size, msgpack, arrays."""
    content = zstandard.ZstdDecompressor().decompress(base64.b64decode(recording)[8:], max_output_size=1 << 28)
    size = int.from_bytes(content[:8], "little")
    told = msgspec.msgpack.decode(content[8 : 8 + size])
    return told["durationSeconds"], told["messages"]


def last(recording: str, node: str) -> list[float]:
    """Where a node is at last."""
    _, told = messages(recording)
    found = [one["position"] for _, one in told if one["type"] == "SetPositionMessage" and one["name"] == node]
    assert found, node
    return list(found[-1])


def viewed(jaxphys: Run, *words: object) -> str:
    ran = jaxphys("view", *words)
    assert ran.code == 0, ran.err
    assert ran.out == ""
    written = re.search(r"wrote (.*) \(", ran.err)
    assert written is not None
    return Path(written.group(1)).read_text("utf-8")


@pytest.mark.parametrize(
    ("scene", "body"), [(BILLIARDS, "ball"), (PLANAR, "body"), (RIGID, "body")], ids=["billiards", "planar", "rigid"]
)
def test_a_scene_file_ends_where_its_simulation_ends(
    scene: dict[str, Any], body: str, tmp_path: Path, jaxphys: Run
) -> None:
    path = write(tmp_path, scene)
    page = viewed(jaxphys, path, "-o", tmp_path / "it.html", "--fps", 30)
    result = simulated(scene["kind"].removesuffix("_scene"), jaxphys, path)
    (replay,) = replays(page).values()
    length, told = messages(replay["recording"])
    assert length == pytest.approx(scene["t_end"], abs=0.05)
    assert {kind["type"] for _, kind in told} >= {"FrameMessage", "MeshMessage", "SetPositionMessage"}
    ends = result.get("bodies") or [{"pos": pos} for pos in result["pos"]]
    for k in range(2):
        found = last(replay["recording"], f"/{k} {body} {k}")
        assert found[: len(ends[k]["pos"])] == pytest.approx(ends[k]["pos"], abs=2e-5)


def test_a_page_is_one_file_that_asks_for_nothing(tmp_path: Path, jaxphys: Run) -> None:
    path = tmp_path / '<b>&".json'
    path.write_text(json.dumps(BILLIARDS))
    page = viewed(jaxphys, path, "-o", tmp_path / "it.html")
    policy = page.index("Content-Security-Policy")
    assert policy < page.index("<script")
    assert "default-src 'none'" in page[policy : policy + 80]
    # Of viser's own head there is the icon, which is inside the page.
    assert not re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?!data:)[^"]*"', page)
    assert "<b>" not in page[page.rindex("</script>") :]
    assert "<title>&lt;b&gt;&amp;&quot;: billiards scene</title>" in page
    assert page.count("__VISER_EMBED_DATA__=") == 0


def test_a_scene_of_a_data_set_is_shown_with_its_bands(
    data_set: Path, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scene = layout.scene_ids(data_set)[0]
    page = viewed(jaxphys, data_set / scene, "--fps", 20)
    assert (tmp_path / f"{scene.replace('/', '_')}.html").is_file()
    found = replays(page)
    # The scene as drawn is one of its bands, and the first to be shown.
    assert list(found) == ["normal", "slow", "fast", "very_fast"]
    init = layout.read_json(data_set / scene / "init.json")
    final = layout.read_json(data_set / scene / "_final.json")
    cue = found["normal"]["recording"]
    assert last(cue, "/0 ball 0")[:2] == pytest.approx(final["meta"]["pos_full"][0], abs=2e-5)
    assert messages(cue)[0] == pytest.approx(init["t"], abs=0.06)
    assert f"<title>BilliardPhys-Bench: {scene}</title>" in page
    assert page.count('<dl data-replay="') == 4
    assert "<dt>hits balls</dt>" in page
    assert list(found["slow"]["cameras"]["table"]) == [
        "initialCameraPosition", "initialCameraLookAt", "initialCameraUp", "initialCameraFov", "initialCameraNear",
    ]  # fmt: skip


def test_a_stored_file_without_its_data_set_is_known_by_what_it_holds(
    data_set: Path, tmp_path: Path, jaxphys: Run
) -> None:
    scene = layout.scene_ids(data_set)[0]
    lone = tmp_path / "init.json"
    shutil.copy(data_set / scene / "init.json", lone)
    page = viewed(jaxphys, lone, "--no-variants", "-o", tmp_path / "deep" / "it.html", "--fps", 10)
    assert list(replays(page)) == ["own"]
    assert '<option value="own">as drawn</option>' in page
    lone.write_text(json.dumps({**layout.read_json(lone), "R": -1.0}))
    ran = jaxphys("view", lone)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "R" in ran.err


def test_a_drawn_hazard_has_its_room_robot_and_cameras(tmp_path: Path, jaxphys: Run) -> None:
    words = ("--option", 'families=["object_drop"]', "--id", "object_drop/scene_00000", "--no-variants", "--fps", 10)
    page = viewed(jaxphys, "reacthuman", *words, "-o", tmp_path / "it.html")
    (replay,) = replays(page).values()
    assert list(replay["cameras"]) == ["egocentric", "observer", "closeup", "overhead"]
    assert '<p data-replay="own">models see 0.00 to 0.60 s of it; then time is frozen</p>' in page
    # From its eyes the robot is not seen; nothing else is missing.
    _, told = messages(replay["recording"])
    nodes = [one["name"] for _, one in told if one["type"] == "FrameMessage"]
    assert list(replay["seen"]) == ["egocentric"]
    seen = [one["name"] for _, one in messages(replay["seen"]["egocentric"])[1] if one["type"] == "FrameMessage"]
    bare, rest = ([re.sub(r"\d+ ", "", name) for name in names] for names in (seen, nodes))
    assert any("room north" in name for name in bare)
    assert any("robot" in name for name in rest)
    assert bare == [name for name in rest if "robot" not in name]
    moved = {one["name"] for time, one in told if one["type"] == "SetPositionMessage" and time > 0}
    # Parts of a body are moved by it alone.
    assert all(name.count("/") == 1 for name in moved)
    assert any(name.count("/") > 1 for name in nodes)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.json",), "nothing.json: no such file or folder, nor one of billiardphys"),
        (("billiardphys", "--id", "t9s/scene_00000"), "id: 't9s/scene_00000' is no scene"),
        (("billiardphys", "--seed", "-1"), "seed: -1"),
        (("billiardphys", "--option", "nonsense=1"), "nonsense"),
        (("billiardphys", "--fps", "0"), "fps: 0"),
        (("billiardphys", "--fps", "1e9"), "fps: 1e+09 makes more than"),
    ],
)
def test_bad_words_are_explained(words: tuple[str, ...], message: str, jaxphys: Run) -> None:
    ran = jaxphys("view", *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert message in ran.err


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        ("{", (), "not JSON"),
        ({"kind": "soup"}, (), "kind: 'soup' is unknown; give one of billiards_scene"),
        ({"kind": "rigid_scene"}, (), "t_end: Field required (and 1 more)"),
        ({**PLANAR, "t_end": 1e9}, (), "fps: 60 makes more than"),
        (PLANAR, ("--id", "t1s/scene_00000"), "leave it out"),
        ({}, (), "Field required"),
    ],
)
def test_bad_files_are_explained(
    content: Any, words: tuple[str, ...], message: str, tmp_path: Path, jaxphys: Run
) -> None:
    ran = jaxphys("view", write(tmp_path, content), *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert message in ran.err


def test_a_folder_of_many_scenes_names_one_of_them(data_set: Path, tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("view", data_set)
    assert ran.code == 2
    assert f"give one of its scenes, for example {data_set / layout.scene_ids(data_set)[0]}" in ran.err
    ran = jaxphys("view", tmp_path)
    assert ran.code == 2
    assert "holds none of scene.json, init.json" in ran.err


def test_a_scene_without_a_valid_result_is_shown_and_says_so(tmp_path: Path, jaxphys: Run) -> None:
    """A ball that meets walls more often than there is room for events."""
    restless = {**BILLIARDS, "mu": 0.0, "t_end": 2.0, "balls": [{"id": 0, "pos": [1.0, 0.5], "vel": [2000.0, 0.0]}]}
    page = viewed(jaxphys, write(tmp_path, restless), "-o", tmp_path / "it.html", "--fps", 5)
    assert "<dt>no valid result</dt>" in page


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*filter(lambda name: name.startswith("jaxphys_adapters.view_"), sys.modules), "viser", "viser.infra"]:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "viser", None)
    ran = jaxphys("view", write(tmp_path, PLANAR))
    assert ran.code == 2
    assert "pip install '.[view]' in the checkout" in ran.err


def test_another_page_of_viser_is_told(tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from viser.infra import StateSerializer

    monkeypatch.setattr(StateSerializer, "as_html", lambda self: "<html><head></head><body></body></html>")
    ran = jaxphys("view", write(tmp_path, BILLIARDS), "-o", tmp_path / "it.html")
    assert (ran.code, (tmp_path / "it.html").exists()) == (2, False)
    assert "pip install viser==1.1.1" in ran.err


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("address", ["", "?replay=very_fast&camera=observer"])
def test_a_browser_plays_a_page_without_errors(address: str, tmp_path: Path, jaxphys: Run) -> None:
    from PIL import Image

    words = ("--option", 'families=["object_drop"]', "--id", "object_drop/scene_00000", "--fps", 30)
    viewed(jaxphys, "reacthuman", *words, "-o", tmp_path / "it.html")
    assert BROWSER is not None
    flags = ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--window-size=640,400"]
    flags += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=4000", "--enable-logging=stderr"]
    shot = tmp_path / "shot.png"
    ran = subprocess.run(
        [BROWSER, *flags, f"--screenshot={shot}", (tmp_path / "it.html").as_uri() + address],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    said = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
    assert any("Embedded data loaded" in line for line in said)
    assert not [line for line in said if re.search("error|refused|violates|uncaught|failed to", line, re.IGNORECASE)]
    # A furnished room has many shades; a page that draws nothing is white.
    middle = np.asarray(Image.open(shot).convert("RGB"))[150:300, 50:350].reshape(-1, 3)
    assert len(np.unique(middle, axis=0)) > 200
