"""Activities around the fridge and the cabinet of a kitchen (ENACT specification, section 14: 2-4, 9, 10, 15, 28)."""

from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene, spots

MIDDLE = (0.0, 0.0)


def bringing_water(s: Scene) -> None:
    """Drinks come out of the fridge; water is poured for everybody."""
    fridge, table = s.fixture("fridge"), s.fixture("wall_table")
    tray = s.put("serving_tray", on=table, at=(0.6, 0.6), yaw=0.0)
    cups = s.row(("mug", "coffee_cup", "teacup"), table, ((-0.3, 0.6), (0.0, 0.6), (0.1, -0.1)))
    drinks = ("water_bottle", *s.some(("juice_bottle", "can_of_soda", "beer_bottle", "milk_carton"), s.count(3, 4)))
    names = [s.put(drink, inside=fridge, level=int(k > 2)) for k, drink in enumerate(drinks)]
    s.filled(names[0], "water")
    others = s.shuffled(names[1:])
    s.open(fridge)
    for other in others[:-1]:
        s.move(other, on=table)
    s.take(names[0])
    s.close(fridge)
    for cup in s.shuffled(cups):
        s.pour(names[0], cup)
    s.place(names[0], on=table)
    for cup in s.shuffled(cups)[:2]:
        s.move(cup, on=tray)
    s.open(fridge)
    s.move(others[-1], on=table)
    s.move(others[0], into=fridge, level=0)
    s.close(fridge)


def can_meat(s: Scene) -> None:
    """Meat is diced into a jar, bread goes into a dish, and both go into the cabinet."""
    cabinet, counter = s.fixture("wall_cabinet"), s.fixture("countertop")
    board = s.put("chopping_board", on=counter, at=(-0.1, -0.7), yaw=0.0)
    knife = s.put("carving_knife", on=counter, at=(-0.95, 0.95), yaw=0.0)
    steak = s.put("steak", on=board, at=(-0.3, 0.0), yaw=0.0)
    halves = s.cuttable(steak)
    jar, box = s.row(("hinged_jar", "casserole"), counter, ((0.35, 0.8), (0.9, 0.5)))
    bread = s.put("bread_slice", on=counter, at=(0.9, -0.85), yaw=0.0)
    spare = s.put("can_of_meat", inside=cabinet, level=0)
    s.chop(steak, halves, knife)
    s.back(knife)
    s.open(jar)
    s.take(board)
    s.pour(board, jar)
    s.back(board)
    s.close(jar)
    s.move(bread, into=box)
    s.open(cabinet)
    s.move(spare, on=counter)
    for what in s.shuffled((jar, box)):
        s.move(what, into=cabinet, level=0)
    s.close(cabinet)
    s.move(knife, on=counter, yaw=0.0)
    s.open(cabinet)
    s.move(spare, into=cabinet, level=1)
    s.close(cabinet)


def canning_food(s: Scene) -> None:
    """Fruit and steak are diced into bowls, and the bowls go into the fridge."""
    fridge, counter = s.fixture("fridge"), s.fixture("countertop")
    board = s.put("chopping_board", on=counter, at=(0.1, -0.75), yaw=0.0)
    knife = s.put("carving_knife", on=counter, at=(0.95, 0.95), yaw=0.0)
    fruit = s.one(("pineapple", "peach", "apple", "orange"))
    bowls = s.row(("bowl", "casserole"), counter, ((-0.95, 0.1), (0.95, 0.0)))
    first, second = (s.put(food, inside=fridge, level=0) for food in s.shuffled((fruit, "steak")))
    halves = {name: s.cuttable(name) for name in (first, second)}
    s.open(fridge)
    s.move(first, on=board, at=MIDDLE, yaw=0.0)
    s.move(second, on=counter)
    s.close(fridge)
    for name, bowl in zip((first, second), s.shuffled(bowls), strict=True):
        if name == second:
            s.move(name, on=board, at=MIDDLE, yaw=0.0)
        s.chop(name, halves[name], knife)
        s.back(knife)
        s.take(board)
        s.pour(board, bowl)
        s.back(board)
    s.open(fridge)
    for bowl in bowls:
        s.move(bowl, into=fridge, level=0)
    s.close(fridge)


