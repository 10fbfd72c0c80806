"""Books, papers, tools, boxes and luggage. A row is one thing."""

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.shapes import ALONG_X, DARK, STEEL, book, carton, tool, tray
from jaxphys_benchmarks.enact.world.things import Edge, Thing, about

RED, BLUE, YELLOW, GREEN = "#d83a34", "#2f6fd0", "#f2c12e", "#3f9a4a"
WICKER = "#b98a4e"


def chest(category: str, half: tuple[float, float, float], colour: str, lid: str, mass: float = 1.5) -> Thing:
    """A box with a hinged lid at its back and a handle on the lid: a tool box, a lunch box, a suitcase."""
    forge = Forge(category)
    a, b, c = half
    forge.cavity((a, b, c), (0.0, 0.0, c), 0.012, colour)
    top = 2 * c
    forge.hinge("lid", (0.0, b, top), (-1.0, 0.0, 0.0), 1.9, (0.0, -b - 0.012, top + 0.012))
    forge.draw("box", (a + 0.004, b + 0.004, 0.012), (0.0, 0.0, top + 0.012), lid, link="lid")
    forge.bound((a, b, 0.012), (0.0, 0.0, top + 0.012), link="lid")
    forge.draw("box", (0.4 * a, 0.012, 0.01), (0.0, 0.0, top + 0.045), DARK, link="lid")
    for sign in (-1.0, 1.0):
        forge.draw("box", (0.01, 0.012, 0.018), (sign * 0.36 * a, 0.0, top + 0.03), DARK, link="lid")
    forge.draw("box", (0.03, 0.008, 0.016), (0.0, -b - 0.008, top), STEEL, link="lid", finish="metal")
    forge.grip((0.0, b - 0.006, top))
    return forge.made(mass)


def luggage(
    category: str, half: tuple[float, float, float], colour: str, trim: str, mass: float, *, soft: bool
) -> Thing:
    """A case with a handle and two straps; rounded where it is soft."""
    forge = Forge(category)
    a, b, c = half
    if soft:
        forge.draw("capsule", (b, b, a), (0.0, 0.0, c), colour, turn=ALONG_X)
        forge.draw("box", (0.8 * a, b, 0.92 * c), (0.0, 0.0, 0.92 * c), colour)
    else:
        forge.draw("box", half, (0.0, 0.0, c), colour)
    for sign in (-0.5, 0.5):
        forge.draw("box", (0.02, b + 0.004, c + 0.003), (sign * a, 0.0, c), trim)
    if soft:
        forge.draw("box", (0.3 * a, 0.012, 0.008), (0.0, 0.0, 2 * c + 0.035), DARK)
        for sign in (-1.0, 1.0):
            forge.draw("box", (0.01, 0.012, 0.02), (sign * 0.28 * a, 0.0, 2 * c + 0.018), DARK)
    else:
        # The handle in front: things may stand on a hard case.
        forge.draw("box", (0.3 * a, 0.008, 0.012), (0.0, -b - 0.035, 1.6 * c), DARK)
        for sign in (-1.0, 1.0):
            forge.draw("box", (0.01, 0.018, 0.012), (sign * 0.28 * a, -b - 0.018, 1.6 * c), DARK)
        forge.top(0.9 * a, 0.9 * b, (0.0, 0.0, 2 * c))
    forge.bound(half, (0.0, 0.0, c))
    forge.grip((0.0, 0.0, 2 * c + (0.03 if soft else -0.02)))
    return forge.made(mass)


def backpack() -> Thing:
    """A rounded bag with a pocket and straps."""
    forge = Forge("backpack")
    forge.draw("box", (0.12, 0.07, 0.12), (0.0, 0.0, 0.12), "#8f2f6a")
    forge.draw("ellipsoid", (0.12, 0.07, 0.1), (0.0, 0.0, 0.23), "#8f2f6a")
    forge.draw("box", (0.08, 0.03, 0.06), (0.0, -0.075, 0.08), "#f2c12e")
    for sign in (-1.0, 1.0):
        forge.draw("capsule", (0.014, 0.014, 0.11), (sign * 0.06, 0.08, 0.17), DARK)
    forge.draw("capsule", (0.009, 0.009, 0.035), (0.0, 0.0, 0.34), DARK, turn=ALONG_X)
    forge.bound((0.12, 0.08, 0.165), (0.0, 0.0, 0.165))
    return forge.made(1.0)


