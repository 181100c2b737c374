# Every habit of this project; `make` or `make help` lists them.
# Needs make, a POSIX shell and Python 3.11 or later. PYTHON=... chooses another Python,
# ARGS=... is handed on: make test ARGS="tests/rules -k royal"

PYTHON = python3
ARGS =

VENV = .venv
RUN = $(VENV)/bin/python
PEERS = .venv-peers
INSTALL = $(RUN) -m pip --disable-pip-version-check install --quiet --quiet --require-hashes
TEMPLATES = templates demo/templates
LANGUAGES = $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))
# Tools that only read the settings want some, and connect to nothing.
NO_SERVICES = DATABASE_URL=postgresql://none@127.0.0.1:1/none SECRET_KEY=none DEMO=1

.PHONY: help demo demo-reset test pythons simulate model crash mutants ha check check-style check-templates check-types check-imports format bench bench-load bench-rules bench-office docs pictures messages
.PHONY: audit release requirements clean
.DEFAULT_GOAL := help

help: ## list all habits
	@echo "Jackpot Management Console"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'

demo: $(VENV)/.installed $(LANGUAGES) ## a whole casino on this machine: databases, broker, console, simulated tables
	@exec $(RUN) -m demo $(ARGS)

demo-reset: $(VENV)/.installed ## forget the demo's data; the next make demo starts afresh. ARGS="--empty": those of the first run
	@$(RUN) -m demo $(ARGS) reset

test: $(VENV)/.installed-dev $(LANGUAGES) ## the tests but for the long ones of .ci/run, on private PostgreSQL and MQTT servers
	@exec $(RUN) -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal $(ARGS)

pythons: $(VENV)/.installed-dev ## packages for every other Python here that is allowed: the restart is tested under each
	@$(RUN) -m tests.pythons

simulate: $(VENV)/.installed ## whole worlds by seed, with faults: make simulate ARGS="--minutes 5"
	@exec $(RUN) -m simulation $(ARGS)

model: $(VENV)/.installed-dev ## every state of the model of receipts, eras, leases and takeover, by TLC (needs Java)
	@exec $(RUN) -m simulation.model $(ARGS)

# On a slow disk units send again later than the console waits for a gap: TMPDIR=/dev/shm then.
crash: $(VENV)/.installed-dev ## kill everything at random under load, round after round: ARGS="--rounds 20"
	@exec $(RUN) -m tests.crash $(ARGS)

mutants: $(VENV)/.installed-dev ## mistakes put into the code: does a test fail? ARGS="--part rules --sample 200 --seed 7"
	@exec $(RUN) -m tests.mutants $(ARGS)

ha: $(VENV)/.installed-dev ## lose each part of two machines under load: PostgreSQL, Patroni, HAProxy, a whole machine
	@exec $(RUN) -m tests.ha $(ARGS)

check: $(VENV)/.installed-dev ## lint, format, types, and which floor may import which
	@$(MAKE) --no-print-directory --jobs --output-sync check-style check-templates check-types check-imports

check-style:
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

check-templates:
	$(RUN) -m djlint --check --quiet $(TEMPLATES)

check-types:
	$(NO_SERVICES) $(RUN) -m mypy --num-workers auto

check-imports:
	$(NO_SERVICES) $(VENV)/bin/lint-imports

bench: $(VENV)/.installed ## measure press to receipt and display, in a demo of its own
	$(RUN) -m benchmarks.press_to_display

bench-load: $(VENV)/.installed-dev $(PEERS)/.installed ## measure intake and posting under load; about two hours
	$(RUN) -m benchmarks.pipeline $(ARGS)

bench-rules: $(VENV)/.installed-dev ## measure the rule book: hands beside other libraries, odds of tiers
	$(RUN) -m benchmarks.hand_speed
	$(RUN) -m benchmarks.tier_odds