def clearing_food_from_table_into_fridge(s: Scene) -> None:
    """Leftovers go into the fridge."""
    fridge, table = s.fixture("fridge"), s.fixture("wall_table")
    foods = s.some(("apple_pie", "casserole", "milk_carton", "chocolate_cake", "jar_of_jam", "salad_bowl"), 4)
    *names, box, cookie = s.row(
        (*foods, "ketchup_bottle", "bowl", "butter_cookie"), table, spots(3, 3, u=(-0.65, 0.35), v=(-0.8, 0.9))
    )
    cheese = s.put("swiss_cheese", inside=fridge, level=0, at=(0.0, -0.6))
    left = s.shuffled(names)
    s.move(cookie, into=box)
    s.open(fridge)
    for name in left[:3]:
        s.move(name, into=fridge)
    s.move(cheese, on=table)
    s.close(fridge)
    s.wait(1.0)
    s.open(fridge)
    for name in (*left[3:], box):
        s.move(name, into=fridge)
    s.close(fridge)


def freeze_pies(s: Scene) -> None:
    """Pies are put onto trays and frozen."""
    fridge, counter = s.fixture("fridge"), s.fixture("countertop")
    milk = s.put("milk_carton", inside=fridge, level=0, at=(-0.6, -0.4))
    jam = s.put("jar_of_jam", inside=fridge, level=0, at=(0.6, -0.4))
    sheet = s.put("baking_sheet", on=counter, at=(0.9, 0.7), yaw=0.0)
    names = s.row(("apple_pie", "chocolate_cake", "butter_cookie", "sandwich"), counter, spots(4))
    pies = s.shuffled(names)
    s.move(pies[0], on=sheet)
    s.open(fridge)
    for what in s.shuffled((milk, jam)):
        s.move(what, on=counter)
    s.move(sheet, into=fridge, level=0)
    s.close(fridge)
    s.move(milk, on=counter)
    s.open(fridge)
    for what in s.shuffled(pies[1:]):
        s.move(what, into=fridge, level=1)
    s.move(jam, into=fridge, level=1)
    s.close(fridge)


def storing_food(s: Scene) -> None:
    """Groceries go into the cabinet, packets and tins on shelves of their own."""
    cabinet, counter = s.fixture("wall_cabinet"), s.fixture("countertop")
    packets = ("box_of_cereal", "box_of_oatmeal", "box_of_pasta", "bag_of_chips", "bag_of_rice", "box_of_crackers")
    tins = ("can_of_beans", "can_of_corn", "jar_of_honey", "jar_of_sugar", "olive_oil_bottle")
    names = s.row((*s.some(packets, 4), *s.some(tins, 4)), counter, spots(4, 2, u=(-0.95, 0.4), v=(-0.4, 0.9)))
    for level, shelf in ((1, names[:4]), (0, names[4:])):
        s.open(cabinet)
        for name in s.shuffled(shelf):
            s.move(name, into=cabinet, level=level)
        s.close(cabinet)
        s.wait(1.0)


def cleaning_up_plates_and_food(s: Scene) -> None:
    """Dishes are stacked, pizza goes into the fridge."""
    fridge, table = s.fixture("fridge"), s.fixture("wall_table")
    tray = s.put("serving_tray", on=table, at=(-0.6, 0.2), yaw=0.0)
    pizza = s.put("pizza", on=tray, at=MIDDLE)
    plate, dessert, saucer, bowl, mug = s.row(
        ("plate", "dessert_plate", "saucer", "bowl", "mug"), table, spots(4, 2, u=(-0.1, 0.95))
    )
    drink = s.put("juice_bottle", inside=fridge, level=0, at=(0.7, 0.0))
    s.move(dessert, on=plate, at=MIDDLE)
    s.move(saucer, on=dessert, at=MIDDLE)
    s.open(fridge)
    s.move(tray, into=fridge, level=0, at=(-0.9, 0.0), yaw=0.0)
    s.close(fridge)
    s.move(bowl, on=saucer, at=MIDDLE)
    s.move(mug, into=bowl, at=MIDDLE)
    s.open(fridge)
    s.move(drink, on=table)
    s.move(pizza, on=table)
    s.close(fridge)
    s.move(mug, on=table)
    s.move(bowl, on=table)
    s.move(saucer, on=table)


ACTIVITIES = (
    Activity("bringing_water", "Bring water from the fridge", "kitchen", bringing_water),
    Activity("can_meat", "Put meat into a jar and the jar into the cabinet", "kitchen", can_meat),
    Activity("canning_food", "Dice fruit and steak into bowls", "kitchen", canning_food),
    Activity("cleaning_up_plates_and_food", "Clear plates and pizza", "kitchen", cleaning_up_plates_and_food),
    Activity(
        "clearing_food_from_table_into_fridge", "Put leftovers into the fridge", "kitchen",
        clearing_food_from_table_into_fridge,
    ),
    Activity("freeze_pies", "Freeze pies", "kitchen", freeze_pies),
    Activity("storing_food", "Store food", "kitchen", storing_food),
)  # fmt: skip
