"""`jaxphys eval` in a process of its own that may be killed: options as JSON in one argument, no renderer needed."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.adapters.query.conftest import flat


def main(text: str) -> int:
    """Ask as the options say; returns the exit code of the command."""
    import jaxphys_adapters
    from jaxphys_adapters.query import evaluate
    from jaxphys_adapters.query.options import EvalOptions

    given: dict[str, Any] = json.loads(text)
    setattr(jaxphys_adapters, "stages", SimpleNamespace(render=flat))  # noqa: B010 -- a module that is not imported
    given["out"], given["option"] = Path(given["out"]), tuple(given["option"])
    given["model_arg"] = tuple(given["model_arg"])
    return evaluate.run(EvalOptions(**given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
