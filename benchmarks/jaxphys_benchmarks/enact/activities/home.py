"""Activities in living rooms and bathrooms (ENACT specification, section 14: 1, 11, 20, 22, 23, 26, 29, 34)."""

from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene, spots

MIDDLE = (0.0, 0.0)


def assembling_gift_baskets(s: Scene) -> None:
    """Two baskets are filled, and a bow goes onto a gift."""
    table = s.fixture("coffee_table")
    wicker = s.put("wicker_basket", on=table, at=(-0.95, 0.9), yaw=0.0)
    fruit = s.put("fruit_basket", on=table, at=(0.95, 0.9), yaw=0.0)
    gift = s.put("gift_box", on=table, at=(0.0, 0.8), yaw=0.0)
    sweets = ("red_candle", "swiss_cheese", "jar_of_honey", "apple", "butter_cookie", "box_of_tea", "teddy_bear")
    bow, *names = s.row(("bow", *s.some(sweets, 6)), table, spots(7, u=(-0.95, 0.95), v=(-0.85, -0.85)))
    for k, name in enumerate(s.shuffled(names)):
        s.move(name, into=(wicker, fruit)[k % 2])
    s.move(gift, on=table)
    s.move(bow, on=gift, at=MIDDLE)
    for name in names[:2]:
        s.move(name, on=table)
    s.move(names[0], into=fruit)


def collecting_childrens_toys(s: Scene) -> None:
    """Toys from a table go to their shelves; some come back and are sorted anew."""
    bookcase, table = s.fixture("bookcase"), s.fixture("console_table")
    toys = ("teddy_bear", "toy_car", "toy_blocks", "jigsaw_puzzle", "softball", "plush_panda")
    names = s.row(s.some(toys, 5), table, spots(5, u=(-0.98, 0.98), v=MIDDLE))
    novel = s.put("novel", inside=bookcase, level=0)
    for k, name in enumerate(s.shuffled(names)):
        s.move(name, into=bookcase, level=k % 2)
    s.move(novel, on=table)
    for name in names[:3]:
        s.move(name, on=table)
    s.move(novel, into=bookcase, level=1)
    for name in s.shuffled(names[:3]):
        s.move(name, into=bookcase, level=0)


def picking_up_toys(s: Scene) -> None:
    """Toys from the floor go into a box."""
    box = s.put("toy_box", at=s.ground(1.15, -0.55, 0.24), yaw=0.0)
    toys = ("teddy_bear", "toy_car", "toy_blocks", "jigsaw_puzzle", "softball", "basketball", "beach_ball", "toy_truck")
    places = s.shuffled([(x, y) for x in (0.5, 0.8, 1.5, 1.8) for y in (-0.2, 0.15)])
    names = [s.put(kind, at=s.ground(x, y)) for kind, (x, y) in zip(s.some(toys, 6), places, strict=False)]
    for name in names:
        s.move(name, into=box)
    for name, (x, y) in zip(names[-2:], places[:2], strict=True):
        s.move(name, on=s.floor, at=s.ground(x, y))
    for name in names[-2:]:
        s.move(name, into=box)


def putting_away_halloween_decorations(s: Scene) -> None:
    """Lanterns and pumpkins go into the cabinet."""
    cabinet, shelf = s.fixture("cabinet"), s.fixture("shelf")
    kinds = s.shuffled(("jack_o_lantern", "pumpkin", "lantern", "paper_lantern", "candle", "red_candle"))
    names = [s.put(kind, on=shelf, at=(u, 0.0)) for kind, u in zip(kinds[:4], (-0.9, -0.3, 0.3, 0.9), strict=True)]
    names += [s.put(kind, inside=shelf, level=0, at=(u, 0.0)) for kind, u in zip(kinds[4:], (-0.5, 0.5), strict=True)]
    vase = s.put("vase", inside=cabinet, level=0, at=MIDDLE)
    s.open(cabinet)
    s.move(vase, on=shelf)
    for name in names[3:]:
        s.move(name, into=cabinet, level=0)
    s.close(cabinet)
    s.wait(1.0)
    s.open(cabinet)
    for name in names[:3]:
        s.move(name, into=cabinet, level=1)
    s.close(cabinet)


