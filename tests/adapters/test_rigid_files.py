"""Rigid scene files: `jaxphys simulate rigid`, and `jaxphys export SCENE --mjcf`, whose file plain MuJoCo simulates."""

import copy
import json
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from jaxphys import rigid
from jaxphys_adapters.rigid_file import read_rigid_file
from jaxphys_benchmarks import registry
from tests.oracle import rigid_forms
from tests.support import cases

from . import scene_files
from .scene_files import Run, write

SCENE: dict[str, Any] = {
    "kind": "rigid_scene", "t_end": 0.5, "floor_friction": 0.4,
    "bodies": [
        {"shape": "sphere", "size": 0.05, "mass": 0.3, "pos": [-0.2, 0, 1.2], "vel": [1, 0, 0], "friction": 0.3},
        {"shape": "box", "size": [0.06, 0.04, 0.05], "mass": 0.5, "pos": [0.2, 0.1, 1.0], "omega": [0, 2, 1]},
        {"shape": "prism", "size": [0.04, 0.06], "mass": 0.4, "pos": [0, -0.1, 0.9],
         "quat": [0.9238795325112867, 0.3826834323650898, 0, 0]},
        {"shape": "box", "size": [0.3, 0.02, 0.4], "mass": 8,
         "hinge": {"anchor": [1.5, 0, 0.5], "axis": [0, 0, 1], "com": [0.3, 0, 0], "angle": 0.4, "rate": -2,
                   "damping": 0.5}},
    ],
    "statics": [{"pos": [0, 0, 0.73], "half": [0.4, 0.3, 0.02], "friction": 0.5}],
}  # fmt: skip
FLIGHT: dict[str, Any] = {
    "kind": "rigid_scene", "t_end": 0.3125, "rules": {"substeps": 4},
    "bodies": [{"shape": "sphere", "size": 0.028, "mass": 0.1, "pos": [-0.785, 0.557, 0.028],
                "vel": [-0.273, -1.806, 3.445]}],
}  # fmt: skip
"""The stored Genesis record of the ReactHuman specification, section 15.2."""


simulated = partial(scene_files.simulated, "rigid")
changed = partial(scene_files.changed, SCENE)


def test_a_flight(tmp_path: Path, jaxphys: Run) -> None:
    result = simulated(jaxphys, write(tmp_path, FLIGHT))
    (body,) = result["bodies"]
    assert body["pos"] == pytest.approx([-0.8703, -0.0074, 0.6240], abs=5e-5)
    assert body["vel"][:2] == [-0.273, -1.806]
    assert (result["kind"], result["status"], result["backend"], result["t"]) == ("rigid_result", 0, "c", 0.3125)
    assert result["made_with"]["versions"]["mujoco"] == mujoco.__version__
    start = 0.5 * 0.1 * (0.273**2 + 1.806**2 + 3.445**2) + 0.1 * 9.81 * 0.028
    assert result["energy"]["kinetic"] + result["energy"]["potential"] == pytest.approx(start, rel=1e-2)


def test_contacts_are_named_in_order(tmp_path: Path, jaxphys: Run) -> None:
    result = simulated(jaxphys, write(tmp_path, SCENE), "--times", "0.25,0.5")
    assert [frame["t"] for frame in result["frames"]] == [0.25, 0.5]
    assert result["bodies"] == result["frames"][1]["bodies"]
    times = [contact["t"] for contact in result["contacts"]]
    assert times == sorted(times)
    first = result["contacts"][0]
    assert first["bodies"] == [2, "static 0"]
    assert [2, "static 0"] in result["frames"][0]["touching"]
    assert all(0 < contact["depth"] < 0.02 for contact in result["contacts"])
    # A hinged body touches nothing.
    assert all(3 not in contact["bodies"] for contact in result["contacts"])


def test_rules_of_the_file_count(tmp_path: Path, jaxphys: Run) -> None:
    scene = copy.deepcopy(FLIGHT)
    scene |= {"t_end": 1.0, "rules": {"substeps": 1, "drag": True, "bounce": True}}
    scene["bodies"][0] |= {"pos": [0, 0, 0.528], "vel": [0, 0, 0], "restitution": 0.9, "drag_area": 0.01}
    height = simulated(jaxphys, write(tmp_path, scene), "--times", "0.1:1:10")["frames"]
    high = max(frame["bodies"][0]["pos"][2] for frame in height[4:])
    assert 0.2 < high - 0.028 < 0.5 * 0.81
    scene["rules"] = {"substeps": 1}
    low = simulated(jaxphys, write(tmp_path, scene), "--times", "0.1:1:10")["frames"]
    assert max(frame["bodies"][0]["pos"][2] for frame in low[4:]) < 0.1


