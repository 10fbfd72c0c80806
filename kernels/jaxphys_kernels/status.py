"""Status bits: what went wrong in a lane, for every engine.

A lane carries one int32. Zero means that the result may be labelled; any bit set means that no label
is written and that the caller is told how many lanes failed and why. Bits are never cleared.
"""

from collections.abc import Iterable
from enum import IntFlag


class Status(IntFlag):
    """Bits of a lane's status word."""

    EVENT_CAP = 1
    OVERLAP = 2
    NONFINITE = 4
    UNSTABLE_LABEL = 8
    SOLVER = 16
    TIE = 32
    CAPACITY = 64
    NO_EVENT = 128
    ORDER = 256
    OUTSIDE = 512
    DRIFT = 1024
    TIMING = 2048
    REACH = 4096
    LATE = 8192
    HIDDEN = 16384


MESSAGES: dict[Status, str] = {
    Status.EVENT_CAP: (
        "the event capacity was reached before the end time; raise max_events (in vain where bodies lean on each other)"
    ),
    Status.OVERLAP: "bodies overlap at the start, or a centre lies outside the table, by more than is allowed",
    Status.NONFINITE: "a position or velocity is NaN or infinite",
    Status.UNSTABLE_LABEL: "a change of 1e-7 m/s in the launch velocity changes a label",
    Status.SOLVER: "the contact-time search or the impact solver reached its iteration cap",
    Status.TIE: "a body meets two others at the same instant; laws act on pairs and do not say what happens",
    Status.CAPACITY: "more contacts at once than the capacity; raise it",
    Status.NO_EVENT: "what the scene is about does not happen within the horizon",
    Status.ORDER: "contacts come in another order than in the story of the scene",
    Status.OUTSIDE: "a body leaves the room before the story ends",
    Status.DRIFT: "a body moves while it should rest before the start",
    Status.TIMING: "an observed frame lies behind the impact",
    Status.REACH: "the robot is nearer to the impact, or farther from it, than is meant",
    Status.LATE: "a faster launch of the same scene arrives later",
    Status.HIDDEN: "no view shows enough of what the scene is about; lower visible_px, or take larger frames",
}


def describe(status: int) -> list[str]:
    """Messages of the bits set in `status`, in bit order; empty when all is well."""
    return [MESSAGES[bit] for bit in Status if Status(status) & bit]


def count_bits(statuses: Iterable[int]) -> dict[str, int]:
    """Number of lanes with each bit set, by name, in bit order (bits never set are left out)."""
    words = [int(s) for s in statuses]
    totals = {bit: sum(bool(word & bit) for word in words) for bit in Status}
    return {str(bit.name): total for bit, total in totals.items() if total}
