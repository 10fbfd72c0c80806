"""Records scenes with Genesis, in its own environment: `.venv-genesis/bin/python tests/reference/genesis_record.py`.

Reads `genesis/scenes.json` and writes `genesis/recordings.npz`, both beside this file: Genesis on its CPU back end in
float64, in the configuration under which it is comparable (reference engines document, section 7.1; `SETTINGS`).
Imports nothing of the project; all it knows of a scene is the JSON of `jaxphys_benchmarks.reacthuman.scene.Scene`.

The archive holds, for each scene NAME of n bodies and s static boxes, SI units and the world frame:

    NAME/step      (t,) int32     recorded steps k; the state is that after step k, at (k + 1)/240 s after the launch
    NAME/pos       (t, n, 3)      centres of the bodies
    NAME/quat      (t, n, 4)      w, x, y, z; for a hinged body the rotation from its attitude at angle zero
    NAME/angle     (t, n)         of a hinged body (rad); NaN for a free one
    NAME/touch     (u, n, 1 + s + n) bool  whether body i touched the floor, a static box or a body, after every step

and `about`, a JSON text with versions, platform and settings. First use compiles for a minute or more.
"""

import hashlib
import importlib.metadata
import json
import platform
import tempfile
from pathlib import Path
from typing import Any

import genesis as gs
import numpy as np

HERE = Path(__file__).with_name("genesis")
HERTZ, SUBSTEPS = 240, 4
DENSE, THIN = 1.0, 12  # every step is kept for so long (s), then one in so many
SETTINGS = {
    "constraint_timeconst": 0.01,
    "iterations": 50,
    "tolerance": 1e-10,
    "ls_iterations": 50,
    "box_box_detection": True,
}
"""Beside Genesis' defaults: Newton, pyramidal cone, approximate_implicitfast. Its tolerance is 1e-8 by default."""

SIDES = 12
PACKAGES = ("genesis-world", "torch", "quadrants", "numpy")


def rotate(quat: Any, vector: Any) -> np.ndarray:
    """A vector in the world frame, from the frame of a body."""
    w, u, v = quat[0], np.array(quat[1:]), np.array(vector)
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def inertia(thing: dict[str, Any]) -> np.ndarray:
    """Principal moments of the uniform solid; a prism's are those of its cylinder."""
    (a, b, c), mass = thing["size"], thing["mass"]
    if thing["shape"] == "sphere":
        return np.full(3, 0.4 * mass * a * a)
    if thing["shape"] == "box":
        return mass / 3 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    if thing["shape"] == "prism":
        return mass * np.array([a * a / 4 + c * c / 3, a * a / 4 + c * c / 3, a * a / 2])
    tube, ball = 2 * c * a * a, 4 / 3 * a**3  # a capsule: volumes over pi
    tube, ball = mass * np.array([tube, ball]) / (tube + ball)
    along = tube * a * a / 2 + ball * 0.4 * a * a
    across = tube * (a * a / 4 + c * c / 3) + ball * (0.4 * a * a + c * c + 0.75 * a * c)
    return np.array([across, across, along])


def density(thing: dict[str, Any]) -> float | None:
    """Of a sphere or box (kg/m³), for Genesis to find its mass by; other bodies state their mass."""
    a, b, c = thing["size"]
    volume = {"sphere": 4 / 3 * np.pi * a**3, "box": 8 * a * b * c}.get(thing["shape"])
    return thing["mass"] / volume if volume else None


