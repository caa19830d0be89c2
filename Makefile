# Two commands on a fresh machine: `make demo` and `make test`. Both set up .venv by themselves.
PYTHON ?= python3
BIN := .venv/bin
# Files of two kinds never slow each other down: one worker a core.
WORKERS ?= auto

.PHONY: demo test test-slow check clean
.DELETE_ON_ERROR:

.venv/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[triton,compilers,libraries,isa,mcp,ray,dev]'
	touch $@

demo: .venv/.ready
	$(BIN)/python -m porter demo

test: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not slow'

test-slow: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS) -m slow

check: .venv/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m porter.hip.check_tables

clean:
	rm -rf .venv .porter
