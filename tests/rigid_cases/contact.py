"""Stairs, seams, overhangs, overlaps, tops and frames."""

from typing import Any

import numpy as np

from jaxphys import rigid
from jaxphys_kernels.status import Status
from tests.oracle import rigid_forms
from tests.rigid_cases.common import Case, ball, flying, rel, within
from tests.rigid_support import RATE, rotated, run, steps


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
