"""`jaxphys export SCENE.json --mjcf FILE.xml`: one rigid scene as a model that plain MuJoCo loads.

The file stands alone: meshes lie inside it, contacts are its pairs, and its first keyframe is the start of the scene.
Air drag and the bounce law act between MuJoCo's steps and are not part of a model; a scene that has them says so.
"""

from pathlib import Path

from jaxphys import rigid
from jaxphys_adapters import atomic
from jaxphys_adapters.progress import say
from jaxphys_adapters.rigid_file import read_rigid_file


def export_scene(scene: Path, out: Path) -> None:
    """Write the MJCF file of a scene, whole or not at all.

    Raises:
        ValueError: the scene is faulty, or `out` exists. StorageError: the file cannot be written.
    """
    if out.exists():
        raise ValueError(f"mjcf: {out} exists already; choose a new file, or remove it")
    content = read_rigid_file(scene)
    text = rigid.mjcf(content.world, content.state, content.rules)
    left_out = [name for name in ("drag", "bounce") if getattr(content.rules, name)]
    if left_out:
        say(f"jaxphys: {', '.join(left_out)}: acts between the steps and is not in the file")
    if out.parent != Path():
        atomic.make_folder(out.parent)
    atomic.write(out, text.encode())
