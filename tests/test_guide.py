"""The Python of the guide runs as it stands, one page after the other from top to bottom, and prints what it shows."""

import re
from pathlib import Path

import pytest

from jaxphys import laws

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/billiards.md",
    "docs/planar.md",
    "docs/rigid.md",
    "docs/gradients.md",
    "docs/humanoid.md",
    "docs/closed_loop.md",
    "docs/enact.md",
    "docs/enact_worlds.md",
    "docs/enact_activities.md",
    "benchmarks/README.md",
)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"((?:^# .*\n)+)\Z", re.MULTILINE)
"""What a block prints, as comments at its end."""

ALONE = {"README.md": "from jaxphys import rigid", "docs/enact_activities.md": "def tidy_the_shelf"}
"""By page, what is in a block that a reader takes alone."""


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    known = set(laws.names())
    scope: dict[str, object] = {}
    try:
        for block in blocks:
            capsys.readouterr()
            exec(compile(block, page, "exec"), scope)
            if shown := SHOWN.search(block):
                assert capsys.readouterr().out == shown[1].replace("# ", "")
    finally:
        for name in reversed([name for name in laws.names() if name not in known]):
            laws.unregister(name)


@pytest.mark.parametrize("page", ALONE)
def test_an_example_runs_alone(page: str) -> None:
    (block,) = (block for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")) if ALONE[page] in block)
    exec(compile(block, page, "exec"), {})