def prism(size: list[float], folder: Path, name: str) -> str:
    """The path of a mesh of the 12-sided prism of a cylinder: base of equal area, flat sides towards ±x and ±y."""
    turn = (np.arange(SIDES) + 0.5) * (2 * np.pi / SIDES)
    radius = size[0] * np.sqrt(2 * np.pi / (SIDES * np.sin(2 * np.pi / SIDES)))
    rows = [
        f"v {radius * np.cos(t):.17g} {radius * np.sin(t):.17g} {z:.17g}" for z in (-size[2], size[2]) for t in turn
    ]
    for k in range(SIDES):
        low, high, next_low, next_high = (k + 1, k + 1 + SIDES, (k + 1) % SIDES + 1, (k + 1) % SIDES + 1 + SIDES)
        rows += [f"f {low} {next_low} {next_high}", f"f {low} {next_high} {high}"]
    rows += [f"f 1 {k + 1} {k}" for k in range(2, SIDES)]
    rows += [f"f {SIDES + 1} {SIDES + k} {SIDES + k + 1}" for k in range(2, SIDES)]
    path = folder / f"{name}.obj"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def mjcf(thing: dict[str, Any], folder: Path) -> str:
    """The path of a model of a body that Genesis has no primitive for: a prism, a capsule, or one on a hinge."""
    (a, _, c), hinge = thing["size"], thing.get("hinge")
    numbers = " ".join(repr(float(x)) for x in inertia(thing))
    com = " ".join(map(repr, hinge["com"])) if hinge else "0 0 0"
    start = " ".join(map(repr, hinge["anchor"] if hinge else thing["pos"]))
    joint, asset = "<freejoint/>", ""
    form = f'type="capsule" size="{a!r} {c!r}"'
    if thing["shape"] == "prism":
        asset = f'<asset><mesh name="prism" file="{prism(thing["size"], folder, thing["name"])}"/></asset>'
        form = 'type="mesh" mesh="prism"'
    geom = f'<geom {form} solref=".01 1" friction="{thing["friction"]!r} .005 .0001"/>'
    if hinge:
        axis = " ".join(map(repr, hinge["axis"]))
        joint = f'<joint type="hinge" pos="0 0 0" axis="{axis}" damping="{hinge["damping"]!r}"/>'
        geom = f'<geom type="sphere" size=".01" pos="{com}" contype="0" conaffinity="0"/>'
    path = folder / f"{thing['name']}.xml"
    quat = " ".join(map(repr, [1.0, 0.0, 0.0, 0.0] if hinge else thing["quat"]))
    path.write_text(
        f'<mujoco>{asset}<worldbody><body name="{thing["name"]}" pos="{start}" quat="{quat}">{joint}'
        f'<inertial pos="{com}" mass="{thing["mass"]!r}" diaginertia="{numbers}"/>{geom}</body></worldbody></mujoco>'
    )
    return str(path)


def morph(thing: dict[str, Any], folder: Path) -> Any:
    """The body in Genesis' terms. Its boxes are given by full extents."""
    size, place = thing["size"], {"pos": tuple(thing["pos"]), "quat": tuple(thing["quat"])}
    if thing.get("hinge") or thing["shape"] in ("prism", "capsule"):
        return gs.morphs.MJCF(file=mjcf(thing, folder), default_armature=None, decimate=False)
    if thing["shape"] == "sphere":
        return gs.morphs.Sphere(radius=size[0], **place)
    return gs.morphs.Box(size=tuple(2 * x for x in size), **place)


def build(scene: dict[str, Any], folder: Path, settings: dict[str, Any]) -> tuple[Any, list[Any], list[int]]:
    """The Genesis scene, its bodies, and the links of what they may touch: floor, static boxes, bodies."""
    world = gs.Scene(
        sim_options=gs.options.SimOptions(dt=1 / (HERTZ * SUBSTEPS), substeps=1, gravity=(0, 0, -scene["g"])),
        rigid_options=gs.options.RigidOptions(**settings),
        show_viewer=False,
    )
    material = gs.materials.Rigid
    floor = world.add_entity(gs.morphs.Plane(), material=material(friction=max(scene["floor_friction"], 0.01)))
    statics = [
        world.add_entity(
            gs.morphs.Box(
                size=tuple(2 * x for x in box["half"]), pos=tuple(box["pos"]), quat=tuple(box["quat"]), fixed=True
            ),
            material=material(friction=max(box["friction"], 0.01)),
        )
        for box in scene["boxes"]
    ]
    bodies = [
        world.add_entity(
            morph(thing, folder), material=material(rho=density(thing), friction=max(thing["friction"], 0.01))
        )
        for thing in scene["things"]
    ]
    world.build()
    for thing, body in zip(scene["things"], bodies, strict=True):
        check_mass(thing, body)
    return world, bodies, [entity.links[-1].idx for entity in (floor, *statics, *bodies)]


def check_mass(thing: dict[str, Any], body: Any) -> None:
    """See that a body has the mass and the inertia that it should."""
    np.testing.assert_allclose(body.get_links_mass().numpy()[-1], thing["mass"], rtol=1e-12)
    np.testing.assert_allclose(body.get_links_inertia().numpy()[-1], np.diag(inertia(thing)), rtol=1e-9, atol=1e-12)


