"""Activities at worktops and tables of a kitchen (ENACT specification, section 14: 6, 21, 25, 27, 30, 31, 35)."""

from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene, spots

MIDDLE = (0.0, 0.0)


def chop_an_onion(s: Scene) -> None:
    """An onion is diced into a bowl, which then stands on a plate; the knife goes into the sink."""
    counter, sink = s.fixture("second_countertop"), s.fixture("sink")
    board = s.put("chopping_board", on=counter, at=(0.1, -0.75), yaw=0.0)
    knife = s.put("parer", on=counter, at=(0.95, 0.95), yaw=0.0)
    onion, plate, bowl, tomato = s.row(
        ("vidalia_onion", "plate", "bowl", "tomato"), counter, ((-0.95, -0.6), (-0.9, 0.8), (-0.25, 0.95), (0.95, -0.5))
    )
    halves = s.cuttable(onion)
    s.press(sink)
    s.wait(1.0)
    s.press(sink)
    s.move(onion, on=board, at=(-0.2, 0.0), yaw=0.0)
    s.chop(onion, halves, knife)
    s.back(knife)
    s.take(board)
    s.pour(board, bowl)
    s.back(board)
    s.move(bowl, on=plate, at=MIDDLE)
    s.move(tomato, on=board, at=(1.0, 0.0))
    s.move(knife, into=sink, yaw=0.0)
    s.move(plate, on=board, at=(-1.0, 0.0), yaw=0.0)
    s.move(tomato, on=counter)
    s.take(bowl)
    s.pour(bowl, plate)
    s.place(bowl, on=counter)


def slicing_vegetables(s: Scene) -> None:
    """Two vegetables are diced one after the other into two vessels."""
    counter = s.fixture("countertop")
    board = s.put("chopping_board", on=counter, at=(0.0, -0.75), yaw=0.0)
    knife = s.put("carving_knife", on=counter, at=(0.9, 0.95), yaw=0.0)
    plants = s.some(("beet", "bell_pepper", "zucchini", "potato", "mushroom", "tomato", "lemon"), 2)
    bowl, casserole = s.row(("bowl", "casserole"), counter, ((-0.95, -0.5), (0.95, -0.3)))
    names = [s.put(plant, on=counter, at=(u, 0.9)) for plant, u in zip(plants, (-0.6, -0.2), strict=True)]
    halves = [s.cuttable(name) for name in names]
    for name, pieces, vessel in zip(names, halves, s.shuffled((bowl, casserole)), strict=True):
        s.move(name, on=board, at=(-0.2, 0.0), yaw=0.0)
        s.chop(name, pieces, knife)
        s.back(knife)
        s.take(board)
        s.pour(board, vessel)
        s.back(board)
    s.move(bowl, on=board, at=(-0.2, 0.0))
    s.move(casserole, on=counter)


def preparing_lunch_box(s: Scene) -> None:
    """Half a fruit and other things go into a lunch box."""
    counter = s.fixture("countertop")
    box = s.put("lunch_box", on=counter, at=(-0.85, 0.2), yaw=0.0)
    board = s.put("cutting_mat", on=counter, at=(0.2, -0.75), yaw=0.0)
    knife = s.put("parer", on=counter, at=(0.9, 0.95), yaw=0.0)
    fruit = s.one(("apple", "orange", "peach"))
    sweets = s.some(("butter_cookie", "swiss_cheese", "stick_of_butter", "egg"), 2)
    whole, bread, first, second = s.row(
        (fruit, "bread_slice", *sweets), counter, ((-0.2, 0.6), (0.15, 0.9), (0.95, -0.2), (0.95, -0.9))
    )
    halves = s.cuttable(whole, diced=False)
    s.open(box)
    s.move(whole, on=board, at=MIDDLE, yaw=0.0)
    s.take(knife)
    s.cut(whole, knife)
    s.back(knife)
    for what in s.shuffled((halves[0], bread, first)):
        s.move(what, into=box)
    s.close(box)
    s.wait(1.0)
    s.open(box)
    s.move(first, on=counter)
    s.move(second, into=box)
    s.close(box)
    s.move(halves[1], on=counter)
    s.move(knife, on=counter, yaw=0.0)


def sorting_vegetables(s: Scene) -> None:
    """Vegetables are sorted into a basket, a bowl and a crate."""
    island = s.fixture("kitchen_island")
    # Vessels stand in front: eyes look over their near walls.
    basket = s.put("fruit_basket", on=island, at=(-0.75, -0.9), yaw=0.0)
    crate = s.put("crate", on=island, at=(0.85, -0.9), yaw=0.0)
    board = s.put("cutting_mat", on=island, at=(0.05, -0.9), yaw=0.0)
    bowl = s.put("salad_bowl", on=island, at=(0.3, 0.95))
    knife = s.put("parer", on=island, at=(-0.2, 0.95), yaw=0.0)
    roots = s.some(("beet", "artichoke", "broccoli", "potato", "lemon"), 4)
    names = s.row(
        (*roots, *s.some(("bok_choy", "sweet_corn", "carrot"), 2)),
        island,
        (*spots(3, u=(-1.0, -0.55), v=(0.8, 0.8)), *spots(3, u=(0.6, 1.0), v=(0.8, 0.8))),
    )
    tomato = s.put("tomato", on=board, at=(-0.3, 0.0), yaw=0.0)
    halves = s.cuttable(tomato)
    for name in names[:3]:
        s.move(name, into=basket)
    s.chop(tomato, halves, knife)
    s.back(knife)
    s.take(board)
    s.pour(board, bowl)
    s.back(board)
    for name in names[3:5]:
        s.move(name, into=crate)
    s.move(names[0], into=crate)
    s.move(names[5], into=basket)


