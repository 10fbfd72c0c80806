"""Colours of the pictures: the plain look, and another one for the visual perturbation set.

The cue ball stands out in hue and in lightness; the colours of the paths are told apart with the common
kinds of colour blindness (after Okabe and Ito).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours as "#rrggbb".

    Attributes:
        page, cloth, grid, rail, text: background, table, its grid, its walls, axes and captions.
        cue, ball, outline, id_on_cue, id: discs and the ids on them.
        arrow, hit: the cue velocity and the mark of a contact between balls.
        ghosts: (fill, line) of a start place: of another ball, of the cue ball.
        ghost_id: ids on start places.
        paths: of the balls 1, 2, …, repeated.
        pocket: fill of the pockets.
        bar, bar_faint: charts.
    """

    page: str
    cloth: str
    grid: str
    rail: str
    text: str
    cue: str
    ball: str
    outline: str
    id_on_cue: str
    id: str
    arrow: str
    hit: str
    ghosts: tuple[tuple[str, str], tuple[str, str]]
    ghost_id: str
    paths: tuple[str, ...]
    pocket: str
    bar: str
    bar_faint: str


PALETTES: dict[str, Palette] = {
    "plain": Palette(
        page="#ffffff",
        cloth="#f3f6f2",
        grid="#dde4dc",
        rail="#2f3b35",
        text="#2b2f2d",
        cue="#d1432f",
        ball="#2e5e8c",
        outline="#16211c",
        id_on_cue="#ffffff",
        id="#ffffff",
        arrow="#16211c",
        hit="#f2c14e",
        ghosts=(("#dbe6f0", "#7d9cba"), ("#f8dcd7", "#d98a7e")),
        ghost_id="#4a5560",
        paths=("#2e5e8c", "#009e73", "#a0569b", "#56a3d9", "#b07d00", "#5a5f66"),
        pocket="#3a3f3c",
        bar="#2e5e8c",
        bar_faint="#b9c9d8",
    ),
    "other": Palette(
        page="#20262b",
        cloth="#1d5c46",
        grid="#2d6b55",
        rail="#c8a97e",
        text="#e8ecef",
        cue="#ffffff",
        ball="#e0a526",
        outline="#101413",
        id_on_cue="#101413",
        id="#101413",
        arrow="#ff6f59",
        hit="#ff6f59",
        ghosts=(("#3a6c55", "#d9bd74"), ("#4b8672", "#e4efe9")),
        ghost_id="#f2f5f3",
        paths=("#e0a526", "#7bd3ae", "#e29fd8", "#8fc9f2", "#f3d98b", "#c9d1d8"),
        pocket="#0d1110",
        bar="#e0a526",
        bar_faint="#7d6a3a",
    ),
}
"""Sets of colours by name."""
