"""The Python of the guide runs as it stands, one page after the other from top to bottom."""

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


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str) -> None:
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    known = set(laws.names())
    scope: dict[str, object] = {}
    try:
        for block in blocks:
            exec(compile(block, page, "exec"), scope)
    finally:
        for name in reversed([name for name in laws.names() if name not in known]):
            laws.unregister(name)
