# Two commands for a fresh clone: `make demo` and `make test`. Both need Python 3.10 or newer and set up .venv by themselves.
PYTHON ?= python3
VENV ?= .venv
EDITABLE ?= -e
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COVERAGE := --cov=reduction_lint --cov=reduction_lsp --cov=reduction_rules --cov-branch --cov-report=term

.PHONY: demo test clean

demo: $(VENV)/.tool
	@echo "== examples/leaky_agent"
	@$(BIN)/reduction-lint check --isolated --fail-level never examples/leaky_agent
	@echo "== examples/sound_agent"
	@$(BIN)/reduction-lint check --isolated examples/sound_agent

test: $(VENV)/.dev
	$(BIN)/python -m pytest -m "not slow" $(COVERAGE) $(PYTEST_ARGS)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tool: pyproject.toml | $(BIN)/python
	$(PIP) $(EDITABLE) .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) $(EDITABLE) '.[dev]'
	@touch $@ $(VENV)/.tool

clean:
	rm -rf $(VENV)
