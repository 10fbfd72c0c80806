"""MuJoCo models of rigid scenes: one builder for both back ends and for files.

`mjcf` writes a scene as MJCF; `template` compiles one such scene per signature; a scene of that signature is the
template with the fields of `jaxphys_kernels.rigid.leaves` replaced.

Every pair of `Signature.pairs` is an explicit contact pair with sensors of its own for the C back end: the number of
contacts and the least distance, and the forces of the `FORCES` strongest contacts, whose normal parts it adds. MJX lets
its contacts be read and goes without sensors.
"""

import copy
import functools
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np
from jax.typing import ArrayLike

from jaxphys._rigid_meshes import NOMINAL, set_corners
from jaxphys_kernels.rigid import prism
from jaxphys_kernels.rigid.flat import flatten
from jaxphys_kernels.rigid.leaves import FLOOR_SIZE, SPIN
from jaxphys_kernels.rigid.model import FLOOR, Joint, Rules, Shape, Signature, State, World

FORCES = 8
"""Contacts of a pair whose forces are seen: what C MuJoCo makes of two boxes at most."""

SENSORS = 2 + 3 * FORCES
"""Numbers per pair: contacts, least distance, and the forces."""


def mjcf(signature: Signature, world: World, state: State, rules: Rules) -> str:
    """One scene, exactly of this signature, as MJCF; the keyframe `start` holds its state.

    Args:
        signature: of the scene.
        world: NumPy leaves of the scene.
        state: the scene as it starts.
        rules: of the simulation; drag and the bounce law have no words in MJCF.
    """
    root = ET.Element("mujoco", model="scene")
    option = _add(
        root,
        "option",
        timestep=_text(rules.step),
        gravity=_text((0, 0, -float(world.gravity))),
        integrator="implicitfast",
        # MJX has no elliptic cone for a scene without contacts.
        cone=rules.cone if signature.pairs else "pyramidal",
        impratio=_text(rules.impratio),
        iterations=str(rules.iterations),
        tolerance=_text(rules.tolerance),
    )
    # What goes wrong must be seen; MuJoCo would start the scene again.
    _add(option, "flag", autoreset="disable")
    asset = _add(root, "asset")
    place = _add(root, "worldbody")
    _add(place, "geom", name="floor", type="plane", size=_text(FLOOR_SIZE), **_INERT)
    for k in range(signature.statics):
        _add(
            place,
            "geom",
            name=f"static{k}",
            type="box",
            pos=_text(world.static_pos[k]),
            quat=_text(world.static_quat[k]),
            size=_text(world.static_half[k]),
            **_INERT,
        )
    for i in range(len(signature.shapes)):
        _add_body(place, asset, signature, world, state, i)
    contact, sensor = _add(root, "contact"), _add(root, "sensor")
    for k, (first, second) in enumerate(signature.pairs):
        ends: dict[str, str] = {"geom1": f"body{first}", "geom2": geom_name(second, len(signature.shapes))}
        mu = float(world.pair_friction[k])
        _add(
            contact,
            "pair",
            condim="3",
            friction=_text((mu, mu, *SPIN)),
            solref=_text(rules.solref),
            solimp=_text(rules.solimp),
            **ends,
        )
        _add(sensor, "contact", name=f"touch{k}", data="found dist", reduce="mindist", num="1", **ends)
        _add(sensor, "contact", name=f"force{k}", data="force", reduce="maxforce", num=str(FORCES), **ends)
    qpos, qvel = flatten(signature, np.asarray(state.qpos), np.asarray(state.qvel))
    _add(_add(root, "keyframe"), "key", name="start", qpos=_text(qpos), qvel=_text(qvel))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


_INERT: dict[str, str] = {"contype": "0", "conaffinity": "0"}
"""Nothing touches but by an explicit pair."""

_GEOMS: Mapping[Shape, str] = {
    Shape.SPHERE: "sphere",
    Shape.BOX: "box",
    Shape.PRISM: "mesh",
    Shape.CAPSULE: "capsule",
}


def _add(parent: ET.Element, tag: str, /, **attributes: str) -> ET.Element:
    """A new element inside another."""
    return ET.SubElement(parent, tag, attributes)


def geom_name(partner: int, n: int) -> str:
    """Name of the geom of a partner in a pair of a scene with n bodies."""
    if partner == FLOOR:
        return "floor"
    return f"body{partner}" if partner < n else f"static{partner - n}"


def _text(values: ArrayLike | Sequence[float]) -> str:
    """Numbers as MJCF reads them, without loss."""
    return " ".join(repr(float(value)) for value in np.atleast_1d(np.asarray(values, np.float64)))


