# make try      a shell with terma in it; nothing of yours is changed
# make test     every test, in real shells; installs a missing zsh or tmux where it may
# make quick    the unit tests near what changed since main, for the everyday loop
# make check    lint, types, shell syntax
# make bench    the figures that the README names, in one table
# make soak     the agent under 200 shells and 10,000 questions in a row, plotted; make soak-short takes two minutes
# make bench-peers  terma beside what people use instead, in one run: docs/peers.md and docs/peers.svg
# make train    the embedded engine learns anew from training/sentences, and says what it would have answered
# make memory   what it remembers alone, after more sentences; its trained weights stay
# make train-router  the router's weights anew from the labelled lines of tests/data/route*.tsv
# make lock     write the two lock files anew
# make fuzz     COUNT strings for each of SHELLS, read by the real shells, from SEED on
# make recording  the README's recording, those of the first minute and the four of docs/conversation.md, from real sessions
# PYTHON=python3.13 chooses the interpreter; a new enough one is found otherwise.

VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: try test quick check bench bench-peers soak soak-short train memory train-router fuzz lock recording clean

SEED ?= 1
COUNT ?= 200000
SHELLS ?= bash,zsh,zsh prompt,sh,fish

try: $(VENV)/.ready-to-run
	@$(BIN)/terma try

test: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@sh tools/run-tests $(BIN)/python

quick: $(VENV)/.ready-to-test
	@$(BIN)/python tools/quick-tests

check: $(VENV)/.ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@sh tools/check-shell

bench: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@$(BIN)/python -m bench

bench-peers: $(VENV)/.ready-to-test .cache/peers/.ready
	@sh tools/system-packages
	@TERMA_TEST_WAIT=300 $(BIN)/python -m bench.peers --environment .cache/peers

soak: $(VENV)/.ready-to-test
	@$(BIN)/python -m bench._soak --picture docs/soak.svg

soak-short: $(VENV)/.ready-to-test
	@mkdir -p .cache
	@$(BIN)/python -m bench._soak --seconds 45 --questions 1000 --at-most 75 --picture .cache/soak.svg

fuzz: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@$(BIN)/python -m tests.fuzz --seed $(SEED) --count $(COUNT) --shells "$(SHELLS)"

train: $(VENV)/.ready-to-train
	@$(BIN)/python -m training.train

memory: $(VENV)/.ready-to-train
	@$(BIN)/python -m training.memory

train-router: $(VENV)/.ready-to-test
	@$(BIN)/python -m training.router

recording: $(VENV)/.ready-to-test
	@sh tools/system-packages
	@$(BIN)/python tools/recording.py docs/recording.svg
	@$(BIN)/python tools/sittings.py docs
	@$(BIN)/python tools/first_minute.py docs

lock:
	@sh tools/lock

clean:
	rm -rf .venv .cache dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.ready-to-run: requirements.lock pyproject.toml tools/bootstrap
	@sh tools/bootstrap $(VENV) requirements.lock
	@touch $@

.cache/peers/.ready: requirements-peers.lock
	@rm -rf .cache/peers
	@$(BIN)/python -m venv .cache/peers
	@.cache/peers/bin/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-peers.lock
	@touch $@

$(VENV)/.ready-to-train: $(VENV)/.ready-to-test requirements-train.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-train.lock
	@touch $@

$(VENV)/.ready-to-test: requirements-dev.lock pyproject.toml tools/bootstrap
	@sh tools/bootstrap $(VENV) requirements-dev.lock
	@touch $@ $(VENV)/.ready-to-run
