"""A sample in words with numbers, for whoever is asked without pictures.

`scene` says what the first frame shows, `film` what a film shows besides: the first meeting of A, and where everything
is at the end. A film in words is made from the labels of an exemplar; the sample asked about has none here. Lengths in
m, x and y on the floor; three decimals.
"""

from collections.abc import Sequence

from jaxphys_benchmarks.inphyre.labels import Contact, Labels
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec, Thing, Wall


def scene(spec: InPhyReSpec) -> str:
    """What is there at time 0, one line for each body."""
    lines = ["x and y span the floor, in metres; velocities are in m/s. At time 0 there are:"]
    lines += [_thing(thing) for thing in spec.things]
    lines += [_wall(wall) for wall in spec.walls]
    return "\n".join(lines)


def film(spec: InPhyReSpec, labels: Labels) -> str:
    """What happens up to the end of the film."""
    names = [*(f"the {thing.name}" for thing in spec.things), *("the wall" for _ in spec.walls)]
    lines = ["The first object meets nothing."] if labels.contact is None else _contact(spec, labels.contact, names)
    ends = [f"{name} at {_pair(end)}" for name, end in zip(names, labels.end, strict=False) if name != "the wall"]
    if ends:
        lines.append(f"At {spec.duration:g} s: {', '.join(ends)}.")
    return "\n".join(lines)


def _thing(thing: Thing) -> str:
    size = "half extent" if thing.shape == "cube" else "radius"
    spin = f", spin {thing.spin:.3f} rad/s" if thing.spin else ""
    return (
        f"- the {thing.name}: {thing.material}, {size} {thing.size:g}, mass {thing.mass:.4g} kg,"
        f" centre {_pair(thing.pos)}, velocity {_pair(thing.vel)}{spin}"
    )


def _wall(wall: Wall) -> str:
    return f"- a wall that nothing moves: half extents {_pair(wall.half)}, centre {_pair(wall.pos)}"


def _contact(spec: InPhyReSpec, contact: Contact, names: Sequence[str]) -> list[str]:
    other = 1 if len(spec.things) > 1 else len(spec.things)
    pair = [(0, names[0]), (1, names[other])] if len(spec.things) > 1 else [(0, names[0])]
    lines = [f"At {contact.time:.3f} s {names[0]} meets {names[other]}."]
    for k, name in pair:
        lines.append(
            f"{name[0].upper()}{name[1:]}: velocity {_pair(contact.v_before[k])} before and"
            f" {_pair(contact.v_after[k])} after, spin {contact.w_before[k]:.3f} rad/s before and"
            f" {contact.w_after[k]:.3f} rad/s after."
        )
        if contact.look_after[k] != contact.look_before[k]:
            looks = spec.things[contact.look_after[k]]
            lines.append(f"From then on it has the colour {looks.colour} and looks like {looks.material}.")
    # Under LMC, too, the two do not touch again, but B is pushed and goes ahead.
    if contact.through and contact.v_after == contact.v_before:
        lines.append("From then on they move through each other.")
    return lines


def _pair(values: Sequence[float]) -> str:
    # + 0.0 turns -0.000 into 0.000.
    return "(" + ", ".join(f"{round(value, 3) + 0.0:.3f}" for value in values) + ")"
