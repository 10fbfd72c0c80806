"""Food and drink in packages, and what they are served in. A row is one thing."""

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.shapes import bag, bottle, bowl, carton, gable, mug, plate, tin, tray
from jaxphys_benchmarks.enact.world.things import Edge, Thing, about

STEEL, DARK = "#b8bec4", "#2d3138"


def knife(category: str, handle: str, length: float = 0.13) -> Thing:
    """It stands on its edge as in a rest, the handle to the right; the edge runs along x."""
    forge = Forge(category)
    forge.draw("box", (length, 0.004, 0.026), (-length, 0.0, 0.027), "#dfe5ea", finish="metal")
    forge.draw(
        "wedge", (0.004, 0.026, 0.03), (-2 * length - 0.025, 0.0, 0.027), "#dfe5ea", turn=about((0, 0, 1), 1.5708)
    )
    forge.draw("box", (0.06, 0.013, 0.017), (0.06, 0.0, 0.038), handle)
    forge.bound((length + 0.06, 0.018, 0.026), (0.06 - length, 0.0, 0.026))
    forge.edge = Edge((-2 * length, 0.0, 0.0), (0.0, 0.0, 0.0))
    forge.grip((0.06, 0.0, 0.05))
    return forge.made(0.2)


def pan(category: str, colour: str, radius: float, height: float) -> Thing:
    """A round vessel with a long handle to its right."""
    forge = Forge(category)
    low = bowl(category, colour, radius, height, inner="#4a4f57")
    handle = (0.1, 0.014, 0.009)
    forge.parts += low.parts
    forge.draw("box", handle, (radius + 0.09, 0.0, height), DARK)
    forge.shapes += low.shapes
    forge.bound((0.05, 0.012, 0.009), (radius + 0.03, 0.0, height))
    forge.fills += low.fills
    forge.surfaces += low.surfaces
    forge.grip((radius + 0.06, 0.0, height + 0.01))
    return forge.made(0.8)


def jar(category: str, glass: str, lid: str, radius: float = 0.07, height: float = 0.15) -> Thing:
    """An open glass with a lid on a hinge at its back."""
    forge = Forge(category)
    wide, wall = SQUARE * radius, 0.008
    forge.draw("tube", (radius, radius, height / 2), (0.0, 0.0, height / 2), glass)
    forge.draw("cylinder", (0.95 * radius, 0.95 * radius, 0.006), (0.0, 0.0, 0.006), glass)
    forge.bound((wide, wide, 0.006), (0.0, 0.0, 0.006))
    up = height / 2 - 0.006
    for sign in (-1.0, 1.0):
        forge.bound((wall / 2, wide, up), (sign * (wide - wall / 2), 0.0, 0.012 + up))
        forge.bound((wide - wall, wall / 2, up), (0.0, sign * (wide - wall / 2), 0.012 + up))
    forge.fill((wide - wall, wide - wall, height / 2 + 0.02), (0.0, 0.0, height / 2 + 0.02))
    forge.top(wide - wall, wide - wall, (0.0, 0.0, 0.012))
    front = -radius - 0.012
    forge.hinge("lid", (0.0, radius, height + 0.01), (-1.0, 0.0, 0.0), 1.9, (0.0, front, height + 0.015))
    forge.draw("cylinder", (1.06 * radius, 1.06 * radius, 0.011), (0.0, 0.0, height + 0.011), lid, link="lid")
    forge.draw("box", (0.016, 0.014, 0.007), (0.0, front, height + 0.012), STEEL, link="lid", finish="metal")
    forge.bound((wide, wide, 0.011), (0.0, 0.0, height + 0.011), link="lid")
    forge.grip((0.0, wide, 0.75 * height))
    return forge.made(0.6)


def cutlery(category: str, head: tuple[float, float], tines: int, colour: str = STEEL) -> Thing:
    """A handle along x with a head at its left: a fork, a spoon."""
    forge = Forge(category)
    forge.draw("box", (0.09, 0.007, 0.005), (0.03, 0.0, 0.006), colour, finish="metal")
    wide, long = head
    if tines:
        forge.draw("box", (0.012, wide, 0.005), (-0.07, 0.0, 0.006), colour, finish="metal")
        for k in range(tines):
            y = wide * (2 * k / (tines - 1) - 1)
            forge.draw("box", (long, 0.004, 0.005), (-0.08 - long, y, 0.006), colour, finish="metal")
    else:
        forge.draw("ellipsoid", (long, wide, 0.008), (-0.06 - long, 0.0, 0.008), colour, finish="metal")
    forge.bound((0.11, 0.016, 0.006), (0.0, 0.0, 0.006))
    forge.grip((0.06, 0.0, 0.012))
    return forge.made(0.1)


def board(category: str, half: tuple[float, float], colour: str) -> Thing:
    """A flat board to cut on."""
    forge = Forge(category)
    forge.box((*half, 0.01), (0.0, 0.0, 0.01), colour)
    forge.draw("cylinder", (0.018, 0.018, 0.001), (half[0] - 0.035, 0.0, 0.0205), DARK)
    forge.top(0.85 * half[0], half[1] - 0.01, (0.0, 0.0, 0.02))
    forge.grip((half[0] - 0.01, 0.0, 0.02))
    return forge.made(0.7)


SQUARE = 0.82

