#!/usr/bin/env bash
# Create a virtual environment with uv in it. Says which system package is missing and how to get it.
set -euo pipefail
venv="$1"

fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

python=""
for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if fits "$candidate"; then
        python="$candidate"
        break
    fi
done
if [ -z "$python" ]; then
    echo "jaxphys needs Python 3.11 or newer, and none was found. On Debian: apt-get install python3 python3-venv" >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
    echo "$python cannot create environments: the venv package is missing. On Debian: apt-get install python3-venv" >&2
    exit 1
fi
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
[ -x "$venv/bin/uv" ] || { "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip >/dev/null; "$venv/bin/python" -m pip install --quiet "uv>=0.9"; }
