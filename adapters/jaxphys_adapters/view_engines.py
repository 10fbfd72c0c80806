"""Scene files of `jaxphys simulate` as replays: `billiards_scene`, `planar_scene` and `rigid_scene`.

Bodies have plain colours in the order of the file; what nothing moves is grey. Public: `KINDS`, `engine_replay`.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from jaxphys import billiards, planar
from jaxphys_adapters.planar_file import read_planar_file
from jaxphys_adapters.scene_file import read_scene_file
from jaxphys_benchmarks.replay import FPS, Replay, frame_times
from jaxphys_benchmarks.stage import Camera, Form, Look, Solid, Stage, Vector
from jaxphys_benchmarks.stage_table import ball_name, table_stage
from jaxphys_kernels.rigid.model import Shape
from jaxphys_kernels.status import describe

COLOURS = (
    Look("#d1432f"), Look("#2e5e8c"), Look("#e0a526"), Look("#1f8a4c"), Look("#6d4fa3"), Look("#56a3d9"),
    Look("#e07a2c"), Look("#8c2f39"),
)  # fmt: skip
STILL = Look("#b9b3a7")
FLOOR = "#d5d2cb"
FOV_DEG = 40.0
FROM = (0.35, -1.0, 0.55)
"""Direction from the scene to the camera."""
SIZE_PX = (1280, 720)

Floats = NDArray[np.float64]


def engine_replay(path: Path, kind: str, *, fps: float = FPS) -> Replay:
    """The replay of a scene file.

    Args:
        path: of the file. kind: its `kind`, one of `KINDS`. fps: frames per second, at about which it is shown.

    Raises:
        ValueError: the file cannot be read, or the scene is faulty.
    """
    return KINDS[kind](path, fps)


def _billiards(path: Path, fps: float) -> Replay:
    world, state, t_end = read_scene_file(path)
    stage, status = table_stage(world, state, t_end, billiards.Rules(max_events=1024), fps)
    n = np.asarray(world.radius).shape[-1]
    facts = {"balls": str(n), "friction": f"{float(np.asarray(world.mu).reshape(-1)[0]):g}"}
    tags = {ball_name(k): str(k) for k in range(n)}
    return Replay(stage, {"table": stage.camera}, facts | _faults(status), tags)


def _planar(path: Path, fps: float) -> Replay:
    world, state, t_end = read_planar_file(path)
    start = float(np.asarray(state.time).reshape(-1)[0])
    times = frame_times(start, t_end, fps)
    planar.validate(world, state, times)
    # A scene for each frame, so that the program compiled for one asked time serves films of any length.
    worlds, states = (_repeated(tree, len(times)) for tree in (world, state))
    ran = planar.rollout(worlds, states, times[:, None], rules=planar.Rules(max_events=64))
    across = np.asarray(world.half)[0] + np.asarray(world.rounding)[0][:, None]
    # Bodies are as high as they are wide.
    half = np.concatenate([across, across.min(axis=1, keepdims=True)], axis=1)
    pos, yaw, look = (np.asarray(getattr(ran.path, name))[:, 0] for name in ("pos", "yaw", "look"))
    heights = np.broadcast_to(half[:, 2], pos.shape[:2])[..., None]
    zero = np.zeros_like(yaw)
    shapes = [_FLAT[planar.Shape(int(shape))] for shape in np.asarray(world.shape)[0]]
    stage = _stage(
        [Solid(f"body {k}", form, _vector(half[k])) for k, form in enumerate(shapes)],
        times,
        np.concatenate([pos, heights], axis=-1),
        np.stack([np.cos(yaw / 2), zero, zero, np.sin(yaw / 2)], axis=-1),
        np.where(np.isinf(np.asarray(world.mass)[0])[look], -1, look),
        fps,
    )
    status = int(np.asarray(ran.status)[-1])
    facts = {"bodies": str(len(shapes)), "ends at": f"{t_end:g} s"}
    return Replay(stage, {"scene": stage.camera}, facts | _faults(status))


def _repeated(tree: Any, times: int) -> Any:
    """A batch of one scene that many times."""
    return jax.tree.map(lambda leaf: np.repeat(np.asarray(leaf), times, axis=0), tree)


def _rigid(path: Path, fps: float) -> Replay:
    # Imported only here: MuJoCo comes with an extra.
    from jaxphys import rigid
    from jaxphys_adapters.rigid_file import read_rigid_file

    scene = read_rigid_file(path)
    world, state, step = scene.world, scene.state, scene.rules.dt
    start = float(np.asarray(state.time).reshape(-1)[0])
    frame_times(start, scene.t_end, fps)
    stride = max(1, round(1 / (fps * step)))
    steps = np.arange(stride, round((scene.t_end - start) / step) + 1, stride)
    times = start + steps * step
    ran = rigid.rollout(world, state, times, rules=scene.rules)
    q = [
        np.concatenate([np.asarray(first)[:, None], np.asarray(later)], axis=1)
        for first, later in ((state.qpos, ran.qpos), (state.qvel, ran.qvel))
    ]
    moved = rigid.motion(world, q[0], q[1])
    still = [np.asarray(getattr(world, f"static_{name}"))[0] for name in ("pos", "quat", "half")]
    sizes = np.asarray(world.size)[0]
    solids = [_solid(k, Shape(int(shape)), sizes[k]) for k, shape in enumerate(np.asarray(world.shape)[0])]
    solids += [Solid(f"static {k}", "box", _vector(half)) for k, half in enumerate(still[2])]
    f, n = len(times) + 1, len(sizes)
    places, turns = (
        np.concatenate([np.asarray(bodies)[0], np.broadcast_to(around, (f, *around.shape))], axis=1)
        for bodies, around in ((moved.pos, still[0]), (moved.quat, still[1]))
    )
    look = np.tile([*range(n), *([-1] * len(still[2]))], (f, 1))
    stage = _stage(solids, np.concatenate([[start], times]), places, turns, look, 1 / (stride * step))
    status = int(np.asarray(ran.status)[0])
    facts = {"bodies": str(n), "statics": str(len(still[2])), "ends at": f"{scene.t_end:g} s"}
    return Replay(stage, {"scene": stage.camera}, facts | _faults(status))


def _solid(k: int, shape: Shape, size: Floats) -> Solid:
    x, y, z = _vector(size)
    # The length of a capsule of the core is that between its round ends.
    half = (x, y, z + x) if shape is Shape.CAPSULE else (x, y, z)
    return Solid(f"body {k}", _ROUND[shape], half)


def _stage(solids: Sequence[Solid], times: Floats, pos: Floats, quat: Floats, look: Any, fps: float) -> Stage:
    """A stage of plain bodies; `look` (f, n) is whose colour each has, -1 for what nothing moves."""
    colours = np.where(np.asarray(look) < 0, len(COLOURS), np.asarray(look) % len(COLOURS))
    return Stage(
        width_px=SIZE_PX[0],
        height_px=SIZE_PX[1],
        camera=_camera(solids, pos),
        solids=tuple(solids),
        times=times,
        pos=pos,
        quat=quat,
        looks=(*COLOURS, STILL),
        look=colours,
        fps=fps,
        floor=FLOOR,
    )


def _camera(solids: Sequence[Solid], pos: Floats) -> Camera:
    """From the south and above, with everything in the picture from start to end."""
    reach = np.array([np.linalg.norm(solid.half) for solid in solids])[:, None]
    low, high = (pos - reach).min(axis=(0, 1)), (pos + reach).max(axis=(0, 1))
    middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    unit = np.array(FROM) / np.linalg.norm(FROM)
    return Camera(_vector(middle + radius / np.sin(np.radians(FOV_DEG) / 2) * unit), _vector(middle), FOV_DEG)


def _vector(values: Any) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _faults(status: int) -> dict[str, str]:
    """Why there is no valid result, if so."""
    return {"no valid result": "; ".join(describe(status))} if status else {}


_ROUND: Mapping[Shape, Form] = {
    Shape.SPHERE: "sphere",
    Shape.BOX: "box",
    Shape.PRISM: "cylinder",
    Shape.CAPSULE: "capsule",
}

_FLAT: Mapping[planar.Shape, Form] = {
    planar.Shape.SPHERE: "sphere",
    planar.Shape.CYLINDER: "cylinder",
    planar.Shape.CUBE: "box",
}

KINDS: Mapping[str, Callable[[Path, float], Replay]] = {
    "billiards_scene": _billiards,
    "planar_scene": _planar,
    "rigid_scene": _rigid,
}
"""By the `kind` that a file says."""
