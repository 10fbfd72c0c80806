"""The commands `jaxphys enact NAME`, in the form of `jaxphys_adapters.cli.COMMANDS`."""

from jaxphys_adapters.cli import Command

_HERE = "jaxphys_adapters.enact"

COMMANDS: dict[str, Command] = {
    "segment": Command(
        "find the key frames of recorded activities", f"{_HERE}.segment:EnactSegment", f"{_HERE}.segment:run"
    ),
    "pack": Command(
        "take what evaluation needs out of the recordings", f"{_HERE}.packing:EnactPack", f"{_HERE}.packing:run"
    ),
    "qa": Command("make questions from key frames", f"{_HERE}.qa:EnactQa", f"{_HERE}.qa:run"),
    "eval": Command(
        "judge predictions as the reference does, and strictly", f"{_HERE}.evaluate:EnactEval", f"{_HERE}.evaluate:run"
    ),
    "ablation": Command(
        "compare variants with a baseline by Welch's t-test",
        f"{_HERE}.ablation:EnactAblation",
        f"{_HERE}.ablation:run",
    ),
    "render": Command(
        "draw the key frames of a data set in another lens, light or colour",
        f"{_HERE}.variants:EnactRender",
        f"{_HERE}.variants:run",
    ),
    "sheet": Command(
        "show steps of episodes to a person, before and after", f"{_HERE}.sheets:EnactSheet", f"{_HERE}.sheets:run"
    ),
    "export": Command(
        "write a data set in the reference's layout", f"{_HERE}.export:EnactExport", f"{_HERE}.export:run"
    ),
}
