"""What happened in a scene, as a table, from the columns of its row: a list of events, or one contact.

Which table is made depends on which of these columns the benchmark has; without any there is none.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxphys_adapters import report_parts as html


def happened(row: Mapping[str, Any]) -> str:
    """The table of a scene; empty for benchmarks whose rows tell no events."""
    return "".join(table(row) for name, table in TABLES.items() if name in row)


def _events(row: Mapping[str, Any]) -> str:
    """Who met whom, when and where."""
    heads = ["time (s)", "what", "who", "where (m)"]
    rows = []
    for event in row["events"]:
        who = " and ".join(f"ball {ball}" for ball in event["ids"])
        where = event.get("wall") or (f"pocket {event['pocket']}" if event.get("pocket") is not None else "")
        places = ", ".join("(" + ", ".join(f"{value:.4f}" for value in place) + ")" for place in event["pos"])
        rows.append([f"{event['t']:.6f}", event["kind"], f"{who}{', ' + where if where else ''}", places])
    count = f"{len(rows)} event{'s' if len(rows) != 1 else ''}"
    body = html.table(heads, rows) if rows else '<p class="note">Nothing is hit and nothing stops.</p>'
    return f"<div><h3>What happened: {count}</h3>{body}</div>"


def _contact(row: Mapping[str, Any]) -> str:
    """The two bodies just before and just after they met."""
    contact = row["contact"]
    if contact is None:
        return '<div><h3>What happened</h3><p class="note">The object meets nothing.</p></div>'
    names = [*(thing["name"] for thing in row["things"]), *("wall" for _ in row["walls"])]
    rows = []
    for side, body in enumerate((0, row["other"])):
        before, after = (names[contact[f"look_{when}"][side]] for when in ("before", "after"))
        rows.append(
            [
                names[body],
                f"{_pair(contact['v_before'][side])} → {_pair(contact['v_after'][side])}",
                f"{_plain(contact['w_before'][side])} → {_plain(contact['w_after'][side])}",
                "as before" if before == after else f"like the {after}",
            ]
        )
    table = html.table(["who", "velocity (m/s)", "spin (rad/s)", "looks"], rows)
    # One that pushes the other on and does not touch it again has not passed through it.
    through = " They pass through each other." if contact["through"] and not _pushed(contact) else ""
    words = f"{row.get('outcome', '')}. Law: {row.get('law', '').replace('_', ' ')}.{through}"
    head = f"What happened: contact at {contact['time']:.3f} s"
    return f'<div><h3>{head}</h3>{table}<p class="note">{html.esc(words)}</p></div>'


def _pushed(contact: Mapping[str, Any]) -> bool:
    """Whether a velocity changed."""
    return bool(contact["v_before"] != contact["v_after"])


def _pair(vector: Sequence[float]) -> str:
    return f"({', '.join(_plain(value) for value in vector)})"


def _plain(value: float) -> str:
    """Three decimals, and no minus before zero."""
    return f"{round(value, 3) + 0.0:.3f}"


TABLES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {"events": _events, "contact": _contact}
"""Tables by the column that they are made of."""
