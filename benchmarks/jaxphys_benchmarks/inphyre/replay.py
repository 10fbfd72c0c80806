"""The replay of a sample: all frames of its film, seen from anywhere."""

from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.picture import FILM, picture
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.replay import FPS, Replay


def replay(spec: InPhyReSpec, labels: Labels | None, *, fps: float = FPS) -> Replay:
    """The film of a sample at its own pace; `fps` is not looked at, because a film has the frames that it has."""
    stage = picture(spec, None, View(FILM, frames=spec.film.frames))
    params = ", ".join(f"{name} {value:g}" for name, value in spec.params.items())
    facts = {
        "scenario": spec.scenario,
        "law": spec.law + (f" ({params})" if params else ""),
        "objects": ", ".join(thing.name for thing in spec.things),
    }
    if labels is not None:
        met = labels.contact
        facts["first contact"] = "none" if met is None else f"at {met.time:.3f} s"
        facts["what happens"] = labels.meaning.replace("_", " ") or "not decided"
    return Replay(stage, {"film": stage.camera}, facts)
