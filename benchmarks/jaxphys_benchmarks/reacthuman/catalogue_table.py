"""The catalogue as a Markdown table, for the user guide; a value that is not known from a source is marked by *."""

from collections.abc import Iterable

from jaxphys_benchmarks.reacthuman.objects import Object

HEAD = (
    "object", "families", "collider", "size (m)", "kg/m³", "kg", "μ", "e", "C_d·A (m²)", "catch", "safety", "weight",
    "looks like",
)  # fmt: skip

NUMBERS = {"prism": (0, 2), "sphere": (0,), "capsule": (0, 2), "box": (0, 1, 2)}
"""Which entries of `Object.size` say something, by collider."""


def markdown(rows: Iterable[Object]) -> str:
    """A table with a line for each row."""
    lines = [HEAD, ("---",) * len(HEAD), *map(_cells, rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cells(row: Object) -> tuple[str, ...]:
    def marked(text: str, *fields: str) -> str:
        return text + ("*" if any(row.provenance[field] == "assumed" for field in fields) else "")

    size = " × ".join(f"{row.size[axis]:g}" for axis in NUMBERS[row.collider])
    return (
        f"`{row.name}`" + (" †" if row.adversarial else ""),
        ", ".join(row.families),
        row.collider,
        marked(size, "visual_size", "size"),
        marked(f"{row.density:g}", "density"),
        marked(f"{row.mass:.4g}", "mass"),
        marked(f"{row.friction:.2f}", "friction"),
        marked(f"{row.restitution:.2f}", "restitution"),
        f"{row.drag_area:.4g}",
        marked("yes", "catch_safe") if row.catch_safe else "override" if row.catch_override else "no",
        marked(row.safety_label, "safety_label"),
        marked(row.mass_hint, "mass_hint"),
        row.twin and f"`{row.twin}`",
    )
