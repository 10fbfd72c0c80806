"""The table of contact laws: what each does to velocities, spins, looks and contact, and what it does to the books.

Laws alone are compared with those of the oracle, written anew from the InPhyRe specification, section 3.4; the books
(section 9.1) are kept on contacts that the event loop finds.
"""

import functools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from jaxphys import laws, planar
from tests.oracle import planar_laws
from tests.oracle.planar_scene import Body, Scene
from tests.oracle.planar_workload import body, turned
from tests.planar_support import lower, meet, names, run

EXACT = 1e-12
DRAWS = 24
BUILT_IN = tuple(planar_laws.LAWS)


def test_the_oracle_knows_every_law() -> None:
    assert set(laws.names()) == set(BUILT_IN)


def _draw(rng: np.random.Generator) -> tuple[Body, Body, np.ndarray, dict[str, float]]:
    """Two bodies in contact along a random normal, and parameters of every kind."""
    along = turned((1.0, 0.0), rng.uniform(-math.pi, math.pi))
    shapes = rng.choice(["sphere", "cylinder"], 2)
    a, b = (
        body(shape, rng.uniform(0.1, 0.5), place, rng.normal(size=2), spin=rng.normal(), mass=rng.uniform(0.2, 5))
        for shape, place in zip(shapes, ((0, 0), (0, 0)), strict=True)
    )
    b.pos = (a.half[0] + b.half[0]) * along
    for k, one in enumerate((a, b)):
        one.look, one.red = k, bool(rng.integers(2))
        one.roll = rng.normal(size=2) if one.shape == "sphere" else np.zeros(2)
    params = {"restitution": rng.uniform(0, 1), "gain": rng.uniform(0.5, 3), "omega": rng.uniform(-6, 6)}
    return a, b, along, params


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_law_alone_does_what_the_specification_says(name: str) -> None:
    rng = np.random.default_rng(len(name))
    for _ in range(DRAWS):
        a, b, along, params = _draw(rng)
        known = {key: params[key] for key in laws.get(name).defaults}
        got, want = (a.copy(), b.copy()), (a.copy(), b.copy())
        assert meet(name, **known)(*got, along) is planar_laws.LAWS[name](*want, along, known)
        for one, other in zip(got, want, strict=True):
            for field in ("vel", "spin", "roll", "look"):
                np.testing.assert_allclose(getattr(one, field), getattr(other, field), rtol=0, atol=EXACT)


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_law_depends_on_how_the_picture_is_turned(name: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(4):
        a, b, along, params = _draw(rng)
        known = {key: params[key] for key in laws.get(name).defaults}
        plain, other = (a.copy(), b.copy()), (a.copy(), b.copy())
        for one in other:
            one.vel, one.roll = turned(tuple(one.vel), 0.9), turned(tuple(one.roll), 0.9)
        meet(name, **known)(*plain, along)
        meet(name, **known)(*other, turned(tuple(along), 0.9))
        for one, two in zip(plain, other, strict=True):
            np.testing.assert_allclose(two.vel, turned(tuple(one.vel), 0.9), rtol=0, atol=EXACT)
            assert two.spin == pytest.approx(one.spin, abs=EXACT)


SYMMETRIC = ("regular", "eccentric", "spin_up", "spin_up_keeping", "pass_through", "red_passes", "size_is_mass")
"""Laws that treat both bodies alike, whichever comes first."""


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_symmetric_law_does_not_depend_on_the_order_of_the_bodies(name: str) -> None:
    rng = np.random.default_rng(8)
    for _ in range(4):
        a, b, along, params = _draw(rng)
        known = {key: params[key] for key in laws.get(name).defaults}
        one, other = (a.copy(), b.copy()), (b.copy(), a.copy())
        meet(name, **known)(*one, along)
        meet(name, **known)(*other, -along)
        for x, y in zip(one, reversed(other), strict=True):
            np.testing.assert_allclose(x.vel, y.vel, rtol=0, atol=EXACT)
            assert x.spin == pytest.approx(y.spin, abs=EXACT)


POINT_LAWS = set(BUILT_IN) - {"eccentric", "keep_momentum", "red_keeps_momentum", "tangent_gain"}
"""Laws that act on the approach along the normal alone."""


@pytest.mark.parametrize("name", sorted(POINT_LAWS))
def test_bodies_that_part_already_are_left_their_velocities(name: str) -> None:
    """What turning alone brings together gets no impulse from a law for points, and is never pulled."""
    a, b = body("cylinder", 0.2, (0, 0), (-1, 0.3)), body("cylinder", 0.2, (0.4, 0), (0.5, 0))
    meet(name)(a, b, np.array([1.0, 0.0]))
    np.testing.assert_array_equal(a.vel, (-1, 0.3))
    np.testing.assert_array_equal(b.vel, (0.5, 0))


# The books, on contacts that the event loop finds.


class Books:
    """What contacts of two discs change, one row per scene: momentum (kg m/s), energy (J) and their parts."""

    def __init__(self, scenes: list[Scene]) -> None:
        end = run(scenes, 4.0)
        assert not end.status.any()
        assert [names(end.events, k)[0] for k in range(len(scenes))] == [("contact", (0, 1))] * len(scenes)
        first = {name: getattr(end.events, name)[:, 0] for name in vars(end.events) if name != "count"}
        masses = np.array([[b.mass for b in scene.bodies] for scene in scenes])
        # A wall has none that can be counted.
        self.mass = np.where(np.isfinite(masses), masses, 0)
        self.law = [scene.law((0, 1))[1] for scene in scenes]
        self.red = np.array([[b.red for b in scene.bodies] for scene in scenes])
        self.n, self.v, self.w = first["normal"], first["vel_before"], first["vel_after"]
        self.spin, self.look, self.through = first["spin_after"], first["look_after"], first["through"]
        self.spin_before, self.path = first["spin_before"], end.path
        self.closing = ((self.v[:, 0] - self.v[:, 1]) * self.n).sum(axis=-1)
        self.momentum = (self.mass[..., None] * (self.w - self.v)).sum(axis=1)
        self.energy_before, self.energy = (0.5 * (self.mass * (v**2).sum(-1)).sum(1) for v in (self.v, self.w))

    def param(self, name: str) -> np.ndarray:
        return np.array([law[name] for law in self.law])

    def along(self, v: np.ndarray) -> np.ndarray:
        """Component along the normal."""
        return np.asarray((v * self.n).sum(axis=-1))

    def across(self, v: np.ndarray) -> np.ndarray:
        return np.asarray(v[:, 1] * self.n[:, 0] - v[:, 0] * self.n[:, 1])


@functools.cache
def books(name: str, equal: bool = False) -> Books:
    """Oblique and head-on hits of a spinning body on one at rest: random masses, speeds, parameters, colours."""
    rng = np.random.default_rng(len(name))
    scenes = []
    for k in range(DRAWS):
        mass = (1.0, 1.0) if equal else rng.uniform(0.2, 5, 2)
        off = 0.0 if k % 2 else rng.uniform(-0.3, 0.3)
        heading = rng.uniform(-math.pi, math.pi)
        a = body("cylinder", 0.2, (0, 0), turned((rng.uniform(0.5, 3), 0), heading), mass=mass[0], spin=1.5)
        b = body("cylinder", 0.3, turned((1.2, off), heading), (0, 0), mass=mass[1])
        a.red, b.red = bool(rng.integers(2)), bool(rng.integers(2))
        drawn = {"restitution": rng.uniform(0, 1), "gain": rng.uniform(1, 3), "omega": rng.choice([-1, 1]) * 4.0}
        if equal:
            drawn |= {"restitution": 1.0, "gain": 1.0}
        scenes.append(Scene([a, b], 9.8, {(0, 1): (name, {key: drawn[key] for key in laws.get(name).defaults})}))
    return Books(scenes)


@pytest.mark.parametrize("name", ["regular", "take_look", "spin_up"])
def test_true_impacts_keep_momentum_and_lose_the_energy_of_restitution(name: str) -> None:
    book = books(name)
    np.testing.assert_allclose(book.momentum, 0, rtol=0, atol=EXACT)
    reduced = book.mass.prod(axis=1) / book.mass.sum(axis=1)
    lost = 0.5 * reduced * (1 - book.param("restitution") ** 2) * book.closing**2
    np.testing.assert_allclose(book.energy_before - book.energy, lost, rtol=0, atol=EXACT)
    np.testing.assert_allclose(book.along(book.w[:, 1] - book.w[:, 0]), book.param("restitution") * book.closing)
    np.testing.assert_array_equal(book.spin, 0 if name != "spin_up" else book.param("omega")[:, None] * np.ones(2))
    assert not book.through.any()


def test_elastic_impacts_keep_the_energy_exactly_and_have_no_threshold() -> None:
    scenes = []
    for speed in (1e-9, 1e-6, 1e-3, 1.0, 1e3):
        a, b = body("cylinder", 0.2, (0, 0), (speed, 0)), body("cylinder", 0.2, (0.4 + speed, 0), (0, 0), mass=3.0)
        scenes.append(Scene([a, b], 9.8, {(0, 1): ("regular", {"restitution": 1.0})}))
    book = Books(scenes)
    np.testing.assert_allclose(book.energy, book.energy_before, rtol=EXACT)
    np.testing.assert_allclose(book.w[:, :, 0] / book.v[:, :1, 0], [[-0.5, 0.5]] * 5, rtol=EXACT)


def test_lmc_adds_the_momentum_of_the_mover_along_the_normal_and_doubles_the_energy_head_on() -> None:
    book = books("keep_momentum", equal=True)
    np.testing.assert_allclose(book.momentum, book.along(book.v[:, 0])[:, None] * book.n, rtol=0, atol=EXACT)
    np.testing.assert_array_equal(book.w[:, 0], book.v[:, 0])
    np.testing.assert_array_equal(book.spin[:, 0], book.spin_before[:, 0])
    head_on = np.abs(book.across(book.v[:, 0])) < 1e-9
    assert head_on.sum() >= DRAWS // 3
    np.testing.assert_allclose((book.energy / book.energy_before)[head_on], 2, rtol=EXACT)
    assert book.through.all()


def test_lmc_with_a_gain_and_other_masses() -> None:
    book = books("keep_momentum")
    gain, share = book.param("gain"), 2 * book.mass[:, 0] / book.mass.sum(axis=1)
    np.testing.assert_allclose(book.w[:, 0], gain[:, None] * book.v[:, 0], rtol=EXACT)
    np.testing.assert_allclose(book.w[:, 1], (gain * share * book.closing)[:, None] * book.n, rtol=0, atol=EXACT)


def test_bodies_under_lmc_stay_together_by_no_more_than_five_millimetres() -> None:
    """Two sliders, or two spheres, of equal friction: A never runs through B (specification, section 9.1)."""
    scenes = []
    for shape in ("cube", "cylinder", "sphere"):
        for mu in (0.12, 0.24):
            a, b = body(shape, 0.35, (0, 0), (3.5, 0), mu=mu), body(shape, 0.35, (2.0, 0), (0, 0), mu=mu)
            a.roll = a.vel.copy() if shape == "sphere" else a.roll
            scenes.append(Scene([a, b], 9.8, {(0, 1): ("keep_momentum", {})}))
    for time in (0.8, 1.2, 2.0, 5.0):
        end = run(scenes, time)
        assert end.path.through.all()
        assert (end.path.pos[:, 0, 1, 0] - end.path.pos[:, 0, 0, 0]).min() > 0.7 - 0.005


def test_amc_sets_both_spinning_and_its_regular_form_none() -> None:
    book = books("spin_up_keeping")
    np.testing.assert_array_equal(book.w, book.v)
    np.testing.assert_array_equal(np.abs(book.spin), 4.0)
    assert book.through.all()
    assert not books("regular").spin.any()


def test_the_wall_changes_only_the_velocity_along_itself() -> None:
    rng = np.random.default_rng(3)
    wall = Body("cube", (0.1, 50.0), np.array([2.0, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)
    scenes = []
    for _ in range(DRAWS):
        speed, slope = rng.uniform(1, 3), rng.uniform(0.2, 1)
        law = ("tangent_gain", {"gain": rng.uniform(1.5, 3), "restitution": 1.0})
        scenes.append(Scene([body("cube", 0.35, (0, 0), (speed, speed * slope)), wall], 9.8, {(0, 1): law}))
    book = Books(scenes)
    normal, tangent = book.along(book.v[:, 0]), book.across(book.v[:, 0])
    np.testing.assert_allclose(book.along(book.w[:, 0]), -normal, rtol=EXACT)
    np.testing.assert_allclose(book.across(book.w[:, 0]), book.param("gain") * tangent, rtol=EXACT)
    ratio = (book.w[:, 0] ** 2).sum(-1) / (book.v[:, 0] ** 2).sum(-1)
    want = (normal**2 + (book.param("gain") * tangent) ** 2) / (normal**2 + tangent**2)
    np.testing.assert_allclose(ratio, want, rtol=EXACT)
    np.testing.assert_array_equal(book.w[:, 1], 0)


@pytest.mark.parametrize("name", ["pass_through", "red_passes"])
def test_passing_changes_nothing(name: str) -> None:
    book = books(name)
    passes = np.ones(DRAWS, bool) if name == "pass_through" else book.red.any(axis=1)
    np.testing.assert_array_equal(book.through, passes)
    np.testing.assert_array_equal(book.w[passes], book.v[passes])
    np.testing.assert_array_equal(book.spin[passes], book.spin_before[passes])
    if name == "red_passes":
        assert 3 <= passes.sum() <= DRAWS - 3
        np.testing.assert_allclose(book.momentum[~passes], 0, rtol=0, atol=EXACT)


def test_the_law_is_irregular_exactly_where_the_mover_is_red() -> None:
    book = books("red_keeps_momentum")
    red = book.red[:, 0]
    assert 3 <= red.sum() <= DRAWS - 3
    np.testing.assert_array_equal(book.through, red)
    np.testing.assert_allclose(book.momentum[~red], 0, rtol=0, atol=EXACT)
    np.testing.assert_allclose(book.w[red, 0], book.param("gain")[red, None] * book.v[red, 0], rtol=EXACT)


def test_the_look_changes_at_the_contact_and_only_that_of_a() -> None:
    a, b = body("cube", 0.35, (0, 0), (2, 0), mu=0.1), body("cube", 0.35, (1.5, 0), (0, 0), mu=0.1)
    scene = Scene([a, b], 9.8, {(0, 1): ("take_look", {})})
    contact = float(run([scene], 5.0).events.time[0, 0])
    end = run([scene], [[np.nextafter(contact, 0), contact, contact + 1, contact + 2]])
    np.testing.assert_array_equal(end.path.look[0], [[0, 1], [1, 1], [1, 1], [1, 1]])
    np.testing.assert_array_equal(books("take_look").look, [[1, 1]] * DRAWS)
    np.testing.assert_array_equal(books("regular").look, [[0, 1]] * DRAWS)


def test_size_is_mass_keeps_the_momentum_of_bodies_of_one_density() -> None:
    book = books("size_is_mass")
    apparent = np.array([0.2**3, 0.3**3])
    np.testing.assert_allclose((apparent[:, None] * (book.w - book.v)).sum(axis=1), 0, rtol=0, atol=EXACT)
    np.testing.assert_allclose(book.along(book.w[:, 1] - book.w[:, 0]), book.param("restitution") * book.closing)


def test_size_is_mass_moves_no_wall() -> None:
    """The size of a wall says nothing about its mass: what nothing moves stays so, be it A or B."""
    wall = Body("cube", (0.1, 4.0), np.array([1.0, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)
    bodies = [body("cube", 0.2, (0, 0), (1, 0.5)), wall]
    end = run([Scene(order, 9.8, {(0, 1): ("size_is_mass", {})}) for order in (bodies, bodies[::-1])], 1.0)
    assert not end.status.any()
    for k, order in enumerate(([0, 1], [1, 0])):
        np.testing.assert_allclose(end.path.vel[k, 0][order], [[-1, 0.5], [0, 0]], rtol=0, atol=EXACT)


def test_smooth_bodies_keep_angular_momentum_and_energy() -> None:
    rng = np.random.default_rng(5)
    scenes = []
    for _ in range(DRAWS):
        a = body("cube", 0.25, (0, 0), (rng.uniform(1, 2), 0), yaw=rng.uniform(0, 3), spin=1.0, mass=rng.uniform(1, 3))
        b = body("cube", 0.3, (1.2, rng.uniform(-0.3, 0.3)), (0, 0), yaw=rng.uniform(0, 3), mass=rng.uniform(1, 3))
        scenes.append(Scene([a, b], 9.8, {(0, 1): ("eccentric", {"restitution": 1.0})}))
    end = run(scenes, 1.0)
    hit = end.events.kind[:, 0] == planar.Kind.CONTACT
    assert hit.sum() > DRAWS // 2
    assert not end.status.any()
    mass, inertia = (np.array([[getattr(b, f) for b in s.bodies] for s in scenes]) for f in ("mass", "inertia"))
    pos = end.events.pos[:, 0]
    sums = []
    for side in ("before", "after"):
        v, w = getattr(end.events, f"vel_{side}")[:, 0], getattr(end.events, f"spin_{side}")[:, 0]
        turn = (inertia * w + mass * (pos[..., 0] * v[..., 1] - pos[..., 1] * v[..., 0])).sum(axis=1)
        energy = 0.5 * (mass * (v**2).sum(-1) + inertia * w**2).sum(axis=1)
        sums.append(np.stack([turn, energy, *(mass[..., None] * v).sum(axis=1).T])[:, hit])
    np.testing.assert_allclose(sums[1], sums[0], rtol=0, atol=1e-11)


# A law of one's own.


@pytest.fixture
def table() -> Iterator[None]:
    """Takes away what a test adds."""
    before = laws.names()
    yield
    for name in reversed(laws.names()[len(before) :]):
        laws.unregister(name)


@pytest.mark.usefixtures("table")
def test_a_law_of_ten_lines_joins_a_mixed_batch() -> None:
    @laws.register("swap_looks", gain=1.5)
    def swap_looks(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> laws.After:
        """Both take each other's look, and B leaves `gain` times as fast."""
        after = laws.regular(a, b, normal, {"restitution": 1.0})
        new_b = after.b.replace(vel=params["gain"] * after.b.vel, look=a.look)
        return laws.After(after.a.replace(look=b.look), new_b)

    scene = [body("cylinder", 0.2, (0, 0), (1, 0)), body("cylinder", 0.2, (1.4, 0), (0, 0))]
    mixed = [
        Scene(scene, 9.8, {(0, 1): law})
        for law in (("swap_looks", {}), ("regular", {}), ("swap_looks", {"gain": 3.0}), ("keep_momentum", {}))
    ]
    end = run(mixed, 2.0)
    assert not end.status.any()
    np.testing.assert_allclose(end.path.vel[:, 0, :, 0], [[0, 1.5], [0, 1], [0, 3], [1, 1]], rtol=0, atol=EXACT)
    np.testing.assert_array_equal(end.path.look[:, 0], [[1, 0], [0, 1], [1, 0], [0, 1]])
    assert laws.get("swap_looks").about.startswith("Both take")


def _returns_a_tuple(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> object:
    return a, b


def _reads_a_parameter_it_has_not(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> object:
    return laws.After(a.replace(vel=params["push"] * a.vel), b)


def _wrong_shape(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> object:
    return laws.After(a.replace(vel=np.zeros(3)), b)


def _branches_on_a_value(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> object:
    return laws.After(a, b) if a.vel[0] > 0 else laws.After(b, a)


def _too_few_arguments(a: laws.Body) -> object:
    return a


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("faulty", "says"),
    [
        (_returns_a_tuple, "returns tuple, not laws.After"),
        (_reads_a_parameter_it_has_not, "reads 'push', which no body and no parameter has"),
        (_wrong_shape, r"a.vel has shape \(3,\)"),
        (_branches_on_a_value, r"use laws\.choose, or jax\.numpy\.where"),
        (_too_few_arguments, "fails on two bodies"),
    ],
)
def test_a_faulty_law_is_refused_when_it_is_registered(faulty: laws.LawFunction, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        laws.register("faulty")(faulty)
    assert "faulty" not in laws.names()


def test_a_law_needs_a_name() -> None:
    with pytest.raises(ValueError, match=r'@laws\.register\("my_law"\)'):
        laws.register(_too_few_arguments)  # type: ignore[arg-type]


@pytest.mark.usefixtures("table")
def test_what_a_law_may_not_change_does_not_matter() -> None:
    @laws.register("tidy")
    def tidy(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> laws.After:
        """Both stop, told in whole numbers."""
        still = laws.Body(vel=0, spin=0, roll=0, look=a.look, mass=None, inertia=None, size=None, arm=None, attrs={})
        return laws.After(still, still.replace(look=b.look), through=1)

    scene = Scene([body("cube", 0.1, (x, 0), (v, 0)) for x, v in ((0, 1), (1, 0))], 9.8, {(0, 1): ("tidy", {})})
    end = run([scene], 2.0)
    assert end.status.tolist() == [0]
    assert end.path.through[0, 0, 0]
    np.testing.assert_array_equal(end.path.vel[0, 0], 0)


@pytest.mark.usefixtures("table")
def test_names_are_unique_and_attributes_are_asked_for() -> None:
    with pytest.raises(ValueError, match="'regular' is taken"):
        laws.register("regular")
    with pytest.raises(ValueError, match="is not known; choose one of regular"):
        laws.get("magic")
    with pytest.raises(ValueError, match="cannot be taken away"):
        laws.unregister("regular")

    @laws.register("shy")
    def shy(a: laws.Body, b: laws.Body, normal: np.ndarray, params: dict[str, float]) -> laws.After:
        """Green bodies pass."""
        return laws.choose(a.attrs["green"] > 0, laws.eccentric, laws.regular)(a, b, normal, {"restitution": 1.0})

    assert laws.get("shy").reads == ("green",)
    with pytest.raises(ValueError, match="give attrs="):
        lower([Scene([body("cube", 0.1, (x, 0), (0, 0)) for x in (0, 1)], 9.8, {(0, 1): ("shy", {})})])
