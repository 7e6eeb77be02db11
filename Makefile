# Needs Python 3.11 or newer with pip. `make PYTHON=python3.12 test` chooses another interpreter.
PYTHON ?= python3
PIP = $(PYTHON) -m pip --python .venv/bin/python
BIN = .venv/bin
READY = .venv/.ready

.PHONY: verify test bench docs lint constraints clean

verify: $(READY)
	$(BIN)/rolltheory verify

test: $(READY)
	$(BIN)/pytest -n 2

bench: $(READY)
	$(BIN)/pytest -v -s -o addopts=--import-mode=importlib tests/benchmarks

docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going docs docs/_build/html

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Debian keeps ensurepip in a package of its own, so the environment borrows the outer pip.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv --without-pip .venv
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

# The newest versions that fit pyproject.toml and $(PYTHON): take the oldest Python supported, with
# its patch number (Debian 12 has 3.11.2). Which build of torch it is, is left to the machine.
constraints:
	rm -rf .venv
	$(PYTHON) -m venv --without-pip .venv
	$(PIP) install --quiet --upgrade --editable '.[dev]'
	$(PIP) freeze --exclude-editable | sed 's/^\(torch==[^+]*\)+.*/\1/' | LC_ALL=C sort -f > constraints.txt

clean:
	rm -rf .venv build dist docs/_build docs/gallery_built .mypy_cache .pytest_cache .ruff_cache \
		.hypothesis .benchmarks .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
