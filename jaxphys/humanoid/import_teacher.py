"""`python -m jaxphys.humanoid.import_teacher FILE`: take the teacher policy over from the file that was downloaded.

    pip download --no-deps holosoma-inference==0.1.3
    python -m jaxphys.humanoid.import_teacher holosoma_inference-0.1.3-py3-none-any.whl

FILE is the wheel or the ONNX file in it. A checkpoint and the licence go to the user's data folder, after which
`policy = "teacher"` finds it. Works offline, and runs nothing of the wheel (humanoid specification, section 3.3).
"""

import argparse
import importlib.metadata
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from jaxphys.humanoid import checkpoint, teacher

NOTICE = f"""This checkpoint holds the weights of fastsac_g1_29dof, unchanged but for their format.

Source:    {teacher.SOURCE}
Package:   {teacher.WHEEL} ({teacher.MEMBER})
sha256:    {teacher.SHA256}
Licence:   {teacher.LICENCE}
"""
"""Stands beside the weights, with the text of the licence."""


def import_teacher(source: Path, out: Path) -> teacher.Teacher:
    """Read the teacher and write it as a checkpoint with its licence.

    Args:
        source: the wheel or the ONNX file.
        out: folder of the checkpoint.

    Raises:
        FileNotFoundError: no such file, or nothing in it.
        ValueError: the file is no such policy, or not the one of this package.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = teacher.load(source)
    if found.sha256 != teacher.SHA256:
        raise ValueError(f"{source} has sha256 {found.sha256}, expected {teacher.SHA256}: another version of the file")
    checkpoint.save(
        out,
        found.weights,
        {
            "name": "fastsac_g1_29dof",
            "source": teacher.SOURCE,
            "package": teacher.WHEEL,
            "sha256": found.sha256,
            "licence": teacher.LICENCE,
        },
    )
    (out / "NOTICE").write_text(NOTICE, encoding="utf-8")
    # The licence is also this package's own, so its text is at hand wherever the package is installed.
    text = importlib.metadata.distribution("jaxphys").read_text("licenses/LICENSE")
    (out / "LICENSE").write_text(text or f"{teacher.LICENCE}\n", encoding="utf-8")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m jaxphys.humanoid.import_teacher", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("file", type=Path, help="the wheel of holosoma-inference 0.1.3, or the ONNX file in it")
    parser.add_argument("--out", type=Path, help="folder of the checkpoint; the user's data folder if left out")
    options = parser.parse_args(arguments)
    out = options.out or checkpoint.teacher_folder()
    try:
        import_teacher(options.file, out)
    except (ValueError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{NOTICE}\nwritten to {out}; take it as humanoid.policy({'teacher' if options.out is None else str(out)!r})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
