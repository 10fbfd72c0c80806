"""Public cases on rigid bodies, by id, through the table tests/cases/rigid.json: case -> engine, back end, mode.

A row of the table is a case with `runs`. A run of engine `rigid` names the back end and the mode, `parity` (4 substeps)
or `fast`, with further rules by name. Where the value cannot be met, `met` is false, `value` is what comes out and
`reason` says why. The other engines have their own tests; `none` has a reason.
"""

import math
import pathlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jaxphys import rigid
from jaxphys_kernels.status import Status
from tests.oracle import rigid_forms
from tests.rigid_support import RATE, Path, Slope, about, rotated, run, steps
from tests.support import cases

ROOT = pathlib.Path(__file__).parents[2]
TABLE = cases("rigid")
AREAS = {
    "drop": 3, "bounce": 4, "rolling": 4, "friction": 3, "topple": 3, "pendulum": 2, "door": 2, "ladder": 2,
    "stairs": 2, "freebody": 1, "contact": 2, "conventions": 2, "determinism": 5, "batching": 5, "gradient": 5,
}  # fmt: skip
"""Public cases of each area."""

ENGINES = {"rigid", "planar", "billiards", "pybullet", "none"}
SAME = 0.01
"""By how much a stored value that misses its case may differ from what comes out now, relative."""

Case = dict[str, Any]
Measure = Callable[[Case, rigid.Rules, str], dict[str, Any]]
"""(case, rules, back end) -> what came out, by the names of `CHECKS`."""


def test_every_case_of_the_areas_is_in_the_table() -> None:
    assert Counter(row["area"] for row in TABLE.values()) == AREAS
    for row in TABLE.values():
        assert row["runs"]
        for one in row["runs"]:
            assert one["engine"] in ENGINES
            assert one["engine"] != "none" or one["reason"]
            assert one.get("met", True) or (one["reason"] and "value" in one)
            assert one["engine"] != "rigid" or one["backend"] in ("c", "mjx")
            assert _is_here(one) or one["engine"] == "none" or _mentions(ROOT / one["test"], row["id"])


def _mentions(test: pathlib.Path, name: str) -> bool:
    text = test.read_text(encoding="utf-8")
    return name in text or name.replace("-", "_") in text


def test_the_table_names_the_tests_that_are_here() -> None:
    ours = {name for name, row in TABLE.items() if any(_is_here(one) for one in row["runs"])}
    assert ours == set(MEASURES)


def _is_here(one: dict[str, Any]) -> bool:
    return one["engine"] == "rigid" and one["backend"] == "c" and "test" not in one


def rules_of(one: dict[str, Any]) -> rigid.Rules:
    extra = {name: one[name] for name in ("bounce", "impratio", "substeps", "cone") if name in one}
    return rigid.Rules(**({"substeps": {"parity": 4, "fast": 1}[one["mode"]]} | extra))


def named(one: dict[str, Any]) -> str:
    extra = [f"{k}={one[k]}" for k in ("bounce", "impratio", "substeps", "cone") if k in one]
    return "-".join([one["backend"], one["mode"], *extra])


RUNS = [
    pytest.param(name, k, id=f"{name}-{named(one)}", marks=[pytest.mark.slow] * one.get("slow", False))
    for name, row in TABLE.items()
    for k, one in enumerate(row["runs"])
    if _is_here(one)
]


@pytest.mark.parametrize(("name", "k"), RUNS)
def test_case(name: str, k: int) -> None:
    case = TABLE[name]
    one = case["runs"][k]
    got = MEASURES[name](case, rules_of(one), one["backend"])
    wrong = {key: value for key, (value, want, within) in got.items() if not _near(value, want, within)}
    if one.get("met", True):
        assert not wrong, {key: got[key] for key in wrong}
        return
    # What misses its case does so by the stored value; when it no longer does, the table is out of date.
    assert set(wrong) == set(one["value"]), {key: got[key] for key in got}
    for key, value in one["value"].items():
        np.testing.assert_allclose(got[key][0], value, rtol=SAME, atol=1e-4)


