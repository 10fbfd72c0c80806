#!/bin/sh
# Makes the environment in which Genesis records its scenes: sh tests/reference/env_genesis.sh [DIR]
#
# Genesis needs torch and much else that the project does not use, so it is installed beside the project's own
# environment (4 GB and more). Any build of torch will do; TORCH_INDEX names a package index to take it from, for
# example one of CPU builds, which are smaller. Python 3.10 to 3.13. Does nothing when the environment is complete.
set -eu

dir=${1:-.venv-genesis}
stamp="$dir/.genesis-1.4.5"
[ -e "$stamp" ] && { echo "$dir is ready"; exit 0; }

if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --allow-existing "$dir"
    install() { uv pip install --quiet --python "$dir/bin/python" "$@"; }
else
    python3 -m venv "$dir" || { echo "python3 -m venv failed; on Debian: apt-get install python3-venv" >&2; exit 1; }
    install() { "$dir/bin/python" -m pip install --quiet "$@"; }
fi

install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch
install genesis-world==1.4.5

"$dir/bin/python" -c "import genesis" >/dev/null
: >"$stamp"
echo "$dir is ready"
