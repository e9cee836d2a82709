# Each target sets up what it needs in .venv. Without make: see the README.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play table test test-long check bench pictures clean
play: .venv/played
	$(BIN)/rage

table: .venv/played
	$(BIN)/rage play

test: .venv/page
	$(BIN)/pytest -n auto

test-long: .venv/page
	$(BIN)/pytest -n auto -m ""

check: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python web/build.py check

bench: .venv/page
	$(BIN)/python -m benchmarks

pictures: .venv/page
	$(BIN)/python -m docs.pictures

SOURCES := pyproject.toml setup.py $(wildcard src/rage/*.py src/rage/*.pxd src/rage/bots/*.py src/rage/bots/*.pxd)
PAGE := $(shell find web -name node_modules -prune -o -type f -print) $(wildcard src/rage/locale/*.json)

.venv/bin/python:
	@echo "Setting up .venv: once, for a minute or so ..."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

.venv/played: .venv/bin/python $(SOURCES) $(PAGE)
	@echo "Installing, compiling and building the page ..."
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/tested: .venv/bin/python $(SOURCES)
	@echo "Installing and compiling, with what the tests need ..."
	RAGE_NO_PAGE=1 $(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

.venv/page: .venv/tested $(PAGE)
	$(BIN)/python tests/browsers.py
	$(BIN)/python tests/proxies.py
	@echo "Building the page ..."
	$(BIN)/python web/build.py
	touch $@ .venv/played

clean:
	rm -rf .venv build dist src/*.egg-info src/rage/*.so src/rage/*/*.so src/rage/server/page
	rm -rf web/node_modules