def _near(value: Any, want: Any, within: float) -> bool:
    return bool(np.all(np.abs(np.asarray(value, float) - np.asarray(want, float)) <= within))


def rel(case: Case) -> float:
    return float(case["tolerance"]["rel"])


def within(case: Case, want: Any) -> Any:
    """A value with the case's relative tolerance, of its largest part."""
    return float(np.max(np.abs(want))) * rel(case)


def ball(radius: float, pos: Any, **more: Any) -> dict[str, Any]:
    """One sphere."""
    return {"shape": ["sphere"], "size": [[radius] * 3], "pos": [pos], "mass": [1.0]} | more


def flying(path: Path) -> Path:
    assert path.end.status[0] == 0
    return path


# Drop.


def free_fall(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    r = 0.1
    path = flying(run(steps(200), rules, backend, **ball(r, (0, 0, given["drop_height_of_lowest_point"] + r))))
    return {
        "t": (path.first_touch[0], want["t_impact_analytic"], case["tolerance"]["t"]),
        "v": (-path.vel[:, 0, 2].min(), want["v_impact"], case["tolerance"]["v"]),
    }


def throw(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    path = flying(run(steps(RATE, 0), rules, backend, **ball(0.02, (0, 0, given["z0"]), vel=[(0, 0, given["v0_up"])])))
    height, k = path.pos[:, 0, 2], int(path.pos[:, 0, 2].argmax())
    drift = np.abs(path.energy / path.energy[0] - 1)[path.times < path.first_touch[0]]
    return {
        "z": (height.max(), want["z_apex"], case["tolerance"]["z"]),
        "t": (path.times[k], want["t_apex"], given["dt"]),
        "energy drift": (drift.max(), 0, want["energy_drift_max_rel"]),
    }


def hidden_damping(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    path = flying(run([case["input"]["t"]], rules, backend, **ball(0.1, (0, 0, 100))))
    return {"v": (-path.vel[0, 0, 2], case["expected"]["v_no_damping"], case["tolerance"]["no_damping"])}


# Bounce.


def apexes(path: Path, radius: float, count: int) -> np.ndarray:
    """Heights of the lowest point at the first apexes after contacts; fewer where there are fewer contacts."""
    touched = np.flatnonzero(path.touching[:, 0])
    # One contact may last several steps.
    starts = touched[np.diff(touched, prepend=-9) > 1]
    ends = np.append(starts[1:], len(path.times))
    heights = path.pos[:, 0, 2] - radius
    found = [float(heights[a:b].max()) for a, b in zip(starts, ends, strict=True)][:count]
    return np.array(found + [0.0] * (count - len(found)))


def dropped(case: Case, height: float, e: float, count: int, rules: rigid.Rules, backend: str) -> np.ndarray:
    r = 0.05
    fall = rigid_forms.fall_time(height)
    time = fall * (1 + 2 * sum(e**k for k in range(1, count + 1))) + 0.02
    path = run(
        steps(round(time * RATE)),
        rules,
        backend,
        **ball(r, (0, 0, height + r), restitution=[[e]]),
        gravity=case["input"]["g"],
    )
    return apexes(flying(path), r, count)


def bounce_heights(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]["apex_list"]
    got = dropped(case, given["drop_height"], given["e"], given["n"], rules, backend)
    return {"apex": (got / want, 1, rel(case))}


def elastic(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]["apex"]
    got = dropped(case, given["drop_height"], given["e"], given["n_bounces"], rules, backend)
    return {"apex": (got / want, 1, rel(case))}


# Rolling and friction.


def roll_down(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    slope = Slope(math.radians(given["theta_deg"]), given["mu"])
    path = flying(
        run(
            [given["t"]],
            rules,
            backend,
            **ball(given["r"], slope.at(0, given["r"]), friction=given["mu"]),
            **slope.static,
        )
    )
    return {
        "x": (slope.way(path.pos[0, 0]), want["x"], within(case, want["x"])),
        "v": (path.vel[0, 0] @ slope.down, want["v"], within(case, want["v"])),
        "omega": (path.omega[0, 0, 1], want["omega"], within(case, want["omega"])),
    }


def roll_race(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    slope, r, times = Slope(math.radians(given["theta_deg"]), given["mu"]), 0.1, []
    lying = about((1, 0, 0), math.pi / 2)
    for shape in given["shapes"]:
        about_axis = {"solid cylinder": 0.5, "hoop": 1.0, "solid sphere": 0.4}[shape] * r * r
        kind = "sphere" if shape == "solid sphere" else "capsule"
        path = flying(
            run(
                steps(400),
                rules,
                backend,
                shape=[kind],
                size=[[r, r, r if kind == "sphere" else 0.2]],
                pos=[slope.at(0, r)],
                quat=[lying],
                mass=[[1.0]],
                inertia=[[about_axis] * 3],
                friction=given["mu"],
                **slope.static,
            )
        )
        way = slope.way(path.pos[:, 0])
        times.append(float(np.interp(given["length"], way, path.times)))
    return {"t": (np.array(times) / want["t"], 1, rel(case))}


def backspin(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    path = flying(
        run(
            [1.0],
            rules,
            backend,
            **ball(given["r"], (0, 0, given["r"]), vel=[(given["v0"], 0, 0)], omega=[(0, given["omega0"], 0)]),
            friction=given["mu"],
            floor_friction=given["mu"],
        )
    )
    v, w = path.vel[0, 0, 0], path.omega[0, 0, 1]
    return {
        "v": (v, want["v_final"], within(case, want["v_final"])),
        "rolls": (given["r"] * w, v, within(case, want["v_final"])),
    }


def hold(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, limits = case["input"], case["tolerance"]
    slope = Slope(math.radians(given["theta_deg"]), given["mu"])
    half = 0.5 * np.array(given["box"])
    path = flying(
        run(
            steps(round(given["t"] * RATE)),
            rules,
            backend,
            shape=["box"],
            size=[half],
            pos=[slope.at(0, half[2])],
            quat=[slope.quat],
            mass=[[1.0]],
            friction=given["mu"],
            **slope.static,
        )
    )
    limit = limits[f"slip_m_per_s_{'elliptic_impratio10' if rules.impratio >= 10 else 'default_solver'}"]
    return {"slip": (slope.way(path.pos[-1, 0]) / given["t"], case["expected"]["slip"], limit)}


def combine(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    """The larger coefficient counts: a block of .5 on a slope of .2 holds and slides as one of .5 on .5 does."""
    given = case["input"]
    critical, within_deg = case["expected"]["critical_angle_deg"][1], case["tolerance"]["deg"]
    ways = []
    for other in (given["mu_b"], 0.2):
        for angle in (critical - within_deg, critical + within_deg):
            slope = Slope(math.radians(angle), other)
            path = flying(
                run(
                    [1.0],
                    rules,
                    backend,
                    shape=["box"],
                    size=[[0.1, 0.1, 0.05]],
                    pos=[slope.at(0, 0.05)],
                    quat=[slope.quat],
                    mass=[[1.0]],
                    friction=given["mu_a"],
                    **slope.static,
                )
            )
            ways.append(slope.way(path.pos[0, 0]))
    ideal = 0.5 * rigid_forms.incline(math.radians(critical + within_deg), 0.5)
    return {"slides": (np.array(ways) > 0.3 * ideal, [False, True, False, True], 0)}


def isotropy(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    ways = []
    for heading in np.radians(given["headings_deg"]):
        path = flying(
            run(
                [1.0],
                rules,
                backend,
                shape=["box"],
                size=[[0.1, 0.1, 0.05]],
                pos=[(0, 0, 0.05)],
                vel=[(given["v0"] * math.cos(heading), given["v0"] * math.sin(heading), 0)],
                mass=[[1.0]],
                friction=given["mu"],
                floor_friction=given["mu"],
            )
        )
        ways.append(float(np.linalg.norm(path.pos[0, 0, :2])))
    ideal = np.array(want["stop_distance"])
    return {
        "stop": (np.array(ways) / ideal, 1, rel(case)),
        "spread": (np.ptp(ways) / np.mean(ways), 0, want["max_spread_rel"]),
    }


# Topple.


def tilted(case: Case, angle: float, time: float, rules: rigid.Rules, backend: str) -> Path:
    """A box on one bottom edge, released at rest, on a floor that does not let it slide."""
    half = 0.5 * np.array(case["input"]["box"])
    quat = about((0, 1, 0), angle)
    centre = rotated(quat, (-half[0], 0, half[2]))
    return flying(
        run(
            steps(round(time * RATE), 0),
            rules,
            backend,
            shape=["box"],
            size=[half],
            pos=[centre],
            quat=[quat],
            mass=[[1.0]],
            friction=1.0,
            floor_friction=1.0,
        )
    )


def tip(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    outcomes = []
    for angle in case["input"]["angles_deg"]:
        path = tilted(case, math.radians(angle), 4.0, rules, backend)
        outcomes.append(abs(rotated(path.quat[-1, 0], (0, 0, 1))[2]) < 0.1)
    assert [bool(x) for x in outcomes] == [word == "topples" for word in case["expected"]["outcome"]]
    return {"topples": (outcomes, [False, True], 0)}


def rock(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    """From the heights of the centre at the two turning points, on one edge and on the other."""
    path = tilted(case, math.radians(12), 1.2, rules, backend)
    tilt = rotated(path.quat[:, 0], (0, 0, 1))[:, 0]
    upright = int(np.argmax(tilt < 0))
    height = path.pos[:, 0, 2] - 0.5 * case["input"]["box"][2]
    turned = upright + int(np.argmin(tilt[upright : upright + 100]))
    return {"energy": (height[turned] / height[0] / case["expected"]["energy_ratio"], 1, rel(case))}


def block(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given = case["input"]
    slope = Slope(math.radians(given["theta_deg"]), given["mu"])
    half = np.array([0.1, 0.1, 0.1 / given["b_over_h"]])
    path = flying(
        run(
            [1.0],
            rules,
            backend,
            shape=["box"],
            size=[half],
            pos=[slope.at(0, half[2])],
            quat=[slope.quat],
            mass=[[1.0]],
            friction=given["mu"],
            **slope.static,
        )
    )
    ideal = 0.5 * rigid_forms.incline(slope.angle, given["mu"])
    upright = float(rotated(path.quat[0, 0], (0, 0, 1)) @ slope.normal)
    return {"slides": (slope.way(path.pos[0, 0]) / ideal, 1, 0.05), "upright": (upright, 1, 1e-3)}


# Hinges.


def pendulum(length: float, amplitude: float, times: Any, rules: rigid.Rules, backend: str, g: float) -> Path:
    return flying(
        run(
            times,
            rules,
            backend,
            shape=["sphere"],
            size=[[0.02] * 3],
            pos=[(0, 0, 0)],
            mass=[[1.0]],
            inertia=[[1e-9] * 3],
            joint=["hinge"],
            anchor=[(0, 0, 2)],
            axis=[(0, 1, 0)],
            com=[(0, 0, -length)],
            angle=[[amplitude]],
            gravity=g,
        )
    )


def crossings(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """When values change their sign, between samples."""
    k = np.flatnonzero(values[:-1] * values[1:] < 0)
    return np.asarray(times[k] + (times[k + 1] - times[k]) * values[k] / (values[k] - values[k + 1]))


def large_swing(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    amplitude = math.radians(given["theta0_deg"])
    path = pendulum(given["L"], amplitude, steps(round(2.6 * RATE)), rules, backend, given["g"])
    _, period = crossings(path.end.qvel[0, :, 0, 0], path.times)[:2]
    highest = np.abs(path.end.qpos[0, :, 0, 0]).max()
    return {"T": (period, want["T"], within(case, want["T"])), "amplitude": (highest, amplitude, 0.005 * amplitude)}


def small_steps(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    turns, times = [], []
    for dt in given["dt_list"]:
        own = rigid.Rules(dt=dt, substeps=rules.substeps)
        path = pendulum(given["L"], given["theta0"], dt * np.arange(1, round(1.0 / dt)), own, backend, given["g"])
        times.append(float(crossings(path.end.qvel[0, :, 0, 0], path.times)[0]))
        turns.append(float(path.end.qpos[0, :, 0, 0].min()))
    return {
        "angle": (turns, want["first_turning_angle"], rel(case) * 0.5),
        "t_half": (times, want["t_half"], within(case, want["t_half"])),
    }


def hinged_door(case: Case, times: Any, rules: rigid.Rules, backend: str, **friction: float) -> Path:
    """A leaf of 20 kg and .9 m, whose moment about the hinge is that of the case."""
    given, mass, width = case["input"], 20.0, 0.9
    moment = given["I"] - mass * (width / 2) ** 2
    return flying(
        run(
            times,
            rules,
            backend,
            shape=["box"],
            size=[[width / 2, 0.02, 1.0]],
            pos=[(0, 0, 0)],
            mass=[[mass]],
            inertia=[[moment] * 3],
            joint=["hinge"],
            anchor=[(0, 0, 0)],
            axis=[(0, 0, 1)],
            com=[(width / 2, 0, 1)],
            rate=[[given["omega0"]]],
            damping=[[given["damping"]]],
            **{name: [[value]] for name, value in friction.items()},
        )
    )


def door_viscous(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    want = case["expected"]
    path = hinged_door(case, [2.0, 30.0], rules, backend)
    angle, rate = path.end.qpos[0, :, 0, 0], path.end.qvel[0, :, 0, 0]
    return {
        "omega": (rate[0], want["omega_2s"], rel(case) * want["omega_2s"]),
        "angle": (angle, [want["angle_2s"], want["angle_final"]], rel(case) * want["angle_2s"]),
    }


def door_dry(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    want = case["expected"]
    path = hinged_door(case, steps(6 * RATE), rules, backend, frictionloss=case["input"]["frictionloss"])
    rate = path.end.qvel[0, :, 0, 0]
    stopped = path.times[int(np.argmax(rate < 2e-3))]
    return {
        "t": (stopped, want["t_stop"], rel(case) * want["t_stop"]),
        "angle": (path.end.qpos[0, -1, 0, 0], want["angle_stop"], rel(case) * want["angle_stop"]),
        "comes to rest": (rate[-1], 0, 1e-3),
    }


# Ladders.


def ladder(
    length: float,
    angle: float,
    times: Any,
    rules: rigid.Rules,
    backend: str,
    mass: float,
    g: float = 9.81,
    **friction: Any,
) -> Path:
    """A thin board that leans with its lower edge on the floor and its upper edge on the plane x = 0."""
    thick = 0.002
    up = np.array([-math.cos(angle), 0, math.sin(angle)])
    out = np.array([math.sin(angle), 0, math.cos(angle)])
    return flying(
        run(
            times,
            rules,
            backend,
            shape=["box"],
            size=[[0.5 * length, 0.2, thick]],
            pos=[0.5 * length * np.array([math.cos(angle), 0, math.sin(angle)]) + thick * out],
            quat=[_axes(up, out)],
            mass=[[mass]],
            static_pos=[(-0.1, 0, 3)],
            static_half=[(0.1, 3, 3)],
            gravity=g,
            **friction,
        )
    )


def _axes(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Quaternion of the frame whose first and third axes are given; the second lies along -y or y."""
    # Turning about z by half a turn and then about y keeps z up and points x to -x.
    angle = math.atan2(z[0], z[2])
    a, b = about((0, 1, 0), angle), about((0, 0, 1), math.pi)
    quat = np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])
    np.testing.assert_allclose(rotated(quat, (1, 0, 0)), x, atol=1e-12)
    return quat


def slope_of(path: Path, length: float) -> np.ndarray:
    """Angle of a ladder from the floor at every time (rad)."""
    return np.asarray(np.arcsin(np.clip(rotated(path.quat[:, 0], (1, 0, 0))[:, 2], -1, 1)))


def smooth_wall(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, turned = case["input"], []
    for angle in given["angles_deg"]:
        path = ladder(
            given["L"],
            math.radians(angle),
            [0.05, 1.5],
            rules,
            backend,
            given["m"],
            friction=0.0,
            floor_friction=given["mu_floor"],
            static_friction=given["mu_wall"],
        )
        turned.append(float(np.degrees(-np.diff(slope_of(path, given["L"]))[0])))
    return {"slips": (np.array(turned) > 1.0, [False, True], 0)}


def separation(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    path = ladder(
        given["L"],
        math.radians(given["theta0_deg"]),
        steps(RATE, 0),
        rules,
        backend,
        12.0,
        given["g"],
        pair_friction=given["friction"],
    )
    wall = np.flatnonzero(path.touching[:, 1])[-1]
    angle = np.degrees(slope_of(path, given["L"])[wall])
    return {
        "theta": (angle, want["theta_separation_deg"], case["tolerance"]["deg"]),
        "t": (path.times[wall], want["t_separation"], case["tolerance"]["t"]),
    }


# Stairs, contact, free body, conventions.


def stairs(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given = case["input"]
    count, rise, tread, r = given["steps"], given["rise"], given["run"], given["sphere_r"]
    tops = rise * np.arange(count, 0, -1)
    half = np.stack([np.full(count, tread / 2), np.ones(count), tops / 2], axis=-1)
    pos = np.stack([tread * (np.arange(count) + 0.5), np.zeros(count), tops / 2], axis=-1)
    times = steps(round(given["t"] * RATE), 0)
    path = flying(
        run(
            times,
            rules,
            backend,
            **ball(r, (0.1, 0, tops[0] + r), vel=[(given["v0_x"], 0, 0)], restitution=given["e"]),
            friction=given["mu"],
            floor_friction=given["mu"],
            static_pos=pos,
            static_half=half,
            static_friction=given["mu"],
        )
    )
    least = case["tolerance"]["frac"] * 9.81 * rise
    edges = tread * np.arange(1, count + 1)
    crossed = (path.pos[:-1, 0, 0, None] < edges) & (path.pos[1:, 0, 0, None] >= edges)
    back = (path.pos[:-1, 0, 0, None] >= edges) & (path.pos[1:, 0, 0, None] < edges)
    return {
        "energy rise": (max(np.diff(path.energy).max(), 0), 0, least),
        "final energy": (max(path.energy[-1] - path.energy[0], 0), 0, 0),
        "crossings": (crossed.sum(axis=0), 1, 0),
        "crossings back": (back.sum(axis=0), 0, 0),
    }


def seam(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    r, top = given["sphere_r"], 0.1
    fall = rigid_forms.fall_time(given["drop_height"])
    path = flying(
        run(
            steps(round(fall * (1 + 2 * given["e"]) * RATE)),
            rules,
            backend,
            **ball(r, (given["x_over_seam"], 0, top + r + given["drop_height"]), restitution=given["e"]),
            static_pos=[(-0.5, 0, top / 2), (0.5, 0, top / 2)],
            static_half=[(0.5, 0.5, top / 2)] * 2,
        )
    )
    after = path.times > path.first_touch[1:].min()
    return {
        "vx": (np.abs(path.vel[after, 0, 0]).max(), want["vx_after"], case["tolerance"]["vx"]),
        "apex": (
            (path.pos[after, 0, 2].max() - top - r) / want["apex"],
            1,
            rel(case),
        ),
    }


def overhang(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, limits = case["input"], case["tolerance"]
    base, peg = np.array(given["base_box_half"]), np.array(given["peg_half"])
    path = flying(
        run(
            steps(round(given["t"] * RATE)),
            rules,
            backend,
            shape=["box", "box"],
            size=[base, peg],
            pos=[(0, 0, base[2]), (0, 0, 2 * base[2] + peg[2])],
            mass=[[0.5, 0.2]],
        )
    )
    late = slice(-RATE, None)
    tilt = np.degrees(np.arccos(np.clip(rotated(path.quat[late], (0, 0, 1))[..., 2], -1, 1)))
    return {
        "z": (path.pos[late, :, 2].std(axis=0), 0, limits["z"]),
        "deg": (tilt.std(axis=0), 0, limits["deg"]),
        "lies on it": (path.pos[-1, 1, 2], 2 * base[2] + peg[2], 1e-3),
    }


def overlap(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    """No label is made of it, and what would come out does not explode either."""
    given = case["input"]
    r, gap = given["two_spheres_r"], given["centre_distance"]
    path = run(
        steps(round(given["t"] * RATE)),
        rules,
        backend,
        shape=["sphere", "sphere"],
        size=[[r] * 3] * 2,
        pos=[(0, 0, 9), (gap, 0, 9)],
        mass=[[1.0, 1.0]],
        gravity=given["gravity"],
    )
    assert path.end.status[0] & Status.OVERLAP
    pairs = rigid.pairs(2, 0)
    assert pairs[int(np.argmax(path.end.depth[0]))] == (0, 1)
    return {"depth": (path.end.depth[0].max(), 2 * r - gap, 1e-9)}


def top(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    path = flying(
        run(
            [given["t"]],
            rules,
            backend,
            **ball(0.1, (0, 0, 9), omega=[given["omega0_body"]], inertia=[given["inertia"]]),
            gravity=given["gravity"],
        )
    )
    spin = path.end.qvel[0, 0, 0, 3:]
    return {
        "omega": (spin, want["omega_body"], within(case, want["omega_body"])),
        "L": (np.linalg.norm(spin * given["inertia"]), want["L_norm"], within(case, want["L_norm"])),
    }


def frame(case: Case, rules: rigid.Rules, backend: str) -> dict[str, Any]:
    given, want = case["input"], case["expected"]
    world, state = rigid.make_scene(
        **{name: np.asarray([value], float) for name, value in ball(0.1, (0, 0, 9)).items() if name != "shape"},
        shape=["sphere"],
        quat=[[given["quat_wxyz"]]],
        omega=[[want["omega_world"]]],
    )
    read = rigid.motion(world, state.qpos, state.qvel).omega[0, 0]
    return {
        "local": (state.qvel[0, 0, 3:], given["qvel_ang_local"], case["tolerance"]),
        "world": (read, want["omega_world"], case["tolerance"]),
    }


MEASURES: dict[str, Measure] = {
    "rig-free-fall-time": free_fall,
    "rig-throw-apex": throw,
    "rig-hidden-damping": hidden_damping,
    "rig-bounce-height-n3": bounce_heights,
    "rig-high-drop-elastic": elastic,
    "rig-no-restitution-threshold-2ms": bounce_heights,
    "rig-incline-roll-sphere": roll_down,
    "rig-incline-cylinder-hoop": roll_race,
    "rig-backspin-slide-to-roll": backspin,
    "rig-incline-hold": hold,
    "rig-friction-combine-rule": combine,
    "rig-friction-isotropy": isotropy,
    "rig-tip-angle": tip,
    "rig-rock-energy-ratio": rock,
    "rig-incline-block-slides": block,
    "rig-pendulum-large-amplitude": large_swing,
    "rig-pendulum-small-dt": small_steps,
    "rig-door-viscous": door_viscous,
    "rig-door-viscous-plus-dry": door_dry,
    "rig-ladder-smooth-wall": smooth_wall,
    "rig-ladder-frictionless-separation": separation,
    "rig-stairs-energy-monotone": stairs,
    "rig-bounce-on-tile-seam": seam,
    "rig-overhang-no-jitter": overhang,
    "rig-spawn-overlap-no-launch": overlap,
    "rig-symmetric-top": top,
    "rig-free-joint-angvel-frame": frame,
}
"""Cases of the C back end that are one number or a few; those with `test` in the table are elsewhere."""