def test_own_inertia_and_gravity(tmp_path: Path, jaxphys: Run) -> None:
    """The symmetric top of the public case, among bodies whose inertia is that of their shape."""
    given = cases("rigid")["rig-symmetric-top"]
    scene = copy.deepcopy(FLIGHT)
    scene |= {"t_end": 2.0, "g": 0, "rules": {"substeps": 16}}
    ball = {"shape": "sphere", "size": 0.1, "mass": 1}
    scene["bodies"] = [
        ball | {"pos": [0, 0, 5], "omega": given["input"]["omega0_body"], "inertia": given["input"]["inertia"]},
        ball | {"pos": [5, 0, 5]},
    ]
    path = write(tmp_path, scene)
    world = read_rigid_file(path).world
    np.testing.assert_allclose(world.inertia[0], [[1, 1, 2], [0.004] * 3], rtol=1e-12)
    spin = np.array(simulated(jaxphys, path)["bodies"][0]["omega"])
    momentum = given["expected"]["L_norm"]
    # |L| is kept: 2 I w along the axis and w across it.
    assert np.linalg.norm(spin) < momentum
    assert np.dot(spin, spin) == pytest.approx(0.3**2 + 16, rel=1e-3)


def test_overlap_gives_no_result(tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("simulate", "rigid", write(tmp_path, changed(pos=[-0.2, 0, 0.77])))
    assert (ran.code, json.loads(ran.out)["status"]) == (1, rigid.Status.OVERLAP)
    assert "overlap" in ran.err


BAD: dict[str, tuple[Any, str]] = {
    "unknown field": (SCENE | {"colour": "red"}, "colour: no such field"),
    "unknown shape": (changed(shape="cone"), "bodies.0.shape"),
    "unknown rule": (SCENE | {"rules": {"gravity": 1}}, "rules.gravity: no such field"),
    "unknown cone": (SCENE | {"rules": {"cone": "round"}}, "rules.cone"),
    "NaN": (json.dumps(SCENE).replace("0.73", "NaN"), "statics.0.pos.2"),
    "two numbers for a sphere": (changed(size=[0.1, 0.2]), "bodies.0: size: (0.1, 0.2) for a sphere; give its radius"),
    "one number for a box": (changed(1, size=0.1), "bodies.1: size: 0.1 for a box; give three half extents"),
    "negative size": (changed(size=-0.1), "size"),
    "mass zero": (changed(mass=0), "bodies.0.mass"),
    "no mass": ({**SCENE, "bodies": [{"shape": "sphere", "size": 0.1, "pos": [0, 0, 1]}]}, "bodies.0.mass"),
    "no place": ({**SCENE, "bodies": [{"shape": "sphere", "size": 0.1, "mass": 1}]}, "pos: a free body needs one"),
    "a long quaternion": (changed(quat=[1, 1, 0, 0]), "quat: [1.0, 1.0, 0.0, 0.0] has length 1.41"),
    "a long axis": (changed(3, hinge={"axis": [0, 0, 2], "com": [0, 0, 1]}), "axis: [0.0, 0.0, 2.0] has length 2"),
    "restitution over 1": (changed(restitution=1.5), "bodies.0.restitution"),
    "negative friction": (changed(friction=-1), "bodies.0.friction"),
    "negative inertia": (changed(inertia=[1, 1, -1]), "inertia"),
    "a flat static": (SCENE | {"statics": [{"pos": [0, 0, 0], "half": [1, 1, 0]}]}, "half: [1.0, 1.0, 0.0]"),
    "no bodies": (SCENE | {"bodies": []}, "bodies"),
    "time zero": (SCENE | {"t_end": 0}, "t_end"),
    "a time between steps": (SCENE | {"t_end": 0.501}, "times"),
    "no substeps": (SCENE | {"rules": {"substeps": 0}}, "rules.substeps"),
    "planar": ({"kind": "planar_scene"}, "kind"),
    "no scene": ({"hello": 1}, "no scene"),
    "a sample that is none": ({"physics": {}}, "Field required"),
    "not JSON": ("{", "not JSON"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_scenes_are_one_clear_line(name: str, tmp_path: Path, jaxphys: Run) -> None:
    content, message = BAD[name]
    path = write(tmp_path, content)
    ran = jaxphys("simulate", "rigid", path)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("jaxphys: ")
    assert ran.err.count("\n") == 1


def test_bad_back_ends_are_named(tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("simulate", "rigid", write(tmp_path, FLIGHT), "--backend", "stepped")
    assert (ran.code, ran.out) == (2, "")
    assert "backend is 'stepped'" in ran.err


# MJCF.


@pytest.mark.parametrize("rules", [{"substeps": 4}, {"substeps": 1, "cone": "pyramidal", "impratio": 10}])
def test_plain_mujoco_simulates_the_exported_scene_alike(rules: dict[str, Any], tmp_path: Path, jaxphys: Run) -> None:
    """From its keyframe, to rounding and not to bits: a compiled file and a batch are different programs."""
    path, out = write(tmp_path, SCENE | {"rules": rules}), tmp_path / "deep" / "scene.xml"
    ran = jaxphys("export", path, "--mjcf", out)
    assert ran.code == 0, ran.err
    model = mujoco.MjModel.from_xml_path(str(out))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    scene = read_rigid_file(path)
    steps = 120
    end = rigid.rollout(scene.world, scene.state, np.arange(1, steps + 1) / 240, rules=scene.rules, backend="c")
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]
    assert len(names) == 4
    for k in range(steps):
        for _ in range(scene.rules.substeps):
            mujoco.mj_step(model, data)
        for j in range(model.njnt):
            at = model.jnt_qposadr[j]
            width = 7 if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE else 1
            found, want = data.qpos[at : at + width], end.qpos[0, k, j, :width]
            np.testing.assert_allclose(found, want, rtol=0, atol=1e-6, err_msg=f"step {k}, {names[j]}")
    assert end.touching.any()


def test_rig_keyframe_ctrl(tmp_path: Path, jaxphys: Run) -> None:
    """A reset to the keyframe is the start of the scene, moving hinge and turning bodies included."""
    path, out = write(tmp_path, SCENE), tmp_path / "scene.xml"
    assert jaxphys("export", path, "--mjcf", out).code == 0
    model = mujoco.MjModel.from_xml_path(str(out))
    assert (model.nkey, model.nu) == (1, 0)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    state = read_rigid_file(path).state
    np.testing.assert_array_equal(data.qpos, [*state.qpos[0, :3].ravel(), state.qpos[0, 3, 0]])
    np.testing.assert_array_equal(data.qvel, [*state.qvel[0, :3].ravel(), state.qvel[0, 3, 0]])


def test_a_scene_of_a_data_set_is_simulated_and_exported(tmp_path: Path, jaxphys: Run) -> None:
    """`scene.json` of ReactHuman: its own physics, and the same flight from the exported file."""
    (spec,) = registry.get("reacthuman", families=("thrown_object",)).sample(0, 1)
    content = spec.model_dump(mode="json", by_alias=True)
    path, out = write(tmp_path, content), tmp_path / "scene.xml"
    result = simulated(jaxphys, path, "--times", "0.1,0.2")
    assert len(result["bodies"]) == len(content["scene"]["things"])
    assert jaxphys("export", path, "--mjcf", out).code == 0
    model = mujoco.MjModel.from_xml_path(str(out))
    assert model.opt.timestep == content["physics"]["dt"] / content["physics"]["substeps"]
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, 24 * content["physics"]["substeps"])
    assert result["frames"][0]["bodies"][0]["pos"] == pytest.approx(data.qpos[:3].tolist(), abs=1e-9)


def test_what_mjcf_has_no_words_for_is_said(tmp_path: Path, jaxphys: Run) -> None:
    scene = changed(restitution=0.5) | {"rules": {"bounce": True, "drag": True}}
    ran = jaxphys("export", write(tmp_path, scene), "--mjcf", tmp_path / "scene.xml")
    assert ran.code == 0
    assert "drag, bounce: acts between the steps" in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "out, mjcf: give"),
        (("--mjcf", "scene.json"), "exists already"),
        (("--out", "folder", "--mjcf", "scene.xml"), "out, mjcf: give"),
    ],
)
def test_bad_exports_write_nothing(
    words: tuple[str, ...], message: str, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, SCENE)
    before = path.read_text()
    ran = jaxphys("export", path, *words)
    assert ran.code == 2
    assert message in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]
    assert path.read_text() == before


