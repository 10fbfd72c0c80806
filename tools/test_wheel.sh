#!/usr/bin/env bash
# Build the sdist and from it the wheel, install the wheel in a fresh environment, and use it from an empty folder.
set -euo pipefail
checkout="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

"$checkout/.venv/bin/python" -m build --installer uv --outdir "$work/dist" "$checkout" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
UV_PROJECT_ENVIRONMENT="$work/venv" "$checkout/.venv/bin/uv" sync --frozen --no-install-project --no-default-groups --extra all --project "$checkout" --quiet --python "$checkout/.venv/bin/python"
"$checkout/.venv/bin/uv" pip install --quiet --no-deps --python "$work/venv/bin/python" "$work"/dist/*.whl

mkdir "$work/elsewhere"
cd "$work/elsewhere"
export JAXPHYS_CACHE_DIR="$work/cache"
"$work/venv/bin/python" - <<'PY'
import importlib.metadata, pathlib, sys
import jaxphys, jaxphys_adapters, jaxphys_benchmarks, jaxphys_kernels

root = pathlib.Path(jaxphys.__file__).parent.parent
for package in (jaxphys, jaxphys_adapters, jaxphys_benchmarks, jaxphys_kernels):
    folder = pathlib.Path(package.__file__).parent
    assert folder.parent == root, folder
    assert (folder / "py.typed").is_file(), folder
files = {str(f).split("/")[0] for f in importlib.metadata.files("jaxphys")}
assert not files & {"kernels", "benchmarks", "adapters", "bench", "tests"}, files
held = {pathlib.Path(str(f)).name for f in importlib.metadata.files("jaxphys")}
assert {"LICENSE", "NOTICE"} <= held, held
from jaxphys import humanoid
print("walking policy of", sum(layer.bias.size for layer in humanoid.policy("student").hidden), "hidden units")
print("wheel", importlib.metadata.version("jaxphys"), "holds", sorted(f for f in files if f.startswith("jaxphys")))
PY
"$work/venv/bin/jaxphys" --help >/dev/null
"$work/venv/bin/jaxphys" generate billiardphys --scenes 2 --windows 1 --seed 1 --out data
"$work/venv/bin/jaxphys" eval billiardphys --model jaxphys/oracle --scenes 2 --windows 1 --seed 1 --json | tail -1
"$work/venv/bin/jaxphys" generate inphyre --scenes 2 --seed 1 --option scenarios=LMC,CC --videos --out films
"$work/venv/bin/jaxphys" eval inphyre --model jaxphys/oracle --data films --option shots=1 --json | tail -1
"$work/venv/bin/inspect" eval jaxphys/billiardphys --model jaxphys/oracle -T scenes=1 --display none --log-dir logs
echo "1 passed, 0 failed"
