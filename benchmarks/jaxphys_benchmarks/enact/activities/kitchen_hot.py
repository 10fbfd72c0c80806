"""Activities with heat and hot drinks (ENACT specification, section 14: 12-14, 18, 24, 33)."""

from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene, diced

MIDDLE = (0.0, 0.0)


def cook_bacon(s: Scene) -> None:
    """Bacon and something else are fried, one after the other, and served."""
    counter, burner = s.fixture("countertop"), s.fixture("burner")
    pan = s.put("frying_pan", on=counter, at=(0.9, 0.7), yaw=0.0)
    plate, platter = s.row(("plate", "platter"), counter, ((-0.9, 0.0), (-0.2, -0.1)))
    other = s.one(("hamburger", "bread_slice"))
    foods = s.shuffled((s.put("bacon", on=plate, at=MIDDLE, yaw=0.0), s.put(other, on=platter, at=MIDDLE)))
    s.move(pan, on=burner, at=MIDDLE, yaw=0.0)
    for food in foods:
        s.move(food, into=pan, at=MIDDLE)
        s.press(burner)
        s.heat(food)
        s.press(burner)
        s.take(food)
        s.back(food)
        s.wait(1.0)
    s.take(pan)
    s.back(pan)
    s.move(foods[0], into=pan)


def cook_cabbage(s: Scene) -> None:
    """A cabbage is diced, cooked and served."""
    counter, burner = s.fixture("countertop"), s.fixture("burner")
    board = s.put("chopping_board", on=counter, at=(-0.3, -0.75), yaw=0.0)
    knife = s.put("carving_knife", on=counter, at=(-0.9, 0.95), yaw=0.0)
    pan = s.put("frying_pan", on=burner, at=MIDDLE, yaw=0.0)
    bowl = s.put(s.one(("salad_bowl", "mixing_bowl")), on=counter, at=(0.95, 0.3))
    cabbage = s.put("cabbage", on=counter, at=(0.2, 0.9))
    halves = s.cuttable(cabbage)
    cooked = s.cookable(diced("cabbage"))
    s.move(cabbage, on=board, at=MIDDLE, yaw=0.0)
    s.chop(cabbage, halves, knife)
    s.back(knife)
    s.take(board)
    s.pour(board, pan)
    s.back(board)
    s.press(burner)
    s.heat(cooked)
    s.press(burner)
    s.take(pan)
    s.pour(pan, bowl)
    s.back(pan)
    s.move(bowl, on=board, at=MIDDLE)
    s.move(knife, on=counter, yaw=0.0)


def cook_hot_dogs(s: Scene) -> None:
    """What is in a bun is heated in the microwave, one plate after the other."""
    oven, counter = s.fixture("microwave"), s.fixture("second_countertop")
    # The microwave stands on the left half of the worktop.
    plate = s.put("plate", on=counter, at=(0.9, 0.7))
    kinds = s.shuffled(("hot_dog", "hamburger"))
    foods = [s.put(food, on=counter, at=(u, -0.9)) for food, u in zip(kinds, (0.5, 0.95), strict=True)]
    ketchup = s.put("ketchup_bottle", on=counter, at=(0.45, 0.9))
    for food in foods:
        s.move(food, on=plate, at=MIDDLE)
        s.open(oven)
        s.move(plate, into=oven)
        s.close(oven)
        s.press(oven)
        s.heat(food)
        s.press(oven)
        s.open(oven)
        s.take(plate)
        s.back(plate)
        s.close(oven)
        s.take(food)
        s.back(food)
    s.move(ketchup, on=plate)


