"""What a robot did in a scene, as `jaxphys execute` has stored it, to be watched. Public: `carried_out`."""

from pathlib import Path

from jaxphys_adapters import layout, motions
from jaxphys_adapters.execution_files import EXECUTION, MOTION, OUTCOME, told_of
from jaxphys_benchmarks.embodied import Filmed
from jaxphys_benchmarks.protocol import Benchmark, Spec
from jaxphys_benchmarks.replay import Replay


def carried_out(benchmark: Benchmark, spec: Spec, folder: Path, fps: float) -> dict[str, Replay]:
    """The replay of an executed answer, by a name that says whose it is.

    Args:
        benchmark, spec: the scene. folder: of `jaxphys execute`. fps: frames per second, at about which it is shown.

    Raises:
        ValueError: the folder holds no answer that was carried out in this scene, or one that cannot be shown or is
            about another scene of its name.
    """
    if not isinstance(benchmark, Filmed):
        raise ValueError(f"executed: no robot acts in scenes of {benchmark.name}; leave it out")
    if not (folder / EXECUTION).is_file():
        raise ValueError(f"executed: {folder} holds no {EXECUTION}; give a folder of `jaxphys execute`")
    if not (folder / spec.id / OUTCOME).is_file():
        raise ValueError(f"executed: {folder} holds no outcome of {spec.id}; run `jaxphys execute` on its data set")
    whose = str(layout.read_json(folder / EXECUTION).get("answers", folder.name))
    title, lines = told_of(folder / spec.id / OUTCOME, spec)
    (labels,) = benchmark.label([spec], *benchmark.simulate([spec]))
    truth = None if benchmark.statuses(spec, labels)[-1] else labels
    told = {"outcome": title, **dict(lines)}
    motion = motions.read(folder / spec.id / MOTION)
    return {f"plan of {whose}": benchmark.executed_replay(spec, truth, motion, told, fps=fps)}
