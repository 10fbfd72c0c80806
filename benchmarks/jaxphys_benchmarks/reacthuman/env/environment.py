"""`Environment`: ReactHuman scenes as episodes of a batched environment with `reset` and `step`.

In the style of Brax and MuJoCo Playground: pure functions of states, of any leading shape, under `jit`, `vmap` and
`scan`. An episode begins at the freeze of a scene drawn from the bank, with the robot standing; a decision lasts
`ticks_per_step` ticks of the frozen walker, which carries out commands, hand targets and knee bend; the episode ends
with a fall or when its time is over (ReactHuman specification, section 17; humanoid specification, section 6).
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxphys.humanoid.measures import upright
from jaxphys_benchmarks.reacthuman.env import action as actions
from jaxphys_benchmarks.reacthuman.env import observation
from jaxphys_benchmarks.reacthuman.env.bank import Bank, Facts, bank_of, drawn
from jaxphys_benchmarks.reacthuman.env.body import Body, Physics
from jaxphys_benchmarks.reacthuman.env.config import EnvConfig
from jaxphys_benchmarks.reacthuman.env.physics_c import PhysicsC
from jaxphys_benchmarks.reacthuman.env.reward import TRUTHS, Seen, broken, reward
from jaxphys_benchmarks.reacthuman.env.standing import placed, standing
from jaxphys_benchmarks.reacthuman.env.state import METRICS, Data, EnvState, Felt, nothing_felt
from jaxphys_benchmarks.reacthuman.execution.brain import settled, stood
from jaxphys_benchmarks.reacthuman.execution.config import STEP, TICK
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.recover import ACTS, CATCH
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.arrays import Array, cast
from jaxphys_kernels.humanoid.control import control
from jaxphys_kernels.humanoid.joints import ARM


class Environment:
    """See the module.

    Attributes:
        config: all choices. bank: the scenes. backend: "c" or "mjx". observation_size, action_size: numbers.
            dt: time between decisions (s). episode_length: decisions of an episode that does not end early.
    """

    observation_size = observation.SIZE
    action_size = actions.SIZE

    def __init__(
        self,
        config: EnvConfig | None = None,
        *,
        specs: Sequence[ReactHumanSpec] | None = None,
        labels: Sequence[Labels] | None = None,
        weights: Any = None,
    ) -> None:
        """Draw the scenes, make their models, and let the robot stand.

        Args:
            config: the default if None. specs, labels: own scenes and their ground truth, in place of drawn ones.
            weights: of the frozen walker, in place of the one that the configuration names.

        Raises:
            ImportError: the extra `humanoid` is not installed.
            ValueError: scenes that cannot be taken; `specs` without `labels`.
        """
        from jaxphys.humanoid.checkpoint import policy
        from jaxphys.humanoid.config import HumanoidConfig
        from jaxphys.humanoid.pool import cores
        from jaxphys.humanoid.robot import build

        self.config = config = config or EnvConfig()
        if (specs is None) != (labels is None):
            raise ValueError("specs, labels: give both, or neither to have scenes drawn")
        # What is not installed is told before scenes are drawn.
        robot = build(HumanoidConfig(threads=config.threads, lead_leg=True))  # as plans are carried out
        self._weights = cast(jnp, policy(config.policy) if weights is None else weights, jnp.float32)
        found = drawn(config) if specs is None or labels is None else (specs, labels)
        self.bank: Bank = bank_of(*found, config)
        self._gains, self._fall = robot.gains, (robot.config.fall_height, robot.config.fall_up)
        self._chain = cast(jnp, robot.chain, jnp.float32)
        self._feed = jnp.asarray(1.0 / robot.arm_kp, jnp.float32)
        self._facts: Facts = jax.tree.map(jnp.asarray, self.bank.facts)
        at_rest = (
            settled(robot.config, config.policy, config.settle)
            if weights is None
            else stood(robot, weights, config.settle)
        )
        self._standing = standing(robot, at_rest)
        self.backend = _backend(config.backend)
        self._physics = _physics(self.backend, self.bank, robot, config.threads or cores())

    @property
    def dt(self) -> float:
        """Time between decisions (s)."""
        return self.config.dt

    @property
    def episode_length(self) -> int:
        """Decisions of an episode that does not end early."""
        return self.config.steps

    def reset(self, key: Array) -> EnvState:
        """The freeze of scenes drawn from the bank.

        Args:
            key: JAX keys of any leading shape, typed or raw; one scene each.
        """
        keys = key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
        scene = jax.vmap(lambda one: jax.random.randint(one, (), 0, len(self.bank), jnp.int32))(keys.reshape(-1))
        return self.begin(scene.reshape(keys.shape))

    def begin(self, scene: Array) -> EnvState:
        """The freeze of given scenes.

        Args:
            scene: (...) int32 indices of the bank.
        """
        scene = jnp.asarray(scene, jnp.int32)
        facts, shape = self._of(scene), scene.shape
        body = placed(self._standing, facts.root, facts.qpos, facts.qvel)
        home = (
            observation.ahead(body, body.sensed.palms[..., 0, :]),
            observation.ahead(body, body.sensed.palms[..., 1, :]),
        )
        no = jnp.zeros(shape, bool)
        zero = jnp.zeros(shape, jnp.float32)
        data = Data(
            scene=scene,
            body=body,
            state=jax.tree.map(
                lambda leaf: jnp.broadcast_to(jnp.asarray(leaf), (*shape, *leaf.shape)), self._standing.state
            ),
            hands=jnp.stack(home, axis=-2),
            last=jnp.zeros((*shape, actions.SIZE), jnp.float32),
            spent=actions.nothing_spent(shape),
            hand=no,
            other=no,
            held=zero,
        )
        return EnvState(
            data=data,
            obs=self._observed(facts, data),
            reward=zero,
            done=zero,
            metrics={name: zero for name in METRICS},
            info={},
        )

    def step(self, state: EnvState, action: Array) -> EnvState:
        """One decision.

        Args:
            state: before it. action: (..., 10), each number from -1 to 1; see `action`.
        """
        config, data = self.config, state.data
        facts = self._of(data.scene)
        wanted = actions.asked(action, config)
        before = _away(facts, data.body)
        nothing = nothing_felt(facts.tti.shape)
        (data, felt), _ = jax.lax.scan(
            lambda carry, _: (self._tick(facts, wanted, *carry), None), (data, nothing), None, config.ticks_per_step
        )
        spent = actions.spend(data.spent, wanted, config.dt)
        time = _time(data.body)
        fell = self._fallen(data.body)
        over = fell | (time > self.episode_length * config.dt - 0.5 * config.dt)
        act = actions.acted(spent, config.recovery)
        wrong = over & broken(jnp, act, facts.truth, facts.safety)
        firsts = felt.hand & ~data.hand, felt.other & ~data.other
        held = data.held + felt.holding
        seen = Seen(
            truth=facts.truth,
            closed=felt.closed,
            meets=felt.meets,
            gap=felt.gap,
            hand=firsts[0],
            other=firsts[1],
            holding=felt.holding,
            before=before,
            after=_away(facts, data.body),
            threat=jnp.isfinite(facts.tti),
            fell=fell,
            wrong=wrong,
            effort=config.dt * jnp.mean(jnp.clip(action, -1.0, 1.0) ** 2, axis=-1),
        )
        catch = facts.truth == TRUTHS.index(CATCH)
        right = over & (act == jnp.asarray([ACTS.index(name) for name in TRUTHS], jnp.int32)[facts.truth])
        metrics = {
            "touched": firsts[0],
            "caught": (held >= config.caught_time) & (data.held < config.caught_time),
            "hit": firsts[1],
            "fell": fell,
            "right": right,
            "unsafe": wrong,
            "gap": jnp.where(catch & felt.meets, felt.gap, jnp.zeros_like(felt.gap)),
            "catches": over & catch,
        }
        data = data.replace(
            last=jnp.asarray(action, jnp.float32),
            spent=spent,
            hand=data.hand | felt.hand,
            other=data.other | felt.other,
            held=held,
        )
        return EnvState(
            data=data,
            obs=self._observed(facts, data),
            reward=jnp.nan_to_num(reward(jnp, seen, config.terms)),
            done=over.astype(jnp.float32),
            metrics={name: jnp.nan_to_num(metrics[name].astype(jnp.float32)) for name in METRICS},
            info=state.info,
        )

    def _tick(self, facts: Facts, wanted: actions.Asked, data: Data, felt: Felt) -> tuple[Data, Felt]:
        config, body, before = self.config, data.body, _time(data.body)
        hands = actions.towards(data.hands, wanted.hands, config.hand_speed * TICK)
        plan = actions.plan_of(wanted.walk, hands, wanted.knee)
        sensed = body.sensed
        done = control(jnp, self._weights, self._chain, self._gains, data.state, before, plan, sensed)
        feed = done.use[..., None] * body.bias * self._feed.reshape((1,) * done.use.ndim + (-1,))
        moved, touch = self._physics.advance(data.scene, body, done.target.at[..., ARM].add(feed))
        after, palms = _time(moved), moved.sensed.palms
        centre, speed = self._thing(facts, moved)
        gaps = jnp.sqrt(jnp.sum((palms - facts.point[..., None, :]) ** 2, axis=-1)).min(-1)
        were = jnp.sqrt(jnp.sum((sensed.palms - facts.point[..., None, :]) ** 2, axis=-1)).min(-1)
        resting = jnp.sqrt(jnp.sum((palms - centre[..., None, :]) ** 2, axis=-1)) - facts.radius[..., None]
        slip = speed[..., None, :] - (palms - sensed.palms) / TICK
        held = (resting < config.near_hand) & (jnp.sqrt(jnp.sum(slip**2, axis=-1)) < config.caught_speed)
        meets = (before < facts.tti) & (facts.tti <= after)
        felt = Felt(
            closed=felt.closed + jnp.where(before < facts.tti, were - gaps, jnp.zeros_like(gaps)),
            meets=felt.meets | meets,
            gap=jnp.where(meets, gaps, felt.gap),
            hand=felt.hand | touch.hand,
            other=felt.other | touch.other,
            holding=felt.holding + TICK * (held.any(-1) & (data.hand | felt.hand | touch.hand)).astype(jnp.float32),
        )
        return data.replace(body=moved, state=done.state, hands=hands), felt

    def _of(self, scene: Array) -> Facts:
        found: Facts = jax.tree.map(lambda leaf: leaf[scene], self._facts)
        return found

    def _thing(self, facts: Facts, body: Body) -> tuple[Array, Array]:
        """Centre and velocity of the object in the world, (..., 3) each; its velocity is 0 while it is held."""
        three = jnp.arange(3, dtype=jnp.int32).reshape((1,) * facts.place.ndim + (3,))
        centre = jnp.take_along_axis(body.qpos, facts.place[..., None] + three, axis=-1)
        speed = jnp.take_along_axis(body.qvel, facts.speed[..., None] + three, axis=-1)
        return centre, jnp.where((body.step <= facts.wait)[..., None], jnp.zeros_like(speed), speed)

    def _fallen(self, body: Body) -> Array:
        """Whether (...) the robot lies, or its numbers are gone."""
        height, up = self._fall
        return ~((body.qpos[..., 2] >= height) & (upright(body.qpos) >= up))

    def _observed(self, facts: Facts, data: Data) -> Array:
        thing = self._thing(facts, data.body)
        return observation.observed(facts, data.body, thing, data.hands, data.last, _time(data.body), self.config.told)


def _time(body: Body) -> Array:
    """Since the freeze (s)."""
    return body.step.astype(jnp.float32) * STEP


def _away(facts: Facts, body: Body) -> Array:
    """Horizontal distance (...) of the root from the point of impact (m)."""
    return jnp.sqrt(jnp.sum((body.qpos[..., :2] - facts.point[..., :2]) ** 2, axis=-1) + 1e-12)


def _physics(backend: str, bank: Bank, robot: Any, threads: int) -> Physics:
    if backend == "c":
        return PhysicsC(bank, robot, threads)
    from jaxphys_benchmarks.reacthuman.env.physics_mjx import PhysicsMjx

    return PhysicsMjx(bank, robot)


def _backend(asked: str) -> str:
    if asked != "auto":
        return asked
    return "c" if jax.default_backend() == "cpu" else "mjx"