bench-office: $(VENV)/.installed-dev ## measure reports, exports, verifier, reconciliation, checkpoints, archives; hours
	$(RUN) -m benchmarks.reports --rounds 10000000
	$(RUN) -m benchmarks.proof --only verifier --rounds 500000
	$(RUN) -m benchmarks.proof --only reconciliation --rounds 5000000
	$(RUN) -m benchmarks.checkpoints
	$(RUN) -m benchmarks.archives

format: $(VENV)/.installed-dev ## put the code into the project's format
	$(RUN) -m ruff check --fix-only --quiet .
	$(RUN) -m ruff format .
	$(RUN) -m djlint --reformat --quiet --warn $(TEMPLATES)

docs: $(VENV)/.installed-dev ## write what is generated in docs/: the schemas of wire protocol and terms
	@$(NO_SERVICES) $(RUN) manage.py write_protocol
	@$(RUN) -c 'import json; from rules.schema import terms_schema; \
	  print(json.dumps(terms_schema(), indent=2))' > docs/terms.schema.json

pictures: $(VENV)/.installed-dev ## take the pictures of the user guides, in headless Chromium
	@exec $(RUN) -m pytest -q tests/pictures/take.py

%.mo: %.po | $(VENV)/.installed
	@$(RUN) -m babel.messages.frontend --quiet compile --input-file $< --output-file $@

messages: $(VENV)/.installed-dev ## collect the texts of all languages for translators (needs gettext); a new one: ARGS="--locale mi"
	@mkdir -p locale
	@$(NO_SERVICES) $(RUN) manage.py makemessages --no-obsolete --no-location --no-wrap \
	  --ignore ".venv*" --ignore tests $(if $(ARGS),$(ARGS),--all)
	@for each in locale/*/LC_MESSAGES/django.po; do \
	  msgcat --sort-output --no-wrap --output-file $$each $$each; \
	  sed -i '/^"POT-Creation-Date: /d' $$each; done

audit: $(VENV)/.installed-dev ## ask for known faults of the packages; needs the network
	@$(RUN) -m release.audit $(ARGS)

release: $(VENV)/.installed-dev ## check, audit, write the bill of materials, tag: make release VERSION=1.0.0
	@$(RUN) -m release $(VERSION)

requirements: $(VENV)/.installed-dev ## pin the newest versions that requirements*.in allow
	$(PIN) requirements.in --output-file requirements.txt
	$(PIN) requirements-demo.in --output-file requirements-demo.txt
	$(PIN) requirements-parquet.in --output-file requirements-parquet.txt
	$(PIN) requirements-dev.in --output-file requirements-dev.txt
	$(PIN) benchmarks/requirements-peers.in --output-file benchmarks/requirements-peers.txt

PIN = $(RUN) -m piptools compile --quiet --upgrade --generate-hashes --strip-extras \
	--allow-unsafe --no-header --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

clean: ## remove what was built, downloaded and cached (the demo's data stays)
	rm -rf $(VENV) $(PEERS) .venv-pythons build staticfiles *.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the private Python environment ----------------------------------------------------------

$(VENV)/bin/python:
	@command -v $(PYTHON) > /dev/null || { \
	  echo "No '$(PYTHON)' here. Install Python 3.11 or later, or name one: make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$($(PYTHON) --version) is too old: Python 3.11 or later is needed."; \
	  echo "Name another one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null || { \
	  echo "This Python cannot make virtual environments."; \
	  echo "On Debian or Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Making a private Python environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python requirements.txt requirements-demo.txt
	@echo "Installing the console's packages into $(VENV) (a minute or so, the first time) ..."
	@$(INSTALL) -r requirements.txt -r requirements-demo.txt
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt
	@echo "Installing the packages for tests and checks ..."
	@$(INSTALL) -r requirements-dev.txt
	@touch $@

# What the console is measured beside has packages of its own.
$(PEERS)/.installed: $(VENV)/bin/python benchmarks/requirements-peers.txt
	@$(RUN) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --disable-pip-version-check install --quiet --quiet \
	  --require-hashes -r benchmarks/requirements-peers.txt
	@touch $@
