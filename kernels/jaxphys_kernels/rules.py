"""Static numbers that every event loop has, checked when they are made."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EventRules:
    """Static numbers of an event loop (never traced, hashable); each engine says what it makes of them.

    Attributes:
        max_events: capacity of the event list; reaching it before the end time sets `EVENT_CAP`.
        tie_window: events closer in time than this are simultaneous (s).
        v_snap: slower approaches are none (m/s).
    """

    max_events: int = 64
    tie_window: float = 1e-9
    v_snap: float = 1e-12

    def __post_init__(self) -> None:
        """Raise ValueError naming the field that is out of range."""
        if self.max_events < 1:
            raise ValueError(f"max_events is {self.max_events}; it must be at least 1")
        for name in ("tie_window", "v_snap"):
            value = getattr(self, name)
            if not 0 <= value < float("inf"):
                raise ValueError(f"{name} is {value}; it must be finite and not negative")