def make_pizza(s: Scene) -> None:
    """A pizza is topped and baked."""
    oven, counter = s.fixture("oven"), s.fixture("countertop")
    topping = s.one(("mushroom", "tomato", "bell_pepper"))
    board = s.put("cutting_mat", on=counter, at=(-0.85, -0.75), yaw=0.0)
    knife = s.put("parer", on=counter, at=(-0.9, 0.95), yaw=0.0)
    sheet = s.put("baking_sheet", on=counter, at=(0.2, -0.7), yaw=0.0)
    dough = s.put("pizza_dough", on=sheet, at=MIDDLE)
    whole = s.put(topping, on=counter, at=(-0.4, 0.5))
    halves = s.cuttable(whole)
    s.cookable(diced(topping))
    cheese, sauce = s.row(("bowl", "mug"), counter, ((0.2, 0.95), (0.85, 0.8)))
    s.filled(cheese, "grated_cheese")
    s.filled(sauce, "tomato_sauce")
    for vessel in s.shuffled((cheese, sauce)):
        s.take(vessel)
        s.pour(vessel, dough)
        s.back(vessel)
    s.move(whole, on=board, at=MIDDLE, yaw=0.0)
    s.chop(whole, halves, knife)
    s.back(knife)
    s.take(board)
    s.pour(board, dough)
    s.back(board)
    s.open(oven)
    s.move(sheet, into=oven, yaw=0.0)
    s.close(oven)
    s.press(oven)
    s.heat(dough)
    s.press(oven)
    s.open(oven)
    s.take(sheet)
    s.back(sheet)
    s.close(oven)


def set_up_a_coffee_station_in_your_kitchen(s: Scene) -> None:
    """A coffee machine, what goes into it, and a cup on its saucer."""
    counter, sink = s.fixture("second_countertop"), s.fixture("sink")
    machine = s.put("coffee_maker", on=counter, at=(0.75, 0.6), yaw=0.0)
    tray = s.put("serving_tray", on=counter, at=(-0.8, 0.6), yaw=0.0)
    saucer, cup, coffee, sugar, papers, bag = s.row(
        ("saucer", "coffee_cup", "jar_of_coffee", "jar_of_sugar", "coffee_filter", "bag_of_coffee"), counter,
        ((-0.9, -0.9), (-0.55, -0.9), (-0.2, -0.9), (0.15, -0.9), (0.5, -0.9), (0.0, 0.2), (0.9, -0.9)),
    )  # fmt: skip
    for what in s.shuffled((coffee, sugar, papers)):
        s.move(what, on=tray)
    s.press(sink)
    s.wait(1.0)
    s.press(sink)
    s.move(cup, into=machine)
    s.press(machine)
    s.move(bag, on=counter)
    s.press(machine)
    s.move(saucer, on=counter)
    s.move(cup, on=saucer, at=MIDDLE)
    s.move(sugar, on=counter)
    s.move(bag, on=tray)
    s.move(coffee, on=counter)
    s.press(machine)
    s.move(papers, on=counter)
    s.press(machine)


def boiling_a_kettle(s: Scene) -> None:
    """Water is boiled and poured."""
    counter, sink = s.fixture("second_countertop"), s.fixture("sink")
    kettle = s.put("electric_kettle", on=counter, at=(0.0, 0.6), yaw=0.0)
    tray = s.put("serving_tray", on=counter, at=(-0.8, -0.6), yaw=0.0)
    bottle = s.put("water_bottle", on=counter, at=(-0.5, 0.7))
    s.filled(bottle, "water")
    first, second, third, tea = s.row(
        ("mug", "coffee_cup", "teacup", "box_of_tea"), counter, ((0.3, -0.7), (0.6, -0.7), (0.9, -0.7), (0.8, 0.7))
    )
    s.press(sink)
    s.wait(1.5)
    s.press(sink)
    s.take(bottle)
    s.pour(bottle, kettle)
    s.back(bottle)
    s.press(kettle)
    s.move(tea, on=tray)
    s.wait(2.0)
    s.press(kettle)
    s.take(kettle)
    s.pour(kettle, first)
    s.back(kettle)
    s.move(first, on=tray)
    s.press(kettle)
    s.wait(2.0)
    s.press(kettle)
    s.move(second, on=tray)
    s.move(third, on=counter)
    s.move(bottle, on=counter)
    s.press(sink)
    s.move(second, on=counter)
    s.press(sink)


ACTIVITIES = (
    Activity("cook_bacon", "Cook bacon", "kitchen", cook_bacon),
    Activity("cook_cabbage", "Cook cabbage", "kitchen", cook_cabbage),
    Activity("cook_hot_dogs", "Heat hot dogs in the microwave", "kitchen", cook_hot_dogs),
    Activity("make_pizza", "Make a pizza", "kitchen", make_pizza),
    Activity(
        "set_up_a_coffee_station_in_your_kitchen", "Set up a coffee station", "kitchen",
        set_up_a_coffee_station_in_your_kitchen,
    ),
    Activity("boiling_a_kettle", "Boil a kettle", "kitchen", boiling_a_kettle, published=False),
)  # fmt: skip