def launch(thing: dict[str, Any], body: Any) -> None:
    """Give a body its velocity. A free body's angular velocity is in its own frame, as in MuJoCo."""
    hinge = thing.get("hinge")
    if hinge:
        body.set_dofs_position(np.array([hinge["angle"]]))
        body.set_dofs_velocity(np.array([hinge["rate"]]))
        return
    quat = body.get_quat().numpy()
    spin = rotate(quat * [1, -1, -1, -1], thing["omega"])
    body.set_dofs_velocity(np.concatenate([thing["vel"], spin]))
    np.testing.assert_allclose(body.get_ang().numpy(), thing["omega"], atol=1e-9)


def touching(world: Any, links: list[int], n: int) -> np.ndarray:
    """(n, 1 + s + n): what each body touches."""
    contacts = world.rigid_solver.collider.get_contacts(as_tensor=False, to_torch=False)
    out = np.zeros((n, len(links)), bool)
    first = len(links) - n
    for a, b in zip(contacts["link_a"], contacts["link_b"], strict=True):
        i, j = links.index(int(a)), links.index(int(b))
        for body, other in ((i, j), (j, i)):
            if body >= first:
                out[body - first, other] = True
    return out


def pose(thing: dict[str, Any], body: Any) -> tuple[np.ndarray, np.ndarray, float]:
    """Centre, attitude and hinge angle of a body."""
    hinge = thing.get("hinge")
    if not hinge:
        return body.get_pos().numpy(), body.get_quat().numpy(), np.nan
    quat = body.links[-1].get_quat().numpy()
    return np.array(hinge["anchor"]) + rotate(quat, hinge["com"]), quat, float(body.get_dofs_position()[0])


def record(scene: dict[str, Any], horizon: float, settings: dict[str, Any]) -> dict[str, np.ndarray]:
    """The arrays of one scene."""
    with tempfile.TemporaryDirectory() as folder:
        world, bodies, links = build(scene, Path(folder), settings)
    things = scene["things"]
    for _ in range(round(scene["hold"] * HERTZ) * SUBSTEPS):
        world.step()
    for thing, body in zip(things, bodies, strict=True):
        launch(thing, body)
    steps, poses, touch = [], [], []
    for k in range(round(horizon * HERTZ)):
        touch.append(np.zeros((len(bodies), len(links)), bool))
        for _ in range(SUBSTEPS):
            world.step()
            touch[-1] |= touching(world, links, len(bodies))
        if k < DENSE * HERTZ or (k + 1) % THIN == 0:
            steps.append(k)
            poses.append([pose(thing, body) for thing, body in zip(things, bodies, strict=True)])
    pos, quat, angle = (np.array([[one[i] for one in row] for row in poses]) for i in range(3))
    return {"step": np.array(steps, np.int32), "pos": pos, "quat": quat, "angle": angle, "touch": np.array(touch)}


def about(text: str) -> dict[str, Any]:
    """Versions, platform and settings, and the digest of the file of scenes."""
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    machine = {"system": platform.system(), "machine": platform.machine(), "python": platform.python_version()}
    return {
        "versions": versions,
        "platform": machine,
        "backend": "cpu",
        "precision": "64",
        "hertz": HERTZ,
        "substeps": SUBSTEPS,
        "settings": SETTINGS,
        "scenes": hashlib.sha256(text.encode()).hexdigest(),
    }


def main() -> None:
    gs.init(backend=gs.cpu, precision="64", logging_level="error")
    text = (HERE / "scenes.json").read_text()
    entries = json.loads(text)
    arrays: dict[str, np.ndarray] = {"about": np.array(json.dumps(about(text)))}
    for name, entry in entries.items():
        integrator = getattr(gs.integrator, entry.get("integrator", "approximate_implicitfast"))
        recorded = record(entry["scene"], entry["horizon"], {**SETTINGS, "integrator": integrator})
        arrays |= {f"{name}/{key}": value for key, value in recorded.items()}
        print(name, recorded["pos"][-1].round(4).tolist(), flush=True)
    path = HERE / "recordings.npz"
    np.savez_compressed(path, **arrays)
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
