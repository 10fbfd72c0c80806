"""When a scene is seen: the window of observed frames (ReactHuman specification, section 9).

`published`: from the release to 0.6 s. `event`: it ends a lead before the impact, and may begin before the release;
then the scene as it starts is held for the missing part. Public: `timing_of`.
"""

import math

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.spec import Band, Physics, Timing

TOLERANCE = 1e-6
"""Of a time in steps: 0.6 s are 144 steps whatever the last bit says."""


def timing_of(config: ReactHumanConfig, band: Band, t_imp: float, physics: Physics) -> Timing:
    """The window of a scene.

    Args:
        config: mode, window and leads. band: of the scene. t_imp: impact (s), inf for none: then the published window
            is taken. physics: gives the step.
    """
    window = round(config.window / physics.dt)
    if config.timing == "published" or math.isinf(t_imp):
        return Timing(mode="published", t0_step=0, freeze_step=window, frames=config.frames)
    lead = config.lead_constant if config.lead == "constant" else config.leads[band]
    freeze = math.floor((t_imp - lead) / physics.dt + TOLERANCE)
    return Timing(mode="event", t0_step=freeze - window, freeze_step=freeze, frames=config.frames)
