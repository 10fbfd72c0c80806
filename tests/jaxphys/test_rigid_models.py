"""A scene's model is a template with other fields: it must be what MuJoCo's compiler makes of the scene's own file."""

import jax
import mujoco
import numpy as np
import pytest
from mujoco import mjx

from jaxphys import (
    _rigid_c,
    _rigid_device,
    _rigid_groups,
    _rigid_meshes,
    _rigid_models,
    _rigid_programs,
    rigid,
)
from jaxphys_benchmarks.reacthuman import catalogue
from jaxphys_kernels.rigid import prism
from jaxphys_kernels.rigid.model import Joint, Shape, Signature

MIXTURES = (
    (("sphere",), 2),
    (("box",), 7),
    (("prism",), 1),
    (("capsule",), 0),
    (("box", "prism", "prism", "sphere", "capsule"), 1),
)

FREE_TO_DIFFER = {
    "qpos0", "qpos_spring", "key_qpos", "key_qvel", "names", "body_pos", "body_quat",
    # How long a turn is for MuJoCo's sleeping, which is off.
    "dof_length",
    # What the compiler marks as centred or upright, the template has as general.
    "geom_sameframe",
    # A flat prism is compiled along other axes.
    "mesh_vert", "mesh_normal", "mesh_polynormal", "mesh_pos", "mesh_quat", "mesh_graph", "mesh_face", "mesh_polyvert",
    "mesh_polymap", "mesh_facenormal", "mesh_extrema", "mesh_polyvertnum", "mesh_polyvertadr", "mesh_polymapadr",
    "mesh_polymapnum", "bvh_aabb", "bvh_child", "bvh_nodeid", "bvh_depth", "oct_aabb", "oct_child",
    "oct_coeff", "oct_depth",
}  # fmt: skip


def random_scene(shapes, statics, seed=0, *, joint="free"):
    """One scene of these bodies, with sizes and masses of all kinds, apart from each other."""
    rng = np.random.default_rng(seed)
    n = len(shapes)
    size = rng.uniform(0.02, 0.2, (1, n, 3))
    size[..., 1] = np.where(np.isin(shapes, ["box"]), size[..., 1], size[..., 0])
    size[..., 2] = np.where(np.isin(shapes, ["sphere"]), size[..., 0], size[..., 2])
    return rigid.make_scene(
        shape=list(shapes),
        size=size,
        pos=np.array([[[0.7 * i, 0.0, 1.0] for i in range(n)]]),
        quat=rng.normal(size=(1, n, 4)),
        mass=rng.uniform(0.01, 80, (1, n)),
        friction=rng.uniform(0.1, 0.9, (1, n)),
        joint=joint,
        anchor=rng.normal(size=(1, n, 3)),
        axis=rng.normal(size=(1, n, 3)),
        com=rng.normal(size=(1, n, 3)),
        damping=0.3,
        frictionloss=0.2,
        static_pos=rng.uniform(-1, 1, (1, statics, 3)),
        static_half=rng.uniform(0.1, 0.4, (1, statics, 3)),
        static_quat=rng.normal(size=(1, statics, 4)),
    )


def models_of(world, state, rules=rigid.PARITY):
    """The model of a scene as the C back end makes it, and as MuJoCo compiles its file."""
    group = next(_rigid_groups.groups(world, rules))
    own, _ = _rigid_groups.narrow(world, state, group)
    fields = _rigid_c._fields(group.signature, own)
    ours = _rigid_models.scene_models(group.signature, rules, fields, np.asarray(own.size))[0]
    return ours, mujoco.MjModel.from_xml_string(rigid.mjcf(world, state, rules))


@pytest.mark.parametrize(("shapes", "statics"), MIXTURES, ids=lambda value: str(value))
def test_a_scene_equals_its_compiled_file_in_every_field(shapes, statics):
    for seed in range(3):
        ours, compiled = models_of(*random_scene(shapes, statics, seed))
        assert_equal_fields(ours, compiled, has_mesh="prism" in shapes)


def test_a_hinged_scene_equals_its_compiled_file_in_every_field():
    for seed in range(3):
        ours, compiled = models_of(*random_scene(("box", "sphere"), 1, seed, joint=["hinge", "free"]))
        assert_equal_fields(ours, compiled, has_mesh=False)


def assert_equal_fields(ours, compiled, *, has_mesh):
    different = []
    for name in dir(compiled):
        value = getattr(compiled, name)
        if name.startswith("_") or name in FREE_TO_DIFFER or not isinstance(value, np.ndarray) or not value.size:
            continue
        if has_mesh and name in {"geom_quat", "geom_size", "geom_aabb"}:
            continue
        mine = getattr(ours, name)
        if value.dtype.kind in "fiub" and not np.allclose(
            mine, value, rtol=1e-6 if has_mesh and name == "geom_rbound" else 1e-9, atol=1e-12
        ):
            different.append((name, mine, value))
    assert not different
    assert ours.stat.meaninertia == pytest.approx(compiled.stat.meaninertia, rel=1e-12)
    np.testing.assert_array_equal(ours.opt.gravity, compiled.opt.gravity)


PRISMS = sorted(
    {
        (row.name, tuple(float(x) for x in row.size))
        for family in catalogue.families()
        for row in (catalogue.get(name, family) for name in catalogue.pool(family))
        if row.collider == "prism"
    }
)


