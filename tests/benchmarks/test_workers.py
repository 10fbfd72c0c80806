"""Processes of a pool work, and end with the one that started them, however it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jaxphys_benchmarks.workers import pool

SCRIPT = """
import os, time
from jaxphys_benchmarks.workers import pool

if __name__ == "__main__":
    with pool(1) as processes:
        print(processes.submit(os.getpid).result(), flush=True)
        processes.submit(time.sleep, {busy})
        time.sleep(60)
"""


def alive(number: int) -> bool:
    """Whether there is such a process that still does something."""
    try:
        # One that has ended stays in the table until somebody asks for its result.
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_work_is_done_elsewhere_in_order() -> None:
    with pool(1) as processes:
        assert list(processes.map(abs, (-1, 2, -3))) == [1, 2, 3]
        assert processes.submit(os.getpid).result() != os.getpid()
    with pytest.raises(ValueError, match="max_workers"):
        pool(0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("busy", [0, 60])
def test_nobody_is_left_when_the_one_that_gives_orders_is_killed(tmp_path: Path, busy: int) -> None:
    path = tmp_path / "orders.py"
    path.write_text(SCRIPT.format(busy=busy))
    with subprocess.Popen(
        [sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as gives:
        assert gives.stdout is not None
        worker = int(gives.stdout.readline())
        assert alive(worker)
        gives.send_signal(signal.SIGKILL)
        gives.wait()
        patience = time.monotonic() + 20
        while alive(worker) and time.monotonic() < patience:
            time.sleep(0.05)
    assert not alive(worker)
