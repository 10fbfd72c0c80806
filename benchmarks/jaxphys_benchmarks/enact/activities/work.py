"""Activities in offices, garages and outdoors (ENACT specification, section 14: 5, 7, 8, 16, 17, 19, 32, 36)."""

from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene, spots

MIDDLE = (0.0, 0.0)


def clean_up_your_desk(s: Scene) -> None:
    """Pens go into their box, books onto a pile, and a tool into the drawer."""
    desk = s.fixture("desk")
    box = s.put("pencil_box", on=desk, at=(0.1, 0.9), yaw=0.0)
    laptop = s.put("laptop", on=desk, at=(-0.2, -0.2), yaw=0.0)
    lamp = s.put("table_lamp", on=desk, at=(0.95, 0.9), yaw=0.0)
    s.placing.joint(laptop, "lid", 1.7)
    s.placing.toggle(lamp)
    kinds = ("textbook", "notebook", "calculator", s.one(("pen", "pencil")), "marker", "stapler")
    places = ((-0.95, 0.2), (-0.7, -0.8), (0.3, -0.7), (0.65, -0.8), (0.95, -0.2), (0.5, 0.2))
    textbook, notebook, calculator, pen, marker, tool = s.row(kinds, desk, places)
    s.close(laptop)
    for what, v in zip(s.shuffled((pen, marker)), (1.0, -1.0), strict=True):
        s.move(what, into=box, at=(0.0, v), yaw=0.0)
    s.move(notebook, on=textbook, at=MIDDLE)
    s.open(desk)
    s.move(tool, into=desk)
    s.close(desk)
    s.move(calculator, on=notebook, at=MIDDLE)
    s.press(lamp)
    s.move(box, on=desk, yaw=0.0)
    s.open(desk)
    s.move(tool, on=desk)
    s.close(desk)
    s.open(laptop)
    s.move(marker, on=desk)


def getting_organized_for_work(s: Scene) -> None:
    """What is needed comes from the bookcase onto the desk."""
    bookcase, desk = s.fixture("bookcase"), s.fixture("desk")
    lamp = s.put("table_lamp", on=desk, at=(0.95, 0.9), yaw=0.0)
    tray = s.put("document_tray", on=desk, at=(-0.95, -0.3), yaw=0.0)
    laptop = s.put("laptop", on=desk, at=(0.1, 0.2), yaw=0.0)
    kinds = ("textbook", "hardback", "notebook", "novel", "mug")
    levels = s.shuffled((0, 0, 0, 1, 1))
    big, hard, notebook, novel, mug = (
        s.put(kind, inside=bookcase, level=level) for kind, level in zip(kinds, levels, strict=True)
    )
    s.press(lamp)
    s.move(big, on=desk)
    s.move(notebook, on=big, at=MIDDLE)
    s.open(laptop)
    s.move(hard, into=tray)
    s.move(mug, on=desk)
    s.move(notebook, on=desk)
    s.move(novel, on=big, at=MIDDLE)
    s.close(laptop)
    s.press(lamp)
    s.move(mug, into=bookcase, level=0)


def outfit_a_basic_toolbox(s: Scene) -> None:
    """Tools go into the toolbox."""
    bench, shelf = s.fixture("workbench"), s.fixture("shelf")
    box = s.put("toolbox", on=bench, at=(0.3, 0.8), yaw=0.0)
    tools = s.some(("screwdriver", "wrench", "pliers", "paintbrush", "tape_measure"), 4)
    names = s.row(tools, bench, spots(4, v=(-0.8, -0.8)))
    drill = s.put("electric_drill", inside=shelf, level=0, at=(-0.9, 0.0))
    candle = s.put("candle", on=bench, at=(-0.8, 0.7))
    s.open(box)
    for name in s.shuffled(names[:3]):
        s.move(name, into=box)
    s.move(drill, on=bench)
    s.close(box)
    s.move(candle, into=shelf, level=0)
    s.open(box)
    s.move(names[0], on=bench)
    s.move(names[3], into=box)
    s.close(box)
    s.move(drill, into=shelf, level=0)
    s.open(box)
    s.move(names[0], into=box)
    s.close(box)
    s.move(candle, on=bench)


def chopping_wood(s: Scene) -> None:
    """Logs are split on a stump."""
    stump, table = s.fixture("tree_stump"), s.fixture("garden_table")
    axe = s.put("axe", on=table, at=(0.0, -0.5), yaw=0.0)
    # Away from the table, so that nothing lies under it.
    logs = [s.put("log", at=s.ground(x, y)) for x, y in ((1.3, 0.35), (1.3, -1.15), (1.75, 0.1))]
    goals = (((0.85, -1.2), (0.85, 0.5)), ((1.25, 0.55), (0.85, -1.5)), ((1.25, -1.2), (0.6, 0.75)))
    for log, pair in zip(logs, goals, strict=True):
        halves = s.cuttable(log, diced=False)
        s.move(log, on=stump, at=MIDDLE)
        s.take(axe)
        s.cut(log, axe)
        s.back(axe)
        for half, (x, y) in zip(halves, s.shuffled(pair), strict=True):
            s.move(half, on=s.floor, at=s.ground(x, y))


