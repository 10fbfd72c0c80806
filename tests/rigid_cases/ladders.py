"""Ladders that slip on smooth and rough ground."""

import math
from typing import Any

import numpy as np

from jaxphys import rigid
from tests.rigid_cases.common import Case, flying
from tests.rigid_support import RATE, Path, about, rotated, run, steps


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
