"""The environment on MJX: a tick is pure JAX, for accelerators and for what must be differentiated or compiled whole.

Scenes must have models of one form: the leaves in which they differ are stacked, and a lane picks its own. Public:
`PhysicsMjx`.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys._rigid_device import lenient, warn_once
from jaxphys_benchmarks.reacthuman.env.bank import ROBOT_NQ, ROBOT_NV, Bank
from jaxphys_benchmarks.reacthuman.env.body import Body, Touch, packed
from jaxphys_benchmarks.reacthuman.env.physics_c import ARMS, HAND, HAZARD, NOTHING, OTHER
from jaxphys_benchmarks.reacthuman.execution.config import STEPS_PER_TICK
from jaxphys_benchmarks.reacthuman.execution.model import PARTS, Shared
from jaxphys_kernels.humanoid.arrays import Array


class PhysicsMjx:
    """See the module.

    Attributes:
        name: "mjx".
    """

    name = "mjx"

    def __init__(self, bank: Bank, robot: Any) -> None:
        """Put the scenes of a bank on the device.

        Args:
            bank: scenes and models. robot: `jaxphys.humanoid.robot.Robot`, for its ids.

        Raises:
            ValueError: the scenes' models are not of one form.
        """
        from mujoco import mjx

        from jaxphys_benchmarks.reacthuman.execution.mjx_lanes import put

        warn_once()
        first = bank.shared[0]
        with lenient():
            models = [put(one.model) for one in bank.shared]
            self._room = mjx.make_data(first.model)
        self._form, self._same, self._own = _stacked(models, [spec.id for spec in bank.specs])
        self._robot, self._step = robot, mjx.step
        self._kind = jnp.asarray(_kinds(first))
        self._substeps = first.rules.substeps
        self._held = tuple(jnp.asarray(leaf) for leaf in (bank.facts.qpos, bank.facts.qvel, bank.facts.wait))

    def advance(self, scene: Array, body: Body, control: Array) -> tuple[Body, Touch]:
        """One tick of all lanes; see `Physics`."""
        shape = scene.shape
        lanes = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[len(shape) :]), (scene, body, control))
        moved = jax.vmap(self._one)(*lanes)
        found: tuple[Body, Touch] = jax.tree.map(lambda leaf: leaf.reshape(*shape, *leaf.shape[1:]), moved)
        return found

    def _one(self, scene: Array, body: Body, control: Array) -> tuple[Body, Touch]:
        leaves = [own[scene] if same is None else same for same, own in zip(self._same, self._own, strict=True)]
        model = jax.tree.unflatten(self._form, leaves)
        qpos, qvel, wait = (leaf[scene] for leaf in self._held)
        data = self._room.replace(qpos=body.qpos, qvel=body.qvel, qacc_warmstart=body.warm, ctrl=control)

        def inner(data: Any, _: None) -> tuple[Any, Array]:
            with lenient():
                data = self._step(model, data)
            contact = data._impl.contact
            both = self._kind[jnp.asarray(contact.geom)].sum(axis=1)
            return data, jnp.where(contact.dist < 0, both, NOTHING)

        def outer(data: Any, step: Array) -> tuple[Any, Array]:
            held, goes = step <= wait, step == wait
            hazard_qpos = jnp.where(held, qpos, data.qpos[ROBOT_NQ:])
            hazard_qvel = jnp.where(held, jnp.where(goes, qvel, jnp.zeros_like(qvel)), data.qvel[ROBOT_NV:])
            data = data.replace(
                qpos=data.qpos.at[ROBOT_NQ:].set(hazard_qpos), qvel=data.qvel.at[ROBOT_NV:].set(hazard_qvel)
            )
            return jax.lax.scan(inner, data, None, length=self._substeps)

        data, both = jax.lax.scan(outer, data, body.step + jnp.arange(STEPS_PER_TICK, dtype=jnp.int32))
        robot = self._robot
        late = packed(
            data.xpos[robot.torso],
            data.xmat[robot.torso].reshape(9),
            data.site_xpos[jnp.asarray(robot.palms)].reshape(6),
            data.subtree_com[robot.pelvis],
            data.qfrc_bias[ARMS],
        )
        moved = Body(
            qpos=data.qpos, qvel=data.qvel, warm=data.qacc_warmstart, late=late, step=body.step + STEPS_PER_TICK
        )
        return moved, Touch(hand=jnp.any(both == HAZARD + HAND), other=jnp.any(both == HAZARD + OTHER))


def _kinds(one: Shared) -> np.ndarray:
    """(geoms,) what each geom is."""
    kind = np.full(one.model.ngeom, NOTHING, np.int32)
    kind[list(one.things)] = HAZARD
    for part, geom in zip(PARTS, one.parts, strict=True):
        kind[geom] = HAND if part.endswith("hand") else OTHER
    return kind


def _stacked(models: list[Any], names: list[str]) -> tuple[Any, list[Any], list[Any]]:
    """The form of the models, the leaves that all share (else None), and those they differ in (else None)."""
    forms: list[Any] = [jax.tree.structure(model) for model in models]
    shapes = [[np.shape(leaf) for leaf in jax.tree.leaves(model)] for model in models]
    for k in range(1, len(models)):
        if forms[k] != forms[0] or shapes[k] != shapes[0]:
            raise ValueError(
                f"backend: mjx takes scenes of one form, but {names[k]} has other shapes or furniture than {names[0]};"
                " narrow families or shapes, or take backend = c"
            )
    same, own = [], []
    for leaves in zip(*(jax.tree.leaves(model) for model in models), strict=True):
        equal = all(np.array_equal(leaf, leaves[0]) for leaf in leaves[1:])
        same.append(leaves[0] if equal else None)
        own.append(None if equal else jnp.stack([jnp.asarray(leaf) for leaf in leaves]))
    return forms[0], same, own
