# One command for each thing. Only Python 3.11 or newer and make are presupposed.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
TOOLS := $(VENV)/.tools-installed
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes

.PHONY: install up demo wheel check-image test lint types style bench bench-search bench-sketch bench-pages bench-extraction bench-extraction-algorithms bench-comments bench-text bench-dedup bench-crawl bench-visits bench-rendering bench-site bench-sources bench-growth bench-life bench-scaling bench-readers bench-evil-pages bench-warc bench-archive bench-withdrawal bench-alarms soak clean

install: $(STAMP) $(TOOLS)

# The lock files name every package with its hashes; what tests and checks need is in the second.
$(STAMP): requirements.lock
	$(PYTHON) -c "import sys; sys.exit('Python 3.11 or newer is needed') if sys.version_info < (3, 11) else None"
	@echo "Installing what is needed into $(VENV); the first time this takes a minute or two."
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements.lock
	touch $@

$(TOOLS): $(STAMP) requirements-dev.lock
	$(PIP) -r requirements.lock -r requirements-dev.lock
	touch $@

up: $(STAMP)
	@$(PY) manage.py up

demo: $(STAMP)
	@DATA_DIR=$${DATA_DIR:-data/demo} $(PY) manage.py up --demo

# The program as one file in dist/, to install anywhere with pip.
wheel: install
	@$(PY) -m hatchling build --target wheel --directory dist

test: install
	@$(PY) tests/run.py $(if $(ALL),--all)

# Images of Python often set it: each program would compile all modules anew, for seconds.
unexport PYTHONDONTWRITEBYTECODE

# With -j2 both at a time: the check of types takes as long as all others.
lint: types style

types: install
	$(VENV)/bin/mypy .

style: install
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/deptry .
	$(PY) tests/dead_code.py
	$(VENV)/bin/djangofmt --check templates
	$(PY) tests/page_sources.py --check
	$(PY) manage.py check --fail-level WARNING
	$(PY) manage.py makemigrations --check --dry-run

bench: bench-crawl bench-visits bench-site bench-extraction bench-text bench-dedup bench-search

bench-crawl: install
	@$(PY) tests/benchmarks/bench_crawl.py

# PAGES=20000 POOLS="10000 10000000" for more; `tests/services.py` gives a PostgreSQL.
bench-pool: install
	@$(PY) tests/benchmarks/bench_pool.py $(if $(PAGES),--pages $(PAGES)) $(if $(POOLS),--pools $(POOLS))

bench-visits: install
	@$(PY) tests/benchmarks/bench_visits.py

# Needs Chromium.
bench-rendering: install
	@$(PY) tests/benchmarks/bench_rendering.py

bench-extraction: install
	@$(PY) tests/benchmarks/bench_extraction.py

bench-extraction-algorithms: install
	@$(PY) tests/benchmarks/extraction_algorithms.py

bench-comments: install
	@$(PY) tests/benchmarks/bench_comments.py

bench-text: install
	@$(PY) tests/benchmarks/bench_text.py

bench-dedup: install
	@$(PY) tests/benchmarks/bench_dedup.py
	@$(if $(SIZE),$(PY) tests/services.py $(PY) tests/benchmarks/dedup_store.py $(SIZE))

bench-search: install
	@$(PY) tests/benchmarks/bench_search.py

# Builds the image and runs compose.yaml's services, without a container runtime; as root, some minutes.
check-image: install
	@$(PY) tests/image/check.py

bench-sketch: install
	@$(PY) tests/benchmarks/bench_sketch.py

# INDEX=folder of an index; WORDS="rare,middling,frequent", LEMMAS, CQL, PAGES="part of a page's name".
bench-pages: install
	@$(PY) tests/benchmarks/bench_pages.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

bench-alarms: install
	@$(PY) tests/benchmarks/bench_alarms.py

bench-withdrawal: install
	@$(PY) tests/benchmarks/bench_withdrawal.py

# PAGES=30000 for a file of 1 GB.
bench-warc: install
	@$(PY) tests/benchmarks/bench_warc.py

# A pywb of its own environment, built under build/ or named by PYWB.
bench-archive: install
	@$(PY) tests/benchmarks/bench_archive.py

bench-site: install
	@$(PY) tests/benchmarks/bench_site.py

bench-sources: install
	@$(PY) tests/benchmarks/bench_sources.py

# SIZES="10000:100000 1000000:10000000" for others, SQLITE=--sqlite for the embedded database.
bench-growth: install
	@$(PY) tests/benchmarks/bench_growth.py $(SQLITE) $(SIZES)

bench-scaling: install
	@$(PY) tests/benchmarks/bench_scaling.py

# SOAK_DAYS=365 SOAK_PAPERS=200 SOAK_ARTICLES=60000 SOAK_FAULTS=300 are what it takes unasked.
soak: install
	@$(PY) tests/benchmarks/bench_soak.py

bench-life: install
	@$(PY) tests/benchmarks/bench_life.py

bench-readers: install
	@$(PY) tests/benchmarks/bench_readers.py

# Every page that was made to exhaust us through every request that reads a stranger's bytes; some minutes.
bench-evil-pages: install
	@echo "| page | CPU s of 14 requests | dearest request | its CPU s | its s | highest MB |"
	@echo "|:--|--:|:--|--:|--:|--:|"
	@EVIL_PAGES=all SHOW_TABLE=1 $(PY) -m pytest -q -p no:cacheprovider tests/integration/corpus_site/hostile/test_evil_requests.py