def loading_the_car(s: Scene) -> None:
    """Luggage goes into the boot."""
    car, table = s.fixture("car"), s.fixture("side_garden_table")
    kinds = s.some(("suitcase", "duffel_bag", "backpack", "cardboard_box", "tent_bag"), 3)
    bag, bottle, *names = s.row(
        ("bag_of_chips", "water_bottle", *kinds),
        table,
        ((0.2, -0.9), (0.6, -0.9), (-0.9, -0.6), (0.0, 0.7), (0.9, 0.5)),
    )
    s.open(car)
    for name in s.shuffled((bag, bottle, *names)):
        s.move(name, into=car)
    s.close(car)
    s.wait(1.0)
    s.open(car)
    for name in (bottle, names[0], bag):
        s.move(name, on=table)
    s.close(car)
    s.open(car)
    s.move(names[0], into=car)
    s.close(car)


def carrying_in_groceries(s: Scene) -> None:
    """Shopping comes out of the boot, cold things go into the fridge."""
    car, table, fridge = s.fixture("car"), s.fixture("side_garden_table"), s.fixture("fridge")
    kinds = s.some(("milk_carton", "box_of_cereal", "bag_of_rice", "juice_bottle", "can_of_beans", "baguette"), 4)
    names = [s.put(kind, inside=car, at=(u, -0.6)) for kind, u in zip(kinds, (-0.1, 0.3, 0.6, 0.95), strict=True)]
    bag = s.put("paper_bag", inside=car, at=(-0.5, -0.5), yaw=0.0)
    s.open(car)
    for name in s.shuffled(names):
        s.move(name, on=table)
    s.move(bag, on=table)
    s.close(car)
    s.open(fridge)
    for name in names[:3]:
        s.move(name, into=fridge)
    s.close(fridge)
    s.move(names[3], on=table)


def stacking_crates(s: Scene) -> None:
    """Crates are stacked and unstacked."""
    bench = s.fixture("workbench")
    kinds = s.shuffled(("crate", "wooden_crate", "plastic_crate"))
    first, second, third = (
        s.put(kind, on=bench, at=(u, 0.3), yaw=0.0) for kind, u in zip(kinds, (-0.95, 0.0, 0.95), strict=True)
    )
    tin, ball = s.row(("can_of_beans", "softball"), bench, ((-0.45, -0.9), (0.45, -0.9)))
    s.move(second, on=first, at=MIDDLE, yaw=0.0)
    s.move(tin, into=third)
    s.move(third, on=second, at=MIDDLE, yaw=0.0)
    s.move(ball, into=third)
    s.move(tin, on=bench)
    s.take(third)
    s.back(third)
    s.move(second, on=third, at=MIDDLE, yaw=0.0)
    s.move(tin, into=first)
    s.move(first, on=second, at=MIDDLE, yaw=0.0)
    s.move(tin, on=bench)
    s.move(first, on=bench)
    s.move(second, on=bench)


def passing_from_hand_to_hand(s: Scene) -> None:
    """Things wander from the left end of a table to the right one, through both hands, and back."""
    table = s.fixture("conference_table")
    basket = s.put("wicker_basket", on=table, at=(0.9, 0.4), yaw=0.0)
    tray = s.put("lunch_tray", on=table, at=(-0.9, 0.4), yaw=0.0)
    kinds = s.some(("softball", "apple", "can_of_soda", "toy_car", "stapler", "mug"), 4)
    names = s.row(kinds, table, ((-0.9, -0.8), (-0.6, -0.8), (0.6, -0.8), (0.9, -0.8)))
    for name in names:
        s.take(name, "left")
        s.handover(name)
        s.place(name, into=basket)
    for name in s.shuffled(names):
        s.take(name, "right")
        s.handover(name)
        s.place(name, on=tray)


ACTIVITIES = (
    Activity("carrying_in_groceries", "Carry in groceries", "driveway", carrying_in_groceries),
    Activity("chopping_wood", "Chop wood", "driveway", chopping_wood),
    Activity("clean_up_your_desk", "Tidy the desk", "office", clean_up_your_desk),
    Activity("getting_organized_for_work", "Get organised for work", "office", getting_organized_for_work),
    Activity("loading_the_car", "Load the car", "driveway", loading_the_car),
    Activity("outfit_a_basic_toolbox", "Outfit a basic toolbox", "garage", outfit_a_basic_toolbox),
    Activity("stacking_crates", "Stack crates", "garage", stacking_crates, published=False),
    Activity(
        "passing_from_hand_to_hand", "Pass things from hand to hand", "office", passing_from_hand_to_hand,
        published=False,
    ),
)  # fmt: skip