def _add_body(place: ET.Element, asset: ET.Element, signature: Signature, world: World, state: State, i: int) -> None:
    """Body number i, with its joint, mass and geom."""
    size, com = np.asarray(world.size[i], np.float64), world.com[i]
    name, shape = f"body{i}", signature.shapes[i]
    if signature.joints[i] is Joint.HINGE:
        body = _add(place, "body", name=name, pos=_text(world.anchor[i]))
        _add(
            body,
            "joint",
            name=name,
            type="hinge",
            axis=_text(world.axis[i]),
            damping=_text(world.damping[i]),
            frictionloss=_text(world.frictionloss[i]),
        )
    else:
        body = _add(place, "body", name=name, pos=_text(state.qpos[i, :3]), quat=_text(state.qpos[i, 3:]))
        _add(body, "freejoint", name=name)
    _add(body, "inertial", pos=_text(com), mass=_text(world.mass[i]), diaginertia=_text(world.inertia[i]))
    geom = _add(body, "geom", name=name, type=_GEOMS[shape], pos=_text(com), **_INERT)
    if shape is Shape.PRISM:
        _add(asset, "mesh", name=name, vertex=_text((prism.UNIT * size).ravel()))
        geom.set("mesh", name)
    else:
        geom.set("size", _text(size[[0, 2]] if shape is Shape.CAPSULE else size[: 1 if shape is Shape.SPHERE else 3]))


def nominal(signature: Signature, dtype: str = "float64") -> tuple[World, State]:
    """A scene of a signature in which nothing is special; NumPy leaves.

    Were a body centred, upright or undamped, the compiler would mark it so, and all scenes would inherit the mark.
    """
    n, s, c = len(signature.shapes), signature.statics, len(signature.pairs)
    leaves: dict[str, Any] = {
        "shape": np.array(signature.shapes, np.int32),
        "joint": np.array(signature.joints, np.int32),
        "size": np.tile(NOMINAL, (n, 1)),
        "mass": np.ones(n),
        "inertia": np.full((n, 3), 0.1),
        "com": np.array([[0.1, 0.2, 0.3] if joint is Joint.HINGE else [0.0] * 3 for joint in signature.joints]),
        "restitution": np.zeros(n),
        "drag_area": np.zeros(n),
        "anchor": np.full((n, 3), 1.0),
        "axis": np.tile([0.6, 0.0, 0.8], (n, 1)),
        "damping": np.ones(n),
        "frictionloss": np.ones(n),
        "static_pos": np.full((s, 3), 1.0),
        "static_quat": np.tile([0.8, 0.36, 0.48, 0.0], (s, 1)),
        "static_half": np.full((s, 3), 0.1),
        "pair_friction": np.full(c, 0.5),
        "gravity": np.float64(9.81),
    }
    start: dict[str, Any] = {
        "time": np.float64(0),
        "qpos": np.array([[0, 0, 1.0 + 2 * i, 1, 0, 0, 0] for i in range(n)], np.float64),
        "qvel": np.zeros((n, 6)),
    }
    kind = np.dtype(dtype)

    def cast(leaves: dict[str, Any]) -> dict[str, Any]:
        return {name: leaf.astype(kind) if leaf.dtype.kind == "f" else leaf for name, leaf in leaves.items()}

    return World(**cast(leaves)), State(**cast(start))


@functools.lru_cache(maxsize=64)
def template(signature: Signature, rules: Rules) -> Any:
    """A compiled model (`mujoco.MjModel`) of a nominal scene of the signature; not to be changed."""
    n, c = len(signature.shapes), len(signature.pairs)
    world, state = nominal(signature)
    model = mujoco.MjModel.from_xml_string(mjcf(signature, world, state, rules))
    if (model.nq, model.nv, model.npair) != (signature.nq, signature.nv, c):
        raise RuntimeError(f"the model of {signature} has other sizes than its signature")
    for k, (first, second) in enumerate(signature.pairs):
        ends = {model.geom(int(model.pair_geom1[k])).name, model.geom(int(model.pair_geom2[k])).name}
        if ends != {f"body{first}", geom_name(second, n)}:
            raise RuntimeError(
                f"pair {k} of {signature} is {sorted(ends)} in the model; the order of pairs has changed"
            )
    return model


def scene_models(signature: Signature, rules: Rules, fields: Mapping[str, np.ndarray], size: np.ndarray) -> list[Any]:
    """Compiled models of b scenes: copies of the template with their own fields.

    Args:
        signature: of all of them.
        rules: of the simulation.
        fields: of `leaves`, leading with b.
        size: (b, n, 3) of the bodies; the corners of prisms follow from it.
    """
    base = template(signature, rules)
    models = []
    for k in range(len(size)):
        model = copy.copy(base)
        for name, value in fields.items():
            part, _, field = name.rpartition(".")
            target = getattr(model, part) if part else model
            if np.ndim(getattr(target, field)):
                getattr(target, field)[:] = value[k]
            else:
                setattr(target, field, value[k])
        set_corners(model, signature, size[k])
        models.append(model)
    return models
