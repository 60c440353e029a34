# Names the steps; what a step does is in tools/. No path here is absolute, so the folder may have any name.
.NOTPARALLEL:
.PHONY: up help test check bench generate lint lock release clean install-server install-dev install-uv

PYTHON ?=
ARGS ?=
VENV := .venv/bin
# Compiled modules are kept wherever one works: without them every start compiles two thousand files again.
unexport PYTHONDONTWRITEBYTECODE
LOCK := $(VENV)/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --universal \
        --python-version 3.11 $(ARGS)

up: install-server  ## Install what is missing, build the web UI, start the server (ARGS="--demo --port 8500")
	@$(VENV)/python tools/build_web.py
	@exec $(VENV)/goldloop serve $(ARGS)

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

test: install-dev  ## Run everything: lint, types, tests on a real PostgreSQL, web tests, tests in a browser
	@$(VENV)/python tools/build_web.py --required
	@$(VENV)/python tools/build_web.py --packages
	@$(VENV)/python tools/ensure_browser.py
	@$(VENV)/python tools/ensure_pgbouncer.py
	@exec $(VENV)/python tools/run_tests.py

check: install-dev  ## In a minute: lint, types and the tests that need no database
	@exec $(VENV)/python tools/run_tests.py check

bench: install-dev  ## Measure (ARGS go to the bench)
	@$(VENV)/python -m bench $(ARGS)
	@$(if $(ARGS),,$(VENV)/python tools/build_web.py --packages && cd web && npm run --silent bench)

generate: install-dev  ## Write what is generated from the code: openapi.json, schema.sql, the types of the clients
	$(VENV)/python tools/write_generated.py
	@$(VENV)/python tools/build_web.py --packages
	cd web && npm run --silent generate

lint: install-dev  ## Only ruff, mypy and oxlint
	$(VENV)/python -m ruff check
	$(VENV)/python -m ruff format --check
	$(VENV)/python -m mypy
	@$(VENV)/python tools/build_web.py --packages
	cd web && npm run --silent lint

lock: install-uv  ## Write requirements/*.lock anew, keeping what is pinned (ARGS="--upgrade" to move on)
	$(LOCK) requirements/bootstrap.in -o requirements/bootstrap.lock
	$(LOCK) pyproject.toml --extra server -c requirements/constraints.in --excludes requirements/excludes.in -o requirements/server.lock
	$(LOCK) pyproject.toml --extra server --group dev -c requirements/server.lock -o requirements/dev.lock
	$(LOCK) requirements/build.in -c requirements/dev.lock -o requirements/build.lock
	@if grep -n '://' requirements/*.lock; then echo 'A lock file must not name a registry' >&2; exit 1; fi

release: install-dev  ## Build wheel and sdist into dist/, and try the wheel in a new virtual environment
	@exec $(VENV)/python tools/release.py $(ARGS)

clean:  ## Remove all that was installed, built or cached; data in .goldloop stays
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis dist test-results \
	    web/node_modules web/dist web/.build web/coverage clients/js/dist
	find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that is new enough and can make a virtual environment does the installing.
install-server install-dev install-uv: install-%:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	    if "$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then \
	        exec "$$python" tools/install.py $*; \
	    fi; \
	done; \
	echo 'Goldloop needs Python 3.11 or newer with its venv module. Found:' >&2; \
	for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	    if version=$$("$$python" -c 'import sys; print(*sys.version_info[:3], sep=".")' 2> /dev/null); then \
	        "$$python" -c 'import ensurepip' 2> /dev/null || version="$$version, without venv"; \
	        echo "  $$python is $$version" >&2; \
	    fi; \
	done; \
	echo 'Install it (Debian, Ubuntu: apt install python3 python3-venv; Fedora: dnf install python3;' >&2; \
	echo 'macOS: brew install python) or name one: make up PYTHON=/path/to/python' >&2; \
	exit 1
