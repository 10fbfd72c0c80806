"""The result of one planar scene as JSON, for `jaxphys simulate planar`.

    {"kind": "planar_result", "units": "SI", "t": 3.0,
     "bodies": [{"pos", "vel", "yaw", "spin", "roll", "look"}, ...],
     "events": [{"t", "kind", "ids", "pos", ...; of a contact also "normal", "point", "v_before", "v_after", "w_before",
                 "w_after", "look_before", "look_after", "through"}, ...],
     "status": 0, "why": [], "frames": [{"t", "bodies"}, ...], "backend", "made_with"}

`look` is the body whose appearance a body has. A number that is not finite becomes null.
"""

from typing import Any

import numpy as np

from jaxphys import planar
from jaxphys_adapters.environment import made_with
from jaxphys_kernels.status import describe

_OF_CONTACT = {
    "normal": "normal", "point": "point", "v_before": "vel_before", "v_after": "vel_after", "w_before": "spin_before",
    "w_after": "spin_after", "look_before": "look_before", "look_after": "look_after", "through": "through",
}  # fmt: skip
"""Fields of a contact by their name in the file."""

_OF_BODY = ("pos", "vel", "yaw", "spin", "roll", "look")


def describe_planar(trajectory: planar.Trajectory, backend: str) -> dict[str, Any]:
    """The result of a batch of one scene, ready for JSON."""
    times = np.asarray(trajectory.times).reshape(-1)
    leaves = {name: np.asarray(getattr(trajectory.path, name))[0] for name in _OF_BODY}
    frames = [
        {
            "t": float(t),
            "bodies": [
                {name: plain(leaf[k, body]) for name, leaf in leaves.items()} for body in range(leaves["pos"].shape[1])
            ],
        }
        for k, t in enumerate(times)
    ]
    status = int(np.asarray(trajectory.status)[0])
    return {
        "kind": "planar_result",
        "units": "SI",
        "t": float(times[-1]),
        "bodies": frames[-1]["bodies"],
        "events": _events(trajectory.events),
        "status": status,
        "why": describe(status),
        "frames": frames,
        "backend": backend,
        "made_with": made_with(),
    }


def _events(events: planar.Events) -> list[dict[str, Any]]:
    """The log of a batch of one scene, in order."""
    kinds, bodies = np.asarray(events.kind)[0], np.asarray(events.bodies)[0]
    listed = []
    for k in range(min(int(np.asarray(events.count)[0]), len(kinds))):
        kind = planar.Kind(int(kinds[k]))
        ids = [int(body) for body in bodies[k] if body >= 0]
        entry: dict[str, Any] = {
            "t": float(np.asarray(events.time)[0, k]),
            "kind": kind.name.lower(),
            "ids": ids,
            "pos": plain(np.asarray(events.pos)[0, k, : len(ids)]),
        }
        if kind is planar.Kind.CONTACT:
            entry |= {name: plain(np.asarray(getattr(events, leaf))[0, k]) for name, leaf in _OF_CONTACT.items()}
        listed.append(entry)
    return listed


def plain(values: np.ndarray) -> Any:
    """Numbers as they go into JSON: nested lists, null for what is not finite, and no -0.0."""
    if values.dtype.kind != "f":
        return values.tolist()
    if values.ndim:
        return [plain(value) for value in values]
    return float(values) + 0.0 if np.isfinite(values) else None
