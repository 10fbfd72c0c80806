"""Lenses of the head camera: field of view from the aperture, and the fisheye (ENACT specification, section 13)."""

import math

import numpy as np

from jaxphys_benchmarks.enact.config_world import Camera


def fov_deg(camera: Camera) -> float:
    """Field of view of a square picture: 2 atan(aperture / 2 focal length); 99.3° by default."""
    return math.degrees(2 * math.atan(camera.aperture / (2 * camera.focal_length)))


FACE_FOV_DEG = 90.0
"""Field of view of a face of the cube."""

FACES: tuple[tuple[str, np.ndarray], ...] = (
    ("ahead", np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])),
    ("left", np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])),
    ("right", np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])),
    ("up", np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]])),
    ("down", np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])),
)
"""Five faces of a cube about the camera, of 90° each: columns are ahead, left and up of a face in the camera's axes."""


def fisheye_map(
    size_px: int, face_px: int, coefficients: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each pixel of a fisheye picture is on the faces of the cube.

    A ray at the angle θ from ahead meets the picture at r(θ) = f (c₁ θ + c₂ θ³ + ...) from its middle; f is such that
    the rim of the picture, the middle of its sides, is at 90°. What lies behind is black.

    Args:
        size_px: width and height of the picture. face_px: of a face. coefficients: c₁, c₂, ...

    Returns:
        face: (h, w) number of the face, or -1. row, column: (h, w) px on the face, of the nearest pixel.

    Raises:
        ValueError: the polynomial does not rise from 0 to 90°.
    """
    angles = np.linspace(0, np.pi / 2, 2049)
    radii = np.sum([c * angles ** (2 * k + 1) for k, c in enumerate(coefficients)], axis=0)
    if np.any(np.diff(radii) <= 0):
        raise ValueError(f"fisheye_coefficients: {coefficients} do not rise from 0 to 90°; give others")
    half = size_px / 2
    across = (np.arange(size_px) + 0.5 - half) / half
    right, down = np.meshgrid(across, across)
    radius = np.hypot(right, down)
    theta = np.interp(radius * radii[-1], radii, angles)
    scale = np.sin(theta) / np.maximum(radius, 1e-12)
    ray = np.stack([np.cos(theta), -right * scale, -down * scale], axis=-1)
    face = np.full(radius.shape, -1)
    row, column = np.zeros(radius.shape, int), np.zeros(radius.shape, int)
    best = np.full(radius.shape, -np.inf)
    for number, (_, axes) in enumerate(FACES):
        along = ray @ axes
        ahead, left, up = along[..., 0], along[..., 1], along[..., 2]
        better = (ahead > best) & (radius <= 1)
        best = np.where(better, ahead, best)
        face = np.where(better, number, face)
        safe = np.where(ahead > 1e-9, ahead, 1)
        column = np.where(better, np.clip((1 - left / safe) * face_px / 2, 0, face_px - 1), column).astype(int)
        row = np.where(better, np.clip((1 - up / safe) * face_px / 2, 0, face_px - 1), row).astype(int)
    return face, row, column


def fisheye(faces: np.ndarray, mapped: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
    """The picture (h, w, 3) from the five faces (5, p, p, 3), as `fisheye_map` says."""
    face, row, column = mapped
    picture: np.ndarray = faces[np.maximum(face, 0), row, column]
    return np.where(face[..., None] < 0, 0, picture).astype(faces.dtype)
