# Two commands on a fresh machine do everything: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
PARTS := interfaces.cli.ask, wiring.opening, onnxruntime, tokenizers, \
	indexing.build, sqlglot, ast_grep_py, structlog, rich.progress

.PHONY: setup bytecode demo test check lint types imports unit coverage golden wheel bench fuzz soak sbom audit clean

setup: bytecode

# uv resolves within constraints.txt from whatever package index pip or uv is set up for.
.venv/.ready: pyproject.toml constraints.txt weights/pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(BIN)/uv || $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt uv
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -b constraints.txt -e ".[all]" ./weights
	@touch $@

# Written also where PYTHONDONTWRITEBYTECODE is set, which would make every command compile all it imports: 3 s, not 0.7.
bytecode: .venv/.ready
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c "import $(PARTS)"

.venv/.checkers: .venv/.ready
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -b constraints.txt -e ".[check]" ./weights
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
# Bytecode is kept here too: compiling all the tests takes each worker twelve seconds, each command that is started another.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# For every day: without those marked slow, with fewer drawn cases, and without the tracer, which takes half as long again.
unit: .venv/.checkers bytecode
	HYBRID_RETRIEVAL_TEST_EXAMPLES=60 $(PYTEST) -m "not slow"

coverage: .venv/.checkers bytecode
	$(PYTEST) --cov --cov-report=term:skip-covered

# The recorded scenarios on another installed Python too.
golden: .venv/.checkers
	HYBRID_RETRIEVAL_TEST_PYTHON=$$(scripts/second-python .venv/second) \
		$(BIN)/python -m pytest -rs tests/replay/test_shipped.py

# What nobody wrote with care, for so many minutes; then the properties with new cases, and one with ten thousand.
MINUTES ?= 2
CASES ?= 10000
fuzz: .venv/.checkers
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(or $(SEED),0)
	$(BIN)/python -m pytest --hypothesis-profile=default $$(grep -rl "^@given" tests)
	HYBRID_RETRIEVAL_TEST_EXAMPLES=$(CASES) $(BIN)/python -m pytest -n auto --dist worksteal -o faulthandler_timeout=0 \
		tests/properties/test_permission.py tests/properties/test_over_http.py

# Questions while the index is renewed every minute: an hour or so. QUESTIONS=3000 asks fewer.
QUESTIONS ?= 20000
soak: .venv/.checkers bytecode
	$(BIN)/python benchmarks/soak.py --questions $(QUESTIONS)

# What is installed, as CycloneDX, by a tool in an environment of its own.
sbom: .venv/.ready
	$(BIN)/uv tool run -q --constraints constraints.txt --from cyclonedx-bom cyclonedx-py environment $(BIN)/python \
		--pyproject pyproject.toml --output-format JSON --output-file sbom.json

# Known vulnerabilities of the dependencies, where the advisory database can be reached. AUDIT=required fails where not.
audit: .venv/.ready
	scripts/audit

# The installed wheel, in fresh environments: five minutes.
wheel: .venv/.checkers
	scripts/check-wheel

# SETS="FOLDER ..." adds retrieval sets; ONLY=NAME leaves the others' figures as they were.
bench: demo
	$(BIN)/uv pip install -q --python $(BIN)/python -c constraints.txt -b constraints.txt -e ".[all,bench]" ./weights
	$(BIN)/python benchmarks/page.py $(addprefix --sets ,$(SETS)) $(addprefix --only ,$(ONLY)) $(addprefix --cache ,$(CACHE))

clean:
	rm -rf .venv .demo .mypy_cache .ruff_cache .coverage*
