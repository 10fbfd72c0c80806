# Every command of the project, in one place. `make demo` and `make test` each work alone on a fresh machine.

VENV := .venv
PY := $(VENV)/bin/python
SYNC := $(VENV)/bin/uv sync --frozen --inexact
DEMO ?= demo
WORKERS ?= 2

export UV_PROJECT_ENVIRONMENT := $(VENV)
export UV_LINK_MODE := copy

.PHONY: help env demo test slow reference lint bench bench-quick docs wheel env-pooltool env-genesis record-genesis clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s '	'

$(VENV)/.base: pyproject.toml uv.lock
	@bash tools/make_env.sh $(VENV)
	$(SYNC) --no-default-groups --extra all
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	$(SYNC) --extra all --extra references --group dev
	@touch $@

env: $(VENV)/.base  ## create the environment in .venv

demo: $(VENV)/.base  ## simulate, render, ask the built-in baselines, score, and write report pages into demo/
	$(VENV)/bin/jaxphys demo $(DEMO)

test: $(VENV)/.dev  ## run the tests, two files at a time (about 20 minutes on two cores)
	$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

slow: $(VENV)/.dev  ## run the long tests
	$(PY) -m pytest -m slow

reference: $(VENV)/.dev env-pooltool  ## compare with other engines
	$(PY) -m pytest -m "reference"

lint: $(VENV)/.dev  ## format check, lint, types, import contracts
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: $(VENV)/.dev env-pooltool  ## measure everything against its peers (about an hour)
	$(PY) -m bench all

bench-quick: $(VENV)/.dev  ## a few minutes of measurements
	$(PY) -m bench quick

docs: $(VENV)/.base  ## build the user guide into site/
	$(SYNC) --extra all --group docs
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict

wheel: $(VENV)/.dev  ## build the wheel and test it from outside the checkout
	bash tools/test_wheel.sh

env-pooltool: .venv-pooltool/.pooltool-0.6.0  ## pooltool in an environment of its own: its pins conflict with ours
.venv-pooltool/.pooltool-0.6.0: tests/reference/env_pooltool.sh
	PATH="$(abspath $(VENV))/bin:$$PATH" sh tests/reference/env_pooltool.sh .venv-pooltool

env-genesis: .venv-genesis/.genesis-1.4.5  ## Genesis in an environment of its own: it brings torch
.venv-genesis/.genesis-1.4.5: tests/reference/env_genesis.sh
	PATH="$(abspath $(VENV))/bin:$$PATH" sh tests/reference/env_genesis.sh .venv-genesis

record-genesis: $(VENV)/.dev env-genesis  ## draw the scenes that Genesis is compared with again, and record them (minutes)
	$(PY) -m tests.reference.genesis_scenes
	.venv-genesis/bin/python tests/reference/genesis_record.py

clean:  ## remove everything that was built here
	rm -rf $(VENV) .venv-pooltool .venv-genesis demo dist site .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
