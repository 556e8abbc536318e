# Everything happens in .venv and build, both inside this folder, caches too. `make help` lists the
# targets.
#
#   PYTHON=python3.12 make setup     another interpreter
#   make test ARGS="-k perft"        arguments for pytest
#   make play ARGS="--colour red"    arguments for the program

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help setup play demo test test-all sim formal lint format bench site clean

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# pip has a cache only where PIP_CACHE_DIR names one.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input \
	$(if $(PIP_CACHE_DIR),,--no-cache-dir)
ARGS ?=

# The first interpreter that is new enough.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

# The compiler from a wheel is large, so it is installed only where there is no other.
COMPILER := $(shell command -v $(firstword $(CXX)) c++ g++ clang++ 2>/dev/null | head -n 1)
# `make setup ALSO="fuzz browser"` installs more of the extras in pyproject.toml.
COMMA := ,
EXTRAS := dev$(if $(COMPILER),,,compiler)$(subst $() ,,$(ALSO:%=$(COMMA)%))

# Verilator's makefiles call it by these names.
define WRAP_ZIG
for tool in c++ ar; do \
	printf '#!/bin/sh\nexec "%s" -m ziglang %s "$$@"\n' '$(CURDIR)/$(BIN)/python' $$tool \
		>$(BIN)/$$tool && chmod +x $(BIN)/$$tool || exit 1; done
endef

# Editors and mypy do not follow the import hook of an editable installation. They find the packages
# through links in a folder that the environment has on its path.
PACKAGES := bench boards engine game hdl host sim tools web
LINKS := build/typed/loopline
define LINK_PACKAGES
mkdir -p $(LINKS) && for package in $(PACKAGES); do \
	ln -sfn ../../../$$package $(LINKS)/$$package || exit 1; done && \
	echo '$(CURDIR)/build/typed' >$$($(BIN)/python -c \
		'import sysconfig; print(sysconfig.get_path("purelib"))')/loopline-links.pth
endef

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(READY) ## make .venv with everything that the other targets need

# What ALSO names may be missing in an environment that is ready.
ifneq ($(strip $(ALSO)),)
$(READY): again
.PHONY: again
endif

# The sources are compiled here: later Python may not be allowed to (PYTHONDONTWRITEBYTECODE).
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found; set PYTHON" >&2; exit 1; }
	@echo "Installing into $(VENV) with $$($(PYTHON) --version); a minute or two the first time ..."
	@rm -f $@
	@$(PYTHON) -m venv $(VENV) || { echo "$(PYTHON) cannot make a virtual environment;" \
		"on Debian and Ubuntu install python3-venv" >&2; exit 1; }
	@$(PIP) install --constraint constraints.txt --editable '.[$(EXTRAS)]'
	@$(if $(COMPILER),,$(WRAP_ZIG))
	@$(LINK_PACKAGES)
	@$(BIN)/python -m compileall -q $(PACKAGES)
	@echo "Preparing Yosys; half a minute the first time ..."
	@$(BIN)/python -c 'from pathlib import Path; from loopline.tools.compilers import run_yosys; \
		run_yosys("", Path())'
	@$(BIN)/python -c 'from loopline.engine.search.searcher import Searcher; Searcher().warm_up()' \
		|| echo "The engine is not compiled yet; that is tried again when it starts." >&2
	@touch $@

# Their names say which tests are proofs, and which go through all states.
FORMAL = $(shell find tests -name "test_*formal.py" -o -name "test_*exhaustive.py" | sort)

play: $(READY) ## play against the simulated board
	@$(BIN)/loopline play $(ARGS)

demo: $(READY) ## watch the simulated board play against itself
	@$(BIN)/loopline demo $(ARGS)

test: $(READY) ## run the tests
	@PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONWARNINGS=error $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 \
		--dist loadgroup $(ARGS)

test-all: $(READY) ## run the tests, the slow ones too
	@$(MAKE) --no-print-directory test ARGS="-m '' $(ARGS)"

SIM ?= verilator
sim: $(READY) ## run the cocotb benches; SIM=icarus, WAVES=1, ARGS=turn_unit
	@$(BIN)/python -m loopline.sim.benches --simulator $(SIM) $(if $(filter-out 0,$(WAVES)),--waves) $(ARGS)

formal: $(READY) ## run the proofs, each also on designs with a fault that it has to find
	@$(MAKE) --no-print-directory test ARGS="-m '' $(ARGS) $(FORMAL)"

lint: $(READY) ## check style, format and types
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --diff
	@$(BIN)/mypy --no-error-summary -p loopline.game -p loopline.host -p loopline.tools -p loopline.web
	@echo "lint: clean"

format: $(READY) ## put the code in the format that `lint` wants
	@$(BIN)/ruff format --quiet
	@$(BIN)/ruff check --quiet --fix --select I

bench: $(READY) ## short forms of what measures the figures of README
	$(BIN)/loopline bench core --games 20
	$(BIN)/loopline bench random-positions --seeds 0-49
	$(BIN)/loopline bench turn-unit --perft 5
	$(BIN)/loopline bench games --random 20 --engine 2 --itself 1 --searched 2
	$(BIN)/loopline build hx8k

site: $(READY) ## build the documents as a site in build/site, with a page to play on
	@$(PIP) install --constraint constraints.txt --editable '.[$(EXTRAS),site]'
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs . build/site
	@$(BIN)/loopline page build/site/play
	@echo "The site is in build/site."

clean: ## remove everything that was made here, .venv and caches too
	@rm -rf $(VENV) build dist *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
