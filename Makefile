# The checks of the repository; each takes less than a minute but `test` and `ci`. `make PYTHON=python3.12 test` uses another Python.
PYTHON ?= .venv/bin/python

.PHONY: setup lint types pages architecture quick case lsp test release ci site

setup:          ## an environment with all that the checks need
	python3 -m venv .venv
	.venv/bin/pip install --quiet -e '.[dev,lsp]'

lint:           ## style
	$(PYTHON) -m ruff check .

types:          ## types, of the package as it is when installed
	$(PYTHON) tools/release/types.py

pages:          ## generated pages; `make pages WRITE=1` writes them
	$(PYTHON) tools/docs $(if $(WRITE),,--check)

architecture:   ## what may import what, words of languages, sizes
	$(PYTHON) -m pytest tests/architecture

quick:          ## the tests of one area: make quick AREA=tests/cli
	$(PYTHON) -m pytest -x $(or $(AREA),tests/architecture tests/docs/test_pages.py tests/cli/test_convert.py)

case:           ## one case of the corpus: make case CASE=hot-server-on-network
	$(PYTHON) -m pytest tests/corpus -k "$(CASE)"

lsp:            ## the language server with a real client
	$(PYTHON) -m pytest tests/cli/lsp tests/docs/test_editors.py

test:           ## all tests that need no engines
	$(PYTHON) -m pytest

release:        ## build, and install from what was built
	$(PYTHON) tools/release

ci:             ## everything that has to hold, from a clean checkout
	.ci/run

site:           ## the documentation as a site, in site/; needs pip install '.[docs]'
	$(PYTHON) -m mkdocs build --strict --quiet