def drill() -> Thing:
    """A body with a chuck and bit, a handle and a battery."""
    forge = Forge("electric_drill")
    forge.draw("capsule", (0.032, 0.032, 0.08), (0.01, 0.0, 0.15), YELLOW, turn=ALONG_X)
    forge.draw("cylinder", (0.02, 0.02, 0.025), (-0.08, 0.0, 0.15), DARK, turn=ALONG_X)
    forge.draw("cylinder", (0.006, 0.006, 0.03), (-0.125, 0.0, 0.15), STEEL, turn=ALONG_X, finish="metal")
    forge.draw("box", (0.022, 0.02, 0.06), (0.045, 0.0, 0.085), DARK)
    forge.draw("box", (0.055, 0.035, 0.02), (0.035, 0.0, 0.02), YELLOW)
    forge.bound((0.075, 0.035, 0.09), (0.0, 0.0, 0.09))
    return forge.made(1.0)


def pliers() -> Thing:
    """Two handles that meet in a jaw; it lies."""
    forge = Forge("pliers")
    for sign in (-1.0, 1.0):
        arm = about((0.0, 0.0, 1.0), sign * 0.16)
        forge.draw("box", (0.06, 0.009, 0.011), (0.05, sign * 0.02, 0.012), RED, turn=arm)
        forge.draw(
            "box", (0.03, 0.009, 0.011), (-0.045, sign * 0.007, 0.012), STEEL, turn=about((0, 0, 1), -sign * 0.16)
        )
    forge.draw("cylinder", (0.017, 0.017, 0.012), (-0.012, 0.0, 0.013), "#5a626a")
    forge.bound((0.095, 0.03, 0.012), (0.02, 0.0, 0.012))
    return forge.made(0.3)


def wrench() -> Thing:
    """A bar with an open jaw; it lies."""
    forge = Forge("wrench")
    forge.draw("box", (0.09, 0.012, 0.01), (0.02, 0.0, 0.012), "#aab2ba", finish="metal")
    for sign in (-1.0, 1.0):
        forge.draw("box", (0.026, 0.01, 0.012), (-0.095, sign * 0.024, 0.012), "#aab2ba", finish="metal")
    forge.draw("box", (0.012, 0.034, 0.012), (-0.07, 0.0, 0.012), "#aab2ba", finish="metal")
    forge.draw("tube", (0.024, 0.024, 0.012), (0.115, 0.0, 0.012), "#aab2ba", finish="metal")
    forge.bound((0.125, 0.025, 0.012), (0.0, 0.0, 0.012))
    return forge.made(0.4)


def screwdriver() -> Thing:
    """A thick handle with a thin blade; it lies."""
    forge = Forge("screwdriver")
    forge.draw("capsule", (0.019, 0.019, 0.055), (0.055, 0.0, 0.019), "#f28a1e", turn=ALONG_X)
    forge.draw("cylinder", (0.006, 0.006, 0.055), (-0.045, 0.0, 0.019), STEEL, turn=ALONG_X, finish="metal")
    forge.draw("box", (0.012, 0.011, 0.003), (-0.1, 0.0, 0.019), STEEL, finish="metal")
    forge.bound((0.11, 0.017, 0.019), (0.0, 0.0, 0.019))
    forge.grip((0.055, 0.0, 0.03))
    return forge.made(0.2)


def stapler() -> Thing:
    """A jaw over a foot; it lies."""
    forge = Forge("stapler")
    forge.draw("box", (0.085, 0.02, 0.008), (0.0, 0.0, 0.008), DARK)
    forge.draw("box", (0.08, 0.018, 0.014), (0.005, 0.0, 0.045), RED, turn=about((0.0, 1.0, 0.0), -0.15))
    forge.draw("box", (0.02, 0.018, 0.022), (0.06, 0.0, 0.03), RED)
    forge.bound((0.085, 0.02, 0.03), (0.0, 0.0, 0.03))
    return forge.made(0.3)


def mouse() -> Thing:
    """It lies, with a wheel and a line between its keys."""
    forge = Forge("mouse")
    forge.draw("ellipsoid", (0.035, 0.055, 0.024), (0.0, 0.0, 0.018), "#4a4f57")
    forge.draw("box", (0.0015, 0.022, 0.003), (0.0, -0.025, 0.038), "#d5d9dc")
    forge.draw("cylinder", (0.008, 0.008, 0.005), (0.0, -0.02, 0.038), "#3f86d8", turn=ALONG_X)
    forge.bound((0.03, 0.045, 0.018), (0.0, 0.0, 0.018))
    return forge.made(0.15)


def keys(category: str, half: tuple[float, float, float], rows: int, columns: int, *, screen: bool) -> Thing:
    """A plate with keys, and a screen above them: a keyboard, a calculator."""
    forge = Forge(category)
    a, b, c = half
    forge.box(half, (0.0, 0.0, c), "#3a3f47")
    low = 0.45 * b if screen else 0.8 * b
    for j in range(rows):
        for k in range(columns):
            x = 0.85 * a * (2 * k / (columns - 1) - 1)
            y = -0.8 * b + (low + 0.8 * b) * j / (rows - 1)
            forge.draw("box", (0.6 * a / columns, 0.5 * b / rows, 0.003), (x, y, 2 * c), "#e3e6ea")
    if screen:
        forge.draw("box", (0.85 * a, 0.16 * b, 0.002), (0.0, 0.76 * b, 2 * c), "#9fd8b0")
    return forge.made(0.3)


