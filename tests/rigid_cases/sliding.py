"""Rolling, sliding and sticking."""

import math
from typing import Any

import numpy as np

from jaxphys import rigid
from tests.oracle import rigid_forms
from tests.rigid_cases.common import Case, ball, block_on, flying, rel, within
from tests.rigid_support import RATE, Slope, about, run, steps


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
    path = block_on(slope, half, given["mu"], steps(round(given["t"] * RATE)), rules, backend)
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
            path = block_on(slope, [0.1, 0.1, 0.05], given["mu_a"], [1.0], rules, backend)
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
