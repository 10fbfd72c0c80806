"""`Object`: one row of the catalogue (ReactHuman specification, section 4.15), also the record of an own object.

A row is a name within families: a name used by several families may stand for rows of different size or density.
SI units. What is not given is filled in by the rules of section 4.1, and marked as assumed in `provenance`.
"""

from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from jaxphys_benchmarks.reacthuman import colliders
from jaxphys_benchmarks.reacthuman.colliders import Morph
from jaxphys_benchmarks.reacthuman.labels import Action
from jaxphys_benchmarks.reacthuman.scene import Part, Quaternion, ShapeName, Vector

Provenance = Literal["published", "early_generator", "derived", "measured", "assumed", "own"]
SafetyLabel = Literal["safe", "caution", "dangerous"]
MassHint = Literal["light", "medium", "heavy"]

SMALLEST, LARGEST = 0.001, 1.5
"""Limits of half extents and radii (m): a knife's edge; a ladder of 2.5 m, with room to spare."""

LIGHT, MEDIUM = 1.0, 5.0
"""Below which an object is light, or medium (kg)."""


class Object(Part):
    """A catalogue row.

    Attributes:
        name: unique within each of its families. display_name: for people and prompts. families: that may use it.
        category: safe, dangerous or adversarial.
        morph: visual shape. visual_size: half extents of a box or mesh, (r, r, r), or (r, r, half height) (m).
        mesh_path: name of a mesh, "" for none; phys_half_x, phys_half_z: published half extents of the mesh (m);
            bottom_z_offset, mesh_base_y, mesh_top_y: of the mesh (m).
        lies: a cylinder that lies along x, so that it rolls and tumbles. mount: what it hangs on before it falls.
        collider, size: what it collides as, see `jaxphys_kernels.rigid.model.World.size`; by default of the visual.
        density: kg/m³ of the solid visual shape. mass_override: kg, of hollow things.
        friction, restitution: of the object. drag_area: drag coefficient times area (m²).
        color_rgb: 0 to 1. roughness, ior: of the surface.
        catch_safe: may be caught. catch_override: is caught even in families where nothing else is (section 8.4).
        safety_label, mass_hint: for labels and rules.
        adversarial: its look and its mass disagree. probe: "named" among the published ones, "chosen" to complete
            their fourteen, or "".
        twin: name of the normal object that looks the same, or "". appearance_implied_action: three-way label of what
            it looks like, None where it looks like what it is.
        object_value: what it is worth, 0 to 1. description: a phrase for prompts and planners.
        provenance: by field, where the value comes from.
    """

    name: str = Field(min_length=1, max_length=40, pattern="^[a-z][a-z0-9_]*$")
    display_name: str = Field(default="", max_length=80)
    families: tuple[str, ...] = Field(min_length=1)
    category: Literal["safe", "dangerous", "adversarial"] | None = None
    morph: Morph
    visual_size: Vector
    mesh_path: str = ""
    phys_half_x: float | None = Field(default=None, ge=SMALLEST, le=LARGEST)
    phys_half_z: float | None = Field(default=None, ge=SMALLEST, le=LARGEST)
    bottom_z_offset: float = 0.0
    mesh_base_y: float = 0.0
    mesh_top_y: float = 0.0
    lies: bool = False
    mount: Literal["", "wall", "ceiling"] = ""
    collider: ShapeName = "box"
    size: Vector = (0.0, 0.0, 0.0)
    density: float = Field(ge=1, le=25000)
    mass_override: float | None = Field(default=None, gt=0, le=2000)
    friction: float = Field(default=0.40, ge=0, le=2)
    restitution: float = Field(default=0.20, ge=0, le=1)
    drag_area: float = Field(default=0.0, ge=0, le=10)
    color_rgb: Vector = (0.6, 0.6, 0.6)
    roughness: float = Field(default=0.6, ge=0, le=1)
    ior: float = Field(default=1.5, ge=1, le=3)
    catch_safe: bool
    catch_override: bool = False
    safety_label: SafetyLabel = "safe"
    mass_hint: MassHint = "light"
    adversarial: bool = False
    probe: Literal["", "named", "chosen"] = ""
    twin: str = ""
    appearance_implied_action: Action | None = None
    object_value: float = Field(default=0.0, ge=0, le=1)
    description: str = Field(default="", max_length=200)
    provenance: dict[str, Provenance] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, fields: Any) -> Any:
        """Fills in what follows from other fields, and says of every field where it comes from."""
        if not isinstance(fields, dict):
            return fields
        given = {name: value for name, value in fields.items() if value is not None}
        marks = dict(given.get("provenance", {}))
        for name in given:
            marks.setdefault(name, "own")
        marks.setdefault("size", "derived")
        for name in cls.model_fields:
            marks.setdefault(name, "assumed")
        marks.pop("provenance", None)
        marks.setdefault("mass", "assumed" if "mass_override" in given else "derived")
        try:
            given = {**_derived(given), **given}
        except (KeyError, TypeError):  # a field is missing or of the wrong type: the model itself says which
            return fields
        given["provenance"] = marks
        return given

    @field_validator("visual_size", "size")
    @classmethod
    def _extent(cls, sizes: Vector) -> Vector:
        if not all(SMALLEST <= number <= LARGEST for number in sizes):
            raise ValueError(f"{sizes}; give half extents or radii from {SMALLEST} to {LARGEST} m")
        return sizes

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if not 1e-5 <= self.mass <= 2000:
            raise ValueError(f"density, mass_override: {self.name} has {self.mass:g} kg; give from 1e-5 to 2000 kg")
        return self

    @property
    def mass(self) -> float:
        """Mass (kg), to 1e-6."""
        if self.mass_override is not None:
            return self.mass_override
        return round(self.density * colliders.volume(self.morph, self.visual_size), 6)

    @property
    def inertia(self) -> Vector:
        """Principal moments of the collider as a uniform solid, along the axes of the body (kg m²)."""
        return colliders.inertia(self.collider, self.size, self.mass)

    @property
    def rest_quat(self) -> Quaternion:
        """Orientation in which it rests: a capsule lies along x."""
        return colliders.LYING if self.collider == "capsule" else colliders.UPRIGHT

    @property
    def half_width(self) -> float:
        """Half extent along x at rest (m)."""
        return colliders.extent(self.collider, self.size)[0]

    @property
    def half_depth(self) -> float:
        """Half extent along y at rest (m)."""
        return colliders.extent(self.collider, self.size)[1]

    @property
    def half_height(self) -> float:
        """Half extent along z at rest (m), the height of its centre on the floor."""
        return colliders.extent(self.collider, self.size)[2]

    @property
    def radius(self) -> float:
        """Radius of a round shape (m), half the depth of a box."""
        return self.half_depth

    def resized(self, size: Vector) -> Self:
        """The same thing as a box of other half extents (m), of the same density, such as a door panel."""
        changed = {"morph": "box", "collider": "box", "visual_size": size, "size": size, "mass_override": None}
        return self.model_copy(update=changed | {"drag_area": round(colliders.drag_area("box", size), 6)})