def holder(category: str, colour: str) -> Thing:
    """An open cup for pens."""
    forge = Forge(category)
    radius, height = 0.05, 0.11
    forge.draw("tube", (radius, radius, height / 2), (0.0, 0.0, height / 2), colour)
    forge.draw("cylinder", (0.9 * radius, 0.9 * radius, 0.004), (0.0, 0.0, 0.004), colour)
    wide, wall = 0.82 * radius, 0.006
    forge.bound((wide, wide, 0.004), (0.0, 0.0, 0.004))
    up = height / 2 - 0.004
    for sign in (-1.0, 1.0):
        forge.bound((wall / 2, wide, up), (sign * (wide - wall / 2), 0.0, 0.008 + up))
        forge.bound((wide - wall, wall / 2, up), (0.0, sign * (wide - wall / 2), 0.008 + up))
    forge.fill((wide, wide, height / 2 + 0.05), (0.0, 0.0, height / 2 + 0.05))
    forge.top(wide - wall, wide - wall, (0.0, 0.0, 0.008))
    return forge.made(0.3)


def axe() -> Thing:
    """A handle along x with a blade at its left end, the edge down."""
    forge = Forge("axe")
    forge.draw("box", (0.3, 0.014, 0.02), (0.0, 0.0, 0.12), "#b5793f")
    forge.draw("box", (0.05, 0.016, 0.05), (-0.27, 0.0, 0.1), "#c0392b")
    forge.draw("box", (0.07, 0.009, 0.03), (-0.27, 0.0, 0.03), "#dfe5ea", finish="metal")
    forge.bound((0.31, 0.03, 0.07), (-0.02, 0.0, 0.07))
    forge.edge = Edge((-0.34, 0.0, 0.0), (-0.2, 0.0, 0.0))
    forge.grip((0.2, 0.0, 0.13))
    return forge.made(1.2)


def logs() -> tuple[Thing, Thing]:
    """An upright log and its half."""
    whole = Forge("log")
    whole.draw("cylinder", (0.09, 0.09, 0.14), (0.0, 0.0, 0.14), "#7b5230")
    whole.draw("cylinder", (0.082, 0.082, 0.002), (0.0, 0.0, 0.28), "#e0b982")
    whole.bound((0.078, 0.078, 0.14), (0.0, 0.0, 0.14))
    piece = Forge("half_log")
    piece.draw("box", (0.08, 0.035, 0.14), (0.0, 0.0, 0.14), "#7b5230")
    piece.draw("box", (0.076, 0.004, 0.138), (0.0, -0.034, 0.14), "#e0b982")
    piece.draw("box", (0.076, 0.032, 0.002), (0.0, 0.0, 0.28), "#e0b982")
    piece.bound((0.08, 0.037, 0.14), (0.0, 0.0, 0.14))
    return whole.made(1.5, halves="half_log"), piece.made(0.8)


def laptop() -> Thing:
    """A keyboard and a screen on a hinge."""
    forge = Forge("laptop")
    forge.box((0.15, 0.105, 0.009), (0.0, 0.0, 0.009), "#8f979f")
    forge.draw("box", (0.13, 0.05, 0.001), (0.0, 0.025, 0.0185), DARK)
    forge.hinge("lid", (0.0, 0.105, 0.02), (-1.0, 0.0, 0.0), 1.9, (0.0, -0.1, 0.024))
    forge.draw("box", (0.15, 0.105, 0.006), (0.0, 0.0, 0.025), "#a8b0b8", link="lid")
    forge.draw("box", (0.138, 0.09, 0.001), (0.0, 0.0, 0.0185), "#3f86d8", link="lid")
    forge.bound((0.15, 0.105, 0.006), (0.0, 0.0, 0.025), link="lid")
    forge.grip((0.0, 0.1, 0.02))
    return forge.made(1.2)


def lamp(category: str) -> Thing:
    """A table lamp with a button on its foot."""
    forge = Forge(category)
    forge.draw("cylinder", (0.075, 0.075, 0.012), (0.0, 0.0, 0.012), DARK)
    forge.draw("cylinder", (0.01, 0.01, 0.13), (0.0, 0.0, 0.14), "#c9a23c")
    forge.draw("taper", (0.11, 0.11, 0.07), (0.0, 0.0, 0.32), "#b5a98a", lit="#ffe27a")
    forge.bound((0.065, 0.065, 0.19), (0.0, 0.0, 0.19))
    forge.button((0.0, -0.055, 0.03))
    forge.grip((0.0, 0.0, 0.385))
    return forge.made(0.8)


