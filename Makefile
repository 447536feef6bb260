# make try      a shell with terma in it; nothing of yours is changed
# make test     every test, in real shells; installs a missing zsh or tmux where it may
# make check    lint, types, shell syntax
# make bench    the figures that the README names, in one table
# make train    the embedded engine learns anew from training/sentences, and says what it would have answered
# make lock     write the two lock files anew
# make fuzz     COUNT strings for each of SHELLS, read by the real shells, from SEED on
# make recording  the README's recording, from a real session
# PYTHON=python3.13 chooses the interpreter; a new enough one is found otherwise.

VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: try test check bench train fuzz lock recording clean

SEED ?= 1
COUNT ?= 200000
SHELLS ?= bash,zsh,zsh prompt,sh,fish

try: $(VENV)/.ready-to-run
	@$(BIN)/terma try

test: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@sh tools/run-tests $(BIN)/python

check: $(VENV)/.ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@sh tools/check-shell

bench: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@$(BIN)/python -m bench

fuzz: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@$(BIN)/python -m tests.fuzz --seed $(SEED) --count $(COUNT) --shells "$(SHELLS)"

train: $(VENV)/.ready-to-test
	@$(BIN)/python -m training.train

recording: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@$(BIN)/python tools/recording.py docs/recording.svg

lock:
	@sh tools/lock

clean:
	rm -rf .venv .cache dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.ready-to-run: requirements.lock pyproject.toml tools/bootstrap
	@sh tools/bootstrap $(VENV) requirements.lock
	@touch $@

$(VENV)/.ready-to-test: requirements-dev.lock pyproject.toml tools/bootstrap
	@sh tools/bootstrap $(VENV) requirements-dev.lock
	@touch $@ $(VENV)/.ready-to-run
