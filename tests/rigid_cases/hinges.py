"""Pendulums and doors."""

import math
from typing import Any

import numpy as np

from jaxphys import rigid
from tests.rigid_cases.common import Case, flying, rel, within
from tests.rigid_support import RATE, Path, run, steps


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