def setting_the_table(s: Scene) -> None:
    """A place is laid."""
    table = s.fixture("wall_table")
    bottle, candle = s.row(("wine_bottle", "candle"), table, ((0.8, 0.8), (0.95, 0.8)))
    kinds = ("plate", "dessert_plate", "bowl", "saucer", "teacup", "napkin", "fork", "spoon")
    plate, dessert, bowl, saucer, cup, napkin, fork, spoon = s.row(
        kinds, table, spots(4, 2, u=(-0.95, 0.6), v=(0.1, 0.95))
    )
    s.move(plate, on=table)
    s.move(napkin, on=table)
    s.move(dessert, on=plate, at=MIDDLE)
    for what in s.shuffled((fork, spoon)):
        s.move(what, on=table, yaw=0.0)
    s.move(bowl, on=dessert, at=MIDDLE)
    s.move(saucer, on=table)
    s.move(cup, on=saucer, at=MIDDLE)
    for what in s.shuffled((candle, bottle)):
        s.move(what, on=table)
    s.move(fork, on=table, yaw=0.0)


def pouring_cereal(s: Scene) -> None:
    """Cereal and milk are poured, and some goes beside the bowl."""
    table = s.fixture("wall_table")
    cereal, milk = s.row(("box_of_cereal", "milk_carton"), table, ((0.7, 0.8), (0.2, 0.8)))
    s.filled(cereal, "cereal")
    s.filled(milk, "milk")
    bowl, plate, mug = s.row(("bowl", "plate", "mug"), table, ((-0.5, -0.5), (0.1, -0.5), (0.6, -0.6)))
    spoon = s.put("spoon", on=table, at=(-0.8, 0.6), yaw=0.0)
    saucer = s.put("saucer", on=table, at=(-0.95, -0.7))
    for source, goals in s.shuffled(((cereal, (bowl, plate)), (milk, (mug, bowl)))):
        for goal in goals:
            s.take(source)
            s.pour(source, goal)
            s.back(source)
    s.move(saucer, on=table)
    s.move(spoon, on=saucer, at=MIDDLE, yaw=0.0)
    s.take(mug)
    s.pour(mug, bowl)
    s.back(mug)
    s.move(bowl, on=plate, at=MIDDLE)
    s.move(cereal, on=table)


def feeding_the_pet(s: Scene) -> None:
    """Food and water for a pet."""
    table = s.fixture("wall_table")
    bag, bottle = s.row(("bag_of_pet_food", "water_bottle"), table, ((-0.6, 0.8), (0.3, 0.8)))
    s.filled(bag, "pet_food")
    s.filled(bottle, "water")
    dish, bowl, mat = s.row(("pet_bowl", "bowl", "cutting_mat"), table, ((-0.85, -0.5), (0.0, -0.6), (0.8, -0.4)))
    tin, ball = s.row(("can_of_pet_food", "tennis_ball"), table, ((0.8, 0.9), (-0.1, 0.9)))
    s.move(tin, on=table)
    s.move(dish, on=mat, at=(-0.8, 0.0))
    for source, goal in s.shuffled(((bag, dish), (bottle, bowl))):
        s.take(source)
        s.pour(source, goal)
        s.back(source)
    s.move(bowl, on=table)
    s.move(bag, on=table)
    s.take(bowl)
    s.pour(bowl, dish)
    s.place(bowl, on=table)
    s.move(ball, on=mat, at=(0.8, 0.0))
    s.move(tin, into=bowl)


ACTIVITIES = (
    Activity("chop_an_onion", "Chop an onion", "kitchen", chop_an_onion),
    Activity("preparing_lunch_box", "Pack a lunch box", "kitchen", preparing_lunch_box),
    Activity("slicing_vegetables", "Slice vegetables", "kitchen", slicing_vegetables),
    Activity("sorting_vegetables", "Sort vegetables", "kitchen", sorting_vegetables),
    Activity("setting_the_table", "Set the table", "kitchen", setting_the_table, published=False),
    Activity("pouring_cereal", "Pour cereal and milk", "kitchen", pouring_cereal, published=False),
    Activity("feeding_the_pet", "Feed the pet", "kitchen", feeding_the_pet, published=False),
)
