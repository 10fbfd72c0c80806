#!/bin/sh
# Makes the environment in which the pooltool tests and bench rows run: sh tests/reference/env_pooltool.sh [DIR]
#
# pooltool 0.6.0 asks for a panda3d build that the package index does not carry and for an older llvmlite than
# the project's numba, so it is installed without its dependencies, beside the project's own environment.
# Python 3.10 to 3.13. Does nothing when the environment is complete.
set -eu

dir=${1:-.venv-pooltool}
stamp="$dir/.pooltool-0.6.0"
[ -e "$stamp" ] && { echo "$dir is ready"; exit 0; }

requirements="panda3d==1.10.16 panda3d-gltf>=1.2.0 panda3d-simplepbr>=0.12.0 numba==0.62.1 llvmlite==0.45.1
numpy>=1.26,<2.4 scipy>=1.12 attrs>=21.3 cattrs>=22.1 msgpack>=1.0 msgpack-numpy>=0.4.8 pyyaml>=5.2 click>=8.0
pillow>=6.2 h5py>=3.10 h11>=0.16 rich>=14,<15 numpy-quaternion>=2024.0.12"

if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --allow-existing "$dir"
    install() { uv pip install --quiet --python "$dir/bin/python" "$@"; }
else
    python3 -m venv "$dir" || { echo "python3 -m venv failed; on Debian: apt-get install python3-venv" >&2; exit 1; }
    install() { "$dir/bin/python" -m pip install --quiet "$@"; }
fi

install --no-deps pooltool-billiards==0.6.0
# Unquoted on purpose: one word per requirement.
# shellcheck disable=SC2086
install $requirements

HOME=$(mktemp -d) "$dir/bin/python" -c "import pooltool" >/dev/null
: >"$stamp"
echo "$dir is ready"
