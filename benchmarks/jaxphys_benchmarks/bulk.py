"""Making very many small records at once.

Python's cyclic garbage collector looks at every object again and again while records pile up that will all be kept;
with a large library loaded that takes longer than making them. `collector_paused` puts it off to the end.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Within it nothing is collected in cycles, in all threads; reference counts free the rest as ever."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