@pytest.mark.parametrize(("name", "size"), PRISMS, ids=[name for name, _ in PRISMS])
def test_a_prism_of_the_catalogue_moves_as_its_compiled_mesh(name, size):
    """Tilted, so that edges and corners meet the table; C MuJoCo turns a flat mesh to other axes and ours does not."""
    world, state = rigid.make_scene(
        shape=["prism"],
        size=[[size]],
        mass=1.0,
        pos=[[[0.0, 0.0, 0.8 + max(size)]]],
        quat=[[[0.95, 0.2, 0.1, 0.2]]],
        vel=[[[0.1, -0.5, -1.0]]],
        static_pos=[[[0.0, 0.0, 0.75]]],
        static_half=[[[0.6, 0.4, 0.02]]],
    )
    ours, compiled = models_of(world, state)
    # The mesh of each, in the frame of its geom, has the same corners.
    np.testing.assert_allclose(corners(ours), corners(compiled), atol=2e-7)
    data = mujoco.MjData(compiled)
    mujoco.mj_resetDataKeyframe(compiled, data, 0)
    found = rigid.rollout(world, state, [0.1], rules=rigid.PARITY, backend="c")
    mujoco.mj_step(compiled, data, nstep=96)
    assert found.touching.any()
    np.testing.assert_allclose(found.qpos[0, 0, 0], data.qpos, atol=1e-5)


def corners(model):
    """The corners of the only mesh in the frame of its body, sorted."""
    geom = int(np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH)[0])
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.geom_quat[geom])
    points = model.mesh_vert @ turn.reshape(3, 3).T + model.geom_pos[geom]
    return points[np.lexsort(np.round(points, 5).T)]


@pytest.mark.parametrize(("name", "size"), PRISMS, ids=[name for name, _ in PRISMS])
def test_the_mesh_leaves_of_mjx_are_those_of_the_compiled_mesh(name, size):
    signature = Signature((Shape.PRISM,), (Joint.FREE,), 1)
    nominal = _rigid_device.device_model(signature, rigid.Rules(), "float32")
    ours = _rigid_meshes.with_corners(nominal, signature, np.asarray([size], np.float32))
    world, state = rigid.make_scene(shape=["prism"], size=[[size]], pos=[[[0, 0, 1.0]]])
    with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        compiled = mjx.put_model(mujoco.MjModel.from_xml_string(rigid.mjcf(world, state)))
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, np.asarray(compiled.geom_quat[-1], np.float64))
    turn = turn.reshape(3, 3)
    mine, theirs = ours._impl.mesh_convex[0], compiled._impl.mesh_convex[0]
    for name in ("vert", "face_normal"):
        np.testing.assert_allclose(
            by_place(np.asarray(getattr(mine, name))), by_place(np.asarray(getattr(theirs, name)) @ turn.T), atol=2e-6
        )
    assert mine.face.shape == theirs.face.shape
    assert mine.edge.shape == theirs.edge.shape


def by_place(points):
    return points[np.lexsort(np.round(points, 4).T)]


def test_the_prism_has_the_base_area_of_the_circle():
    base = prism.UNIT[:12, :2]
    x, y = base.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    assert area == pytest.approx(np.pi, rel=1e-12)
    assert np.abs(prism.UNIT[:, 0]).max() == pytest.approx(prism.APOTHEM, rel=1e-12)
    assert pytest.approx(1.0233, abs=1e-4) == prism.CIRCUMRADIUS


def signatures():
    """Every signature that a scene of ReactHuman can have."""
    one = [Signature((shape,), (Joint.FREE,), s) for shape in _present() for s in (0, 1, 2)]
    stairs = [Signature((shape,), (Joint.FREE,), 7) for shape in (Shape.SPHERE, Shape.CAPSULE, Shape.BOX)]
    chains = [
        Signature((Shape.BOX, *[shape] * n), (Joint.FREE,) * (n + 1), 1)
        for shape in (Shape.SPHERE, Shape.BOX, Shape.PRISM)
        for n in range(1, 6)
    ]
    stacks = [Signature((shape,) * n, (Joint.FREE,) * n, 1) for shape in (Shape.BOX, Shape.PRISM) for n in (3, 4)]
    return [*one, *stairs, *chains, *stacks, Signature((Shape.BOX,), (Joint.HINGE,), 0)]


def _present():
    return [shape for shape in Shape if shape is not Shape.ABSENT]


def test_few_programs_serve_all_scenes():
    programs = {_rigid_programs.program_of(signature).signature for signature in signatures()}
    assert len(programs) <= 12


@pytest.mark.parametrize("signature", signatures(), ids=str)
def test_a_scene_goes_into_its_program_and_back(signature):
    program = _rigid_programs.program_of(signature)
    wide = program.signature
    for k, slot in enumerate(program.bodies):
        assert wide.shapes[slot] is signature.shapes[k]
    assert len(program.statics) == signature.statics
    own = _rigid_programs._own_pairs(program, signature)
    assert len(set(own)) == len(signature.pairs)
    for (first, second), place in zip(signature.pairs, own, strict=True):
        there, other = wide.pairs[place]
        assert there == program.bodies[first]
        if second >= len(signature.shapes):
            assert other == len(wide.shapes) + second - len(signature.shapes)
        elif second >= 0:
            assert other == program.bodies[second]
        else:
            assert other == second