def pen(category: str, colour: str, tip: str, length: float = 0.08) -> Thing:
    """A stick along x with a tip."""
    forge = Forge(category)
    forge.draw("capsule", (0.009, 0.009, length), (0.0, 0.0, 0.009), colour, turn=ALONG_X)
    forge.draw("cylinder", (0.0095, 0.0095, 0.014), (-length + 0.02, 0.0, 0.009), tip, turn=ALONG_X)
    forge.bound((length, 0.009, 0.009), (0.0, 0.0, 0.009))
    return forge.made(0.05)


OFFICE: tuple[Thing, ...] = (
    laptop(),
    lamp("table_lamp"),
    book("notebook", (0.085, 0.11, 0.014), "#2f6fd0"),
    book("hardback", (0.085, 0.12, 0.025), "#8f2f3f", "#f2c12e"),
    book("textbook", (0.1, 0.13, 0.03), "#2f8f5a"),
    book("novel", (0.07, 0.1, 0.02), "#e08a2a"),
    book("folder", (0.12, 0.15, 0.01), "#f2c12e", "#ffffff"),
    book("magazine", (0.1, 0.13, 0.008), "#d95f9a", "#ffffff"),
    book("binder", (0.12, 0.14, 0.032), "#3a3f8f", "#ffffff"),
    pen("pen", BLUE, "#111111"),
    pen("pencil", YELLOW, "#e58fb5"),
    pen("marker", GREEN, "#111111", 0.065),
    stapler(),
    keys("calculator", (0.06, 0.085, 0.01), 4, 4, screen=True),
    mouse(),
    keys("keyboard", (0.2, 0.07, 0.01), 4, 12, screen=False),
    tray("pencil_box", (0.11, 0.045, 0.025), "#d9b98a"),
    tray("document_tray", (0.14, 0.17, 0.035), "#3a3f47"),
    tray("wastebasket", (0.13, 0.13, 0.14), "#7c858e"),
    holder("pencil_holder", "#3f9a8f"),
)

GARAGE: tuple[Thing, ...] = (
    chest("toolbox", (0.22, 0.12, 0.09), "#c8322b", "#d94a3f"),
    chest("lunch_box", (0.14, 0.1, 0.05), "#2f8fd0", "#f2c12e", 0.6),
    chest("cooler", (0.24, 0.15, 0.14), "#2f6fd0", "#f4f7fb", 2.0),
    chest("storage_box", (0.22, 0.16, 0.12), "#8f979f", "#5f666e"),
    tool("hammer", 0.13, "#b5793f", "#5a626a", (0.022, 0.05, 0.022), mass=0.6),
    screwdriver(),
    wrench(),
    pliers(),
    tool("paintbrush", 0.11, "#b5793f", "#2f8f5a", (0.035, 0.03, 0.014), mass=0.15),
    drill(),
    carton("tape_measure", (0.04, 0.025, 0.035), "#f2c12e", "#2d3138", mass=0.2),
    luggage("suitcase", (0.2, 0.08, 0.14), "#2f5f8f", "#b5793f", 2.0, soft=False),
    luggage("duffel_bag", (0.22, 0.1, 0.1), "#3f7a4a", "#2d3138", 1.5, soft=True),
    backpack(),
    luggage("tent_bag", (0.25, 0.07, 0.07), "#e07a2a", "#3a3f47", 1.5, soft=True),
    carton("cardboard_box", (0.15, 0.12, 0.11), "#c39a62", "#8a6a3e", mass=0.8),
    tray("crate", (0.18, 0.14, 0.1), "#c79a5c", handles="#8a5a32", rough=True, stacks=True),
    tray("wooden_crate", (0.18, 0.14, 0.1), "#8a5f3a", handles="#5f3f24", rough=True, stacks=True),
    tray("plastic_crate", (0.18, 0.14, 0.1), "#2f8f8f", handles="#1f6f6f", stacks=True),
    tray("wicker_basket", (0.17, 0.13, 0.08), WICKER, handles="#8a5f2e", rough=True),
    tray("fruit_basket", (0.16, 0.12, 0.06), "#d9b06a", handles="#a87a3a", rough=True),
    tray("laundry_basket", (0.22, 0.17, 0.14), "#f4f7fb", handles="#2f6fd0"),
    tray("toy_box", (0.24, 0.18, 0.13), "#f2c12e", handles=RED),
    tray("paper_bag", (0.13, 0.09, 0.13), "#c9a06a"),
    axe(),
    *logs(),
)

WORK: tuple[Thing, ...] = (*OFFICE, *GARAGE)