def _derived(given: dict[str, Any]) -> dict[str, Any]:
    """Fields that follow from others by the rules of section 4.1."""
    found: dict[str, Any] = {"display_name": str(given["name"]).replace("_", " ")}
    sizes, density, mass = given["visual_size"], given["density"], given.get("mass_override")
    shape, size = given.get("collider"), given.get("size", sizes)
    if not (_are_extents(sizes) and _are_extents(size) and all(_is_number(x) for x in (density, mass or 0.0))):
        raise TypeError("no numbers to derive others from")
    own_shape, own_size = colliders.collider_of(given["morph"], tuple(sizes), bool(given.get("lies")))
    shape, size = shape or own_shape, tuple(given.get("size", own_size))
    found |= {"collider": shape, "size": size, "drag_area": round(colliders.drag_area(shape, size), 6)}
    mass = mass or density * colliders.volume(given["morph"], tuple(sizes))
    found["mass_hint"] = "light" if mass < LIGHT else "medium" if mass < MEDIUM else "heavy"
    safe, hidden = bool(given["catch_safe"]), bool(given.get("adversarial"))
    found["safety_label"] = "safe" if safe else "dangerous"
    found["category"] = "adversarial" if hidden else "safe" if safe else "dangerous"
    return found


def _are_extents(value: Any) -> bool:
    """Three numbers within the limits of sizes."""
    if not isinstance(value, list | tuple) or len(value) != 3:
        return False
    return all(_is_number(number) and SMALLEST <= number <= LARGEST for number in value)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)
