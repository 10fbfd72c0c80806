"""A page that plays replays: one HTML file that needs neither network nor server.

viser's client plays a recording; around it come the title, the facts, and the choice of replay and camera
(`pages/view.js`). A content security policy forbids everything from outside. Names and facts reach the page escaped.
Needs the extra `jaxphys[view]`.
"""

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np

from jaxphys_adapters.report_parts import esc
from jaxphys_adapters.view_recording import UP, nearest, orbited, recorded
from jaxphys_benchmarks.protocol import OWN
from jaxphys_benchmarks.replay import Replay
from jaxphys_benchmarks.stage import Camera, Stage

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:;"
    " connect-src data: blob:; img-src data: blob:; font-src data: blob:; style-src 'unsafe-inline'"
)
"""The client makes functions of its own parts, WebAssembly among them, and works in blobs and workers of its own."""

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)


def view_page(title: str, lead: str, replays: Mapping[str, Replay]) -> str:
    """The page.

    Args:
        title: of the page. lead: one line below it. replays: by name, the one to start with first.

    Raises:
        ValueError: no replay. OSError: a recording cannot be made. ImportError: another version of viser is needed.
    """
    if not replays:
        raise ValueError("replays: none; give at least one")
    first = next(iter(replays.values()))
    with recorded(replace(first, stage=first.stage.only([0]))) as serializer:
        shell = _taken_apart(serializer.as_html())
    entries = {name: _entry(replay) for name, replay in replays.items()}
    pages = files("jaxphys_adapters") / "pages"
    # "<" would let text end the element that it stands in.
    data = json.dumps(entries, ensure_ascii=True).replace("<", "\\u003c")
    head = (
        f"<style>{(pages / 'view.css').read_text('utf-8')}</style>"
        f'<script type="application/json" id="replays">{data}</script>'
        f"<script>{(pages / 'view.js').read_text('utf-8')}</script>"
    )
    policy = f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    text = shell.replace("<head>", policy, 1)
    text = _TITLE.sub(lambda _: f"<title>{esc(title)}</title>", text, count=1)
    text = text.replace(_PLACE, head, 1)
    before, body, after = text.rpartition("</body>")
    return before + _about(title, lead, replays) + body + after


def _entry(replay: Replay) -> dict[str, Any]:
    """A replay as the page holds it: its cameras, its recording, and a recording for each that hides something."""
    seen = {view: replay.seen_by(view) for view in replay.hidden}
    cameras = {
        view: _address(seen[view].stage if view in seen else replay.stage, camera)
        for view, camera in replay.cameras.items()
    }
    found: dict[str, Any] = {"cameras": cameras, "recording": _recording(replay)}
    return found | {"seen": {view: _recording(one) for view, one in seen.items()}}


def _recording(replay: Replay) -> str:
    with recorded(replay) as serializer:
        return base64.b64encode(serializer.serialize()).decode("ascii")


_PLACE = "<!-- recordings -->"
_EMBEDDED = re.compile(r'<script>window\.__VISER_EMBED_DATA__="([A-Za-z0-9+/=]*)";')


def _taken_apart(html: str) -> str:
    """viser's page without its recording, with a mark in front of where it names one.

    Raises:
        ImportError: this version of viser makes other pages.
    """
    found = _EMBEDDED.search(html)
    if found is None:
        raise ImportError("viser: its page holds no recording where it is looked for; pip install viser==1.1.1")
    return f"{html[: found.start()]}{_PLACE}<script>{html[found.end() :]}"


def _address(stage: Stage, camera: Camera) -> dict[str, str]:
    """A camera as viser's client reads it from the address of a page."""
    turned = orbited(stage, camera)

    def text(values: tuple[float, ...]) -> str:
        return ",".join(f"{value:.5g}" for value in values)

    return {
        "initialCameraPosition": text(turned.position),
        "initialCameraLookAt": text(turned.target),
        "initialCameraUp": text(UP),
        "initialCameraFov": f"{np.radians(turned.fov_deg):.5g}",
        "initialCameraNear": f"{nearest(stage, camera):.3g}",
    }


def _about(title: str, lead: str, replays: Mapping[str, Replay]) -> str:
    """Title, choices, and facts of each replay."""
    words = {name: "as drawn" if name == OWN else name.replace("_", " ") for name in replays}
    options = "".join(f'<option value="{esc(name)}">{esc(word)}</option>' for name, word in words.items())
    facts = shown = ""
    for name, replay in replays.items():
        rows = "".join(f"<dt>{esc(key)}</dt><dd>{esc(value)}</dd>" for key, value in replay.facts.items())
        if replay.shown:
            shown += f'<p data-replay="{esc(name)}">{esc(replay.shown)}</p>'
        facts += f'<dl data-replay="{esc(name)}">{rows}</dl>'
    return (
        f'<aside id="about"><h1>{esc(title).replace("/", "/<wbr>")}</h1><p>{esc(lead)}</p>{shown}'
        f'<label>variant<select id="replay">{options}</select></label>'
        f'<label>seen from<select id="camera"></select></label>'
        f"<details open><summary>facts</summary>{facts}</details></aside>"
    )
