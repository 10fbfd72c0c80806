"""Activities of one's own that a generated folder was made with: their texts lie in its recipe."""

import json
from pathlib import Path

from jaxphys_adapters.enact.folder import RECIPE
from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.own import read


def brought(data: Path) -> list[Activity]:
    """The own activities of a folder, to be entered in the book while its houses are made.

    Args:
        data: folder that `jaxphys generate enact` has made.

    Raises:
        ValueError: the recipe is missing or broken, or an activity in it is.
    """
    path = data / RECIPE
    try:
        pairs = json.loads(path.read_bytes())["own"]
        return [read(str(name), str(text)) for name, text in pairs]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path}: cannot be read ({error}); make the data set anew") from error