PACKED: tuple[Thing, ...] = (
    bottle("water_bottle", "#7ec8f0", "#1f5fbf", "#ffffff"),
    bottle("juice_bottle", "#f09a2a", "#2f8f3a", "#fff3c4"),
    bottle("wine_bottle", "#2c4a2e", "#7a1f2b", "#efe6cf", 0.042, 0.31),
    bottle("beer_bottle", "#8a4f1d", "#d9b23a", "#e8d9a0", 0.036, 0.24),
    bottle("olive_oil_bottle", "#a5a92c", "#2d3138", "#e9e0b8", 0.038, 0.28),
    bottle("ketchup_bottle", "#c8241c", "#ffffff", "#f4e9d0", 0.036, 0.22),
    bottle("soap_bottle", "#b48ad9", "#ffffff", "#efe3fa", 0.036, 0.2),
    bottle("shampoo_bottle", "#2ea39a", "#f0f0f0", "#d7f3ee", 0.036, 0.22),
    bottle("detergent_bottle", "#2f6fd0", "#f08c1f", "#ffffff", 0.06, 0.27),
    tin("can_of_soda", "#c8102e", "#ffffff", 0.034, 0.13),
    tin("can_of_beans", "#2c8c6b", "#f3e6b3"),
    tin("can_of_corn", "#f0c020", "#3f8a3a"),
    tin("can_of_meat", "#5b6bb5", "#f0c9b8"),
    tin("can_of_pet_food", "#d95f9a", "#ffffff", 0.045, 0.09),
    tin("jar_of_jam", "#8c1f3f", "#f6e9ef", 0.042, 0.11),
    tin("jar_of_honey", "#e09a1a", "#fff4cf", 0.042, 0.12),
    tin("jar_of_coffee", "#5a3a22", "#e7d3b0", 0.045, 0.13),
    tin("jar_of_sugar", "#f4f4f4", "#5f8fd0", 0.045, 0.13),
    carton("box_of_cereal", (0.085, 0.035, 0.13), "#f0b41e", "#d2372b", second="#2f6fd0"),
    carton("box_of_oatmeal", (0.075, 0.04, 0.11), "#c9a26b", "#7a2f2a"),
    carton("box_of_pasta", (0.06, 0.03, 0.12), "#2458a8", "#f3d98a"),
    carton("box_of_crackers", (0.09, 0.035, 0.09), "#c23b2e", "#f7d774"),
    carton("box_of_tea", (0.06, 0.045, 0.06), "#3f8f5a", "#f4efd9"),
    carton("box_of_tissues", (0.11, 0.06, 0.05), "#7fb3d8", "#ffffff", second="#ffffff"),
    bag("bag_of_chips", (0.085, 0.04, 0.1), "#f2c12e", "#d1321f", mass=0.1),
    bag("bag_of_rice", (0.09, 0.05, 0.11), "#f3efe2", "#b8372c", mass=1.0),
    bag("bag_of_flour", (0.075, 0.05, 0.1), "#fbfbf7", "#3a6fb5", mass=1.0),
    bag("bag_of_pet_food", (0.1, 0.06, 0.14), "#a35db5", "#f7e27a", mass=0.8),
    bag("bag_of_coffee", (0.055, 0.035, 0.09), "#4a2c1a", "#d9a24a", mass=0.3),
    carton("chocolate_box", (0.1, 0.07, 0.02), "#6b1f2b", "#e3b23c", second="#e3b23c"),
    carton("stick_of_butter", (0.06, 0.03, 0.025), "#f7e07a", "#3a6fb5"),
    carton("coffee_filter", (0.055, 0.055, 0.03), "#d9c3a0", "#8a5a32"),
    gable("milk_carton", (0.042, 0.042, 0.12), "#f4f7fb", "#2f72c4"),
    gable("orange_juice_carton", (0.042, 0.042, 0.12), "#f7a32b", "#ffffff"),
)

SERVED: tuple[Thing, ...] = (
    bowl("bowl", "#4f86c6"),
    bowl("mixing_bowl", "#c7ccd1", 0.14, 0.1, "#e9edf0"),
    bowl("salad_bowl", "#a8703a", 0.14, 0.09, "#c99a62"),
    bowl("pet_bowl", "#d6452f", 0.1, 0.05, "#b8bec4"),
    bowl("casserole", "#b5472f", 0.13, 0.08),
    bowl("stockpot", "#9aa3ab", 0.12, 0.14),
    plate("plate", "#f4f6f8", rim="#5f8fd0"),
    plate("dessert_plate", "#fbe9ef", 0.1, "#d95f7a"),
    plate("platter", "#f2ead8", 0.16, "#9c6b3a"),
    plate("saucer", "#eef5ee", 0.08, "#5fae6f"),
    mug("mug", "#d9432f"),
    mug("coffee_cup", "#3f7fbf", 0.04, 0.09),
    mug("teacup", "#f3d14f", 0.045, 0.075),
    pan("frying_pan", "#b8402f", 0.15, 0.05),
    pan("saucepan", "#aab2ba", 0.1, 0.11),
    jar("hinged_jar", "#cfe6ea", "#b5642f"),
    jar("cookie_jar", "#e8d2ae", "#8f3f2a", 0.08, 0.16),
    knife("carving_knife", "#2b2b2b"),
    knife("parer", "#b5342b", 0.1),
    cutlery("fork", (0.014, 0.025), 4),
    cutlery("spoon", (0.022, 0.032), 0),
    board("chopping_board", (0.2, 0.14), "#d9ab6a"),
    board("cutting_mat", (0.18, 0.13), "#5fae9a"),
    tray("serving_tray", (0.2, 0.15, 0.02), "#8a5a32", handles="#2d3138"),
    tray("baking_sheet", (0.19, 0.15, 0.012), "#7c858e"),
    tray("tupperware", (0.13, 0.09, 0.045), "#8fc9e8", handles="#2f6fd0"),
    tray("lunch_tray", (0.18, 0.13, 0.015), "#e08a3a"),
)
