"""The result of `jaxphys simulate rigid` as JSON:

    {"kind": "rigid_result", "units": "SI", "t": 2.0,
     "bodies": [{"pos": [x, y, z], "quat": [w, x, y, z], "vel": [...], "omega": [...]}, ...],
     "contacts": [{"bodies": [0, "floor"], "t": 0.44, "depth": 0.0004}, {"bodies": [0, "static 1"], ...}, ...],
     "energy": {"kinetic": 0.1, "potential": 2.3}, "status": 0, "why": [], "frames": [{"t", "bodies", "touching"}, ...],
     "backend", "made_with"}

`contacts` lists the pairs that touched, the first to touch first; their time is at the resolution of the inner step.
Positions are those of the centres; velocities those of the world frame. `touching` of a frame are the pairs that
touched since the frame before.
"""

from typing import Any

import numpy as np

from jaxphys import rigid
from jaxphys_adapters.environment import made_with
from jaxphys_adapters.planar_result import plain
from jaxphys_kernels.rigid.model import FLOOR, pairs
from jaxphys_kernels.status import describe

_OF_BODY = ("pos", "quat", "vel", "omega")


def describe_rigid(world: rigid.World, trajectory: rigid.Trajectory, backend: str) -> dict[str, Any]:
    """The result of a batch of one scene, ready for JSON."""
    times = np.asarray(trajectory.times).reshape(-1)
    touching = np.asarray(trajectory.touching)[0]
    qpos, qvel = np.asarray(trajectory.qpos), np.asarray(trajectory.qvel)
    moving = rigid.motion(world, qpos, qvel)
    leaves = {name: np.asarray(getattr(moving, name))[0] for name in _OF_BODY}
    n, s = qpos.shape[-2], np.asarray(world.static_half).shape[-2]
    names = [_named(pair, n) for pair in pairs(n, s)]
    frames = [
        {
            "t": float(t),
            "bodies": [{name: plain(leaf[k, i]) for name, leaf in leaves.items()} for i in range(n)],
            "touching": [names[c] for c in np.flatnonzero(touching[k])],
        }
        for k, t in enumerate(times)
    ]
    status = int(np.asarray(trajectory.status)[0])
    end = rigid.energy(world, qpos[:, -1], qvel[:, -1])
    return {
        "kind": "rigid_result",
        "units": "SI",
        "t": float(times[-1]),
        "bodies": frames[-1]["bodies"],
        "contacts": _contacts(trajectory, names),
        "energy": {name: plain(np.asarray(getattr(end, name))[0]) for name in ("kinetic", "potential")},
        "status": status,
        "why": describe(status),
        "frames": frames,
        "backend": backend,
        "made_with": made_with(),
    }


def _named(pair: tuple[int, int], n: int) -> list[int | str]:
    """A pair as people read it: body and body, "floor" or "static k"."""
    body, other = pair
    return [body, "floor" if other == FLOOR else other if other < n else f"static {other - n}"]


def _contacts(trajectory: rigid.Trajectory, names: list[list[int | str]]) -> list[dict[str, Any]]:
    first, depth = np.asarray(trajectory.first_touch)[0], np.asarray(trajectory.depth)[0]
    order = np.argsort(first, kind="stable")
    return [
        {"bodies": names[c], "t": float(first[c]), "depth": plain(depth[c])} for c in order if np.isfinite(first[c])
    ]