def test_a_faulty_scene_writes_no_mjcf(tmp_path: Path, jaxphys: Run) -> None:
    ran = jaxphys("export", write(tmp_path, changed(mass=-1)), "--mjcf", tmp_path / "scene.xml")
    assert ran.code == 2
    assert "bodies.0.mass" in ran.err
    assert not (tmp_path / "scene.xml").exists()


@pytest.mark.parametrize("last", [0.2, 0.4])
def test_the_last_asked_time_ends_the_run(last: float, tmp_path: Path, jaxphys: Run) -> None:
    """Before or after the end of the scene, 0.3125 s."""
    result = simulated(jaxphys, write(tmp_path, FLIGHT), "--times", f"0.1,{last}")
    assert result["t"] == last
    assert [frame["t"] for frame in result["frames"]] == [0.1, last]
    assert result["bodies"] == result["frames"][-1]["bodies"]


def test_the_flight_of_the_file_is_the_formula(tmp_path: Path, jaxphys: Run) -> None:
    result = simulated(jaxphys, write(tmp_path, FLIGHT), "--times", "0.1,0.2")
    (body,) = FLIGHT["bodies"]
    for frame in result["frames"]:
        count = round(frame["t"] * 960)
        want = rigid_forms.flight(np.array(body["pos"]), np.array(body["vel"]), count, 1 / 960)
        assert frame["bodies"][0]["pos"] == pytest.approx(want.tolist(), abs=1e-9)
