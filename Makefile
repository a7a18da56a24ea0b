# Beforehand: git, make (3.81 will do) and any Python from 3.11 on. That Python makes .venv; the rest runs there.
# Nothing here goes by time stamps: each step knows from contents whether it has anything to do.
PYTHON := $(shell for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null \
	&& echo $$python && break; done)
RUN := .venv/bin/python

unexport PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONHOME
export PYTHONUNBUFFERED := 1

.PHONY: help env book quick test lint sphinx serve lab bench course grade times claims mutants pdf zip pairs lock assets clean
.DEFAULT_GOAL := help

help: ## list what there is to make
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

env: ## the environment in .venv, exactly as requirements.lock says
	@test -n "$(PYTHON)" || { echo "Python 3.11 to 3.14 is needed, and none was found"; exit 1; }
	@$(PYTHON) tools/env.py

book: env ## run every notebook that is out of date, and make the pages
	@$(RUN) tools/pairs.py --check
	@$(RUN) tools/execute.py --into _build/book
	@$(RUN) tools/pages.py --into _build/book

quick: env
	@$(RUN) tools/pairs.py --check
	@$(RUN) tools/execute.py --into _build/quick --effort 0.05
	@$(RUN) tools/pages.py --into _build/quick

test: quick ## all tests, on pages made at a small effort (BROWSER=none leaves the browser out)
	@$(RUN) tools/browser.py
	@OMP_NUM_THREADS=1 $(RUN) -m pytest -n 2 --dist loadgroup

lint: quick ## what an editor looks at: style of the code, spelling, the form of pages and quizzes
	@$(RUN) -m ruff check
	@$(RUN) -m pytest tests/lint

sphinx: book ## the same pages by Sphinx alone: the way out of Jupyter Book 1.x
	@.venv/bin/jupyter-book config sphinx _build/book/source
	@echo 'extensions.remove("jupyter_book")' >> _build/book/source/conf.py
	@$(RUN) -m sphinx --fresh-env --write-all --fail-on-warning --keep-going --quiet -d _build/sphinx/doctrees \
	_build/book/source _build/sphinx/html

serve: book ## the book at an address of this computer
	@$(RUN) -m http.server --bind 127.0.0.1 --directory _build/book/html 8000

lab: env ## the notebooks in JupyterLab
	@.venv/bin/jupyter lab

bench: env ## what is fast, beside what it is faster than
	@$(RUN) -m bench

course: book ## slides, sheets to print, and the exercises as hand-outs for students and for instructors
	@$(RUN) tools/course.py --into _build/course
	@$(RUN) tools/slides.py --from _build/book --into _build/course/slides
	@$(RUN) tools/sheets.py --into _build/course/sheets --hand-outs _build/course/student $(if $(SEED),--seed $(SEED))

grade: env ## marks of a class, into submitted/marks.csv: make grade FROM=submitted SESSION=3 (PLAN=six_weeks, INTO=a_folder)
	@OMP_NUM_THREADS=1 $(RUN) tools/grade.py $(FROM) --plan $(or $(PLAN),ten_weeks) $(if $(SESSION),--session $(SESSION)) \
	$(if $(INTO),--into $(INTO))

times: book ## the page that says how long each notebook takes, from the last full run
	@$(RUN) tools/times.py --from _build/book

claims: env ## check the papers' statements, and write the ledger from what is found
	@OMP_NUM_THREADS=1 $(RUN) -m pytest tests/claims --write

mutants: env ## change a little of each statement, and see that its verdict turns
	@OMP_NUM_THREADS=1 $(RUN) tools/mutants.py

pdf: book ## the main path in one PDF, beside the pages (PAGES=all: all pages, with solutions)
	@$(RUN) tools/browser.py
	@$(RUN) tools/pdf.py --from _build/book --pages $(or $(PAGES),main)

zip: book ## all pages in one file, to be read offline, with the PDF if it was made
	@cd _build/book && rm -f ../private-reinforcement-learning.zip \
	&& ../../$(RUN) -m zipfile -c ../private-reinforcement-learning.zip html
	@echo "Unpack and open html/index.html: $(CURDIR)/_build/private-reinforcement-learning.zip"

pairs: env ## write each notebook from its .py
	@$(RUN) tools/pairs.py

lock: env ## requirements.lock from pyproject.toml (UPGRADE=--upgrade: newest versions)
	@$(RUN) tools/lock.py $(UPGRADE)

assets: env ## the script and styles of the pages from book/js (for maintainers: needs Node)
	cd book/js && npm ci && npm run build

clean: ## remove what was made, except the environment
	rm -rf _build
