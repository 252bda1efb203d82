PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo serve test e2e faults lint clean

setup: .venv/.installed

.venv/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

demo: setup
	$(BIN)/semhash-llm demo --out demo

serve: setup
	$(BIN)/semhash-llm serve

test: setup lint
	$(BIN)/python -m pytest

e2e: setup
	$(BIN)/python -m pytest -m e2e tests/e2e

faults: setup
	$(BIN)/python tests/e2e/faults.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf demo .pytest_cache .mypy_cache .ruff_cache
