"""Rotations in NumPy: what they do to vectors, in any shape, and turns about the vertical."""

import numpy as np

from jaxphys_kernels.quaternions import entries, matrices, yawed

RNG = np.random.default_rng(3)
QUATS = RNG.normal(size=(4, 5, 4))
QUATS /= np.linalg.norm(QUATS, axis=-1, keepdims=True)


def test_matrices_turn_as_their_axes_and_angles_say() -> None:
    angle, axis = 0.7, np.array([0.0, 0.6, 0.8])
    quat = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    vector = np.array([1.0, -2.0, 0.5])
    # Rodrigues.
    c, s = np.cos(angle), np.sin(angle)
    expected = c * vector + s * np.cross(axis, vector) + (1 - c) * axis * (axis @ vector)
    np.testing.assert_allclose(matrices(quat) @ vector, expected, atol=1e-14)


def test_matrices_are_rotations_of_any_leading_shape() -> None:
    turned = matrices(QUATS)
    assert turned.shape == (4, 5, 3, 3)
    np.testing.assert_allclose(
        turned @ np.swapaxes(turned, -1, -2), np.broadcast_to(np.eye(3), (4, 5, 3, 3)), atol=1e-14
    )
    np.testing.assert_allclose(np.linalg.det(turned), 1.0, atol=1e-14)
    for i, row in enumerate(entries(QUATS)):
        for j, entry in enumerate(row):
            np.testing.assert_array_equal(entry, turned[..., i, j])


def test_a_turn_about_the_vertical_comes_after() -> None:
    c, s = np.cos(0.4), np.sin(0.4)
    about = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(matrices(yawed(QUATS, 0.4)), about @ matrices(QUATS), atol=1e-14)