def putting_up_christmas_decorations(s: Scene) -> None:
    """Gifts go under the tree, the rest onto the furniture."""
    sofa, side = s.fixture("sofa"), s.fixture("side_table")
    tree = s.fixture("christmas_tree")
    kinds = ("gift_box", "wreath", "christmas_stocking", "red_candle", "christmas_ornament", "teddy_bear")
    gift, wreath, stocking, candle, ornament, bear = s.row(kinds, sofa, spots(6, u=(-0.95, 0.95), v=(-0.5, -0.5)))
    for what, (x, y) in s.shuffled(((gift, (-0.36, 0.06)), (bear, (-0.2, 0.34)))):
        s.move(what, on=s.floor, at=s.ground(2.1 + x, -0.55 + y))
    s.move(wreath, on=side)
    for what in s.shuffled((candle, ornament)):
        s.move(what, on=side)
    s.move(stocking, on=sofa)
    s.look(tree)
    s.move(ornament, on=sofa)
    s.move(bear, on=sofa)
    s.move(candle, on=sofa)


def sorting_household_items(s: Scene) -> None:
    """What stands about in a bathroom is sorted."""
    counter, cabinet, sink = s.fixture("bathroom_counter"), s.fixture("medicine_cabinet"), s.fixture("bathroom_sink")
    basket = s.put("wicker_basket", on=counter, at=(-0.95, 0.7), yaw=0.0)
    tall = s.some(("soap_bottle", "shampoo_bottle", "toilet_paper", "candle"), 3)
    small = s.some(("toothpaste", "hairbrush", "razor", "sponge", "bar_of_soap"), 3)
    names = s.row((*tall, *small), counter, (*spots(4, v=(-0.9, -0.9)), (0.9, 0.2), (0.3, 0.6)))
    s.press(sink)
    s.wait(1.5)
    s.press(sink)
    for name in s.shuffled(names[3:]):
        s.move(name, into=basket)
    s.open(cabinet)
    for name in s.shuffled(names[:3]):
        s.move(name, into=cabinet, level=0)
    s.close(cabinet)
    s.move(names[3], on=counter)
    s.open(cabinet)
    s.move(names[0], on=counter)
    s.close(cabinet)
    s.press(sink)
    s.wait(1.0)
    s.press(sink)


def wash_dog_toys(s: Scene) -> None:
    """Toys are washed in the machine."""
    washer, sink = s.fixture("washer"), s.fixture("bathroom_sink")
    soap = s.put("detergent_bottle", on=washer, at=(-0.9, 0.6))
    basket = s.put("laundry_basket", on=washer, at=(0.9, 0.6), yaw=0.0)
    toys = s.some(("teddy_bear", "softball", "tennis_ball", "sponge"), 3)
    names = [s.put(kind, inside=basket, at=(u, 0.0)) for kind, u in zip(toys, (-0.9, 0.0, 0.9), strict=True)]
    s.open(washer)
    for name in names:
        s.move(name, into=washer)
    s.close(washer)
    s.move(soap, on=washer)
    s.press(washer)
    s.wait(4.0)
    s.press(washer)
    s.open(washer)
    for name in s.shuffled(names):
        s.move(name, into=basket)
    s.close(washer)
    s.press(sink)
    s.wait(1.0)
    s.press(sink)


def laundry_to_the_washer(s: Scene) -> None:
    """Clothes go from the basket into the washer and back."""
    washer, sink = s.fixture("washer"), s.fixture("bathroom_sink")
    basket = s.put("laundry_basket", on=washer, at=(0.5, 0.0), yaw=0.0)
    clothes = s.some(("jeans", "t_shirt", "sweater", "towel"), 2)
    names = [s.put(kind, inside=vessel) for kind, vessel in zip((*clothes, "sock"), (basket, sink, sink), strict=True)]
    s.open(washer)
    for name in names:
        s.move(name, into=washer)
    s.close(washer)
    s.press(washer)
    s.wait(4.0)
    s.press(washer)
    s.open(washer)
    s.move(names[2], into=sink)
    s.move(names[1], into=basket)
    s.move(names[0], into=basket)
    s.close(washer)
    s.press(sink)
    s.wait(2.0)
    s.press(sink)


ACTIVITIES = (
    Activity("assembling_gift_baskets", "Fill gift baskets", "living_room", assembling_gift_baskets),
    Activity("collecting_childrens_toys", "Collect toys to the bookcase", "living_room", collecting_childrens_toys),
    Activity("picking_up_toys", "Pick up toys", "living_room", picking_up_toys),
    Activity(
        "putting_away_Halloween_decorations", "Put away lanterns and pumpkins", "garage",
        putting_away_halloween_decorations,
    ),
    Activity(
        "putting_up_Christmas_decorations_inside", "Put up decorations", "living_room", putting_up_christmas_decorations
    ),
    Activity("sorting_household_items", "Sort what stands about in the bathroom", "bathroom", sorting_household_items),
    Activity("wash_dog_toys", "Wash toys in the washer", "bathroom", wash_dog_toys),
    Activity("laundry_to_the_washer", "Laundry to the washer", "bathroom", laundry_to_the_washer, published=False),
)  # fmt: skip
