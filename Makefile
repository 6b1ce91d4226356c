# Every target installs what it needs. Prerequisites: Go, Node 20 or newer, make,
# a C compiler (for the race detector). Chromium's headless shell comes from apt when
# root on Debian; elsewhere any Chromium is found, or say CHROMIUM=path.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BIN     := bin/kontor
GOFILES := $(shell git ls-files '*.go' 'go.mod' 'go.sum' '*.sql' '*.pgo' 2>/dev/null)
SPA     := $(shell git ls-files 'web/src' 'web/*.json' 'web/*.ts' 'web/*.html' 2>/dev/null)
# Looked for when it is used: it may be installed by then.
CHROMIUM_FOUND = $(firstword $(shell command -v chromium-headless-shell chromium chromium-browser google-chrome))

.PHONY: help
help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- build and run -----------------------------------------------------------

.PHONY: run
run: build ## build everything and serve with the demo server; KONTOR_DATA=DIR and KONTOR_LISTEN=HOST:PORT say where
	@$(BIN) serve --demo

.PHONY: build
build: $(BIN) ## one static binary with the SPA in it

$(BIN): $(GOFILES) assets/dist/.vite/manifest.json
	@echo 'compiling Kontor: the first time takes some minutes'
	@CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o $@ ./cmd/kontor

.PHONY: web
web: assets/dist/.vite/manifest.json ## the SPA alone

assets/dist/.vite/manifest.json: web/node_modules/.stamp $(SPA)
	@echo 'building the SPA'
	@cd web && npm run --silent build -- --logLevel warn

.PHONY: dev
dev: web/node_modules/.stamp ## Vite and Go with live reload
	@trap 'kill 0' EXIT; \
	(cd web && npm run --silent dev) & \
	go tool templ generate --watch --cmd='go run ./cmd/kontor serve --demo --dev http://127.0.0.1:5173'

# --- generated files ---------------------------------------------------------

.PHONY: gen
gen: web/node_modules/.stamp ## templ pages, the OpenAPI document, its TypeScript types
	go tool templ generate -path templates >/dev/null
	go run -pgo=off ./cmd/kontor openapi > web/openapi.json.new && mv web/openapi.json.new web/openapi.json
	cd web && npm run --silent gen

.PHONY: check-gen
check-gen: gen # fails when a generated file in git is stale
	@git diff --exit-code --stat -- templates web/openapi.json web/src/lib/wire.gen.ts \
	  || { echo 'generated files are stale: run make gen and commit them'; exit 1; }

# --- checks ------------------------------------------------------------------

# The profile is for the binary alone: to compile everything once more with it takes
# minutes and checks nothing else.
lint fuzz test test-go test-browser test-real test-conformance: export GOFLAGS := -pgo=off

.PHONY: fmt
fmt: web/node_modules/.stamp ## format Go, TypeScript and Svelte
	gofmt -w $$(git ls-files '*.go')
	cd web && npm run --silent format

.PHONY: lint
lint: web/node_modules/.stamp web ## formatting, vet (three systems), staticcheck, svelte-check, eslint
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'not gofmt-ed: run make fmt'; exit 1; }
	go vet -tags real,conformance ./...
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...
	go tool staticcheck -tags real,conformance ./...
	cd web && printf '%s\n' check lint format:check | xargs -P 2 -L 1 npm run --silent

.PHONY: test
test: test-web test-browser test-real test-conformance test-go ## every test: SPA, browser, real servers, conformance, Go

.PHONY: test-go
test-go: web ## Go tests with the race detector
	go test -race ./...

.PHONY: test-web
test-web: web/node_modules/.stamp ## unit tests of the SPA
	cd web && npm run --silent test

.PHONY: test-browser
test-browser: build browser test/real/node_modules/.stamp ## Chromium against the real binary; screenshots in web/e2e/screenshots
	cd web && KONTOR_BIN=$(CURDIR)/$(BIN) CHROMIUM=$(or $(CHROMIUM),$(CHROMIUM_FOUND)) npm run --silent test:e2e

.PHONY: test-real
test-real: build test/real/node_modules/.stamp ## real MCP servers through the REST API
	KONTOR_BIN=$(CURDIR)/$(BIN) go test -race -tags real ./test/real/...

.PHONY: test-conformance
test-conformance: build test/conformance/node_modules/.stamp ## the official MCP suite's client scenarios through the REST API
	KONTOR_BIN=$(CURDIR)/$(BIN) go test -race -count=1 -tags conformance ./test/conformance/...

FUZZTIME ?= 30s

# Seven targets at a time, a worker each. One that fails says so in full, leaves its
# input under testdata/fuzz, and fails the run once the others are through. Making a
# large input that is new smaller is kept short: by itself it takes a minute. That the
# time is up may come out as a failure, before Go 1.27 (go.dev/issue/75804): it isn't.
.PHONY: fuzz
fuzz: ## every parser that faces a server or another host, FUZZTIME (30s) each
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z]*' internal | sort | sed 's|/[^/]*:func | |' \
	  | xargs -P 7 -L 1 bash -c 'if out=$$(go test -run "^$$" -fuzz "^$$1$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 200x -parallel 1 "./$$0" 2>&1) \
	      || { grep -q "^ *context deadline exceeded$$" <<<"$$out" && ! grep -q "Failing input" <<<"$$out"; }; \
	    then echo "fuzz $$0 $$1: $$(grep "^fuzz: elapsed" <<<"$$out" | tail -n 1 | cut -d" " -f 3-)"; \
	    else echo "fuzz $$0 $$1 FAILED"; echo "$$out"; exit 1; fi'

.PHONY: check
check: check-gen lint fuzz test ## what CI runs

.PHONY: bench
bench: build ## ratios to a direct SDK client, in one run
	KONTOR_BIN=$(CURDIR)/$(BIN) go run ./test/bench

.PHONY: pgo
pgo: build ## profile the binary under the bench's calls, for the compiler's next build
	@dir=$$(mktemp -d); trap 'rm -rf '$$dir EXIT; \
	KONTOR_BIN=$(CURDIR)/$(BIN) go run ./test/bench -only calls -cpu-profiles $$dir; \
	go tool pprof -proto $$dir/*.prof > cmd/kontor/default.pgo

# --- installs ----------------------------------------------------------------

web/node_modules/.stamp: web/package.json web/package-lock.json
	@echo 'installing what the SPA is built with'
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

test/real/node_modules/.stamp: test/real/package.json test/real/package-lock.json
	cd test/real && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

test/conformance/node_modules/.stamp: test/conformance/package.json test/conformance/package-lock.json
	cd test/conformance && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The shell alone, which has no windows to draw around the pages, takes half the time.
.PHONY: browser
browser:
	@[ -n "$(CHROMIUM)" ] || command -v chromium-headless-shell >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo 'installing the browser that the tests use' \
	    && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null; } \
	  || [ -n "$(CHROMIUM_FOUND)" ] \
	  || { echo 'the browser tests need Chromium: install it, or say make CHROMIUM=/path/to/chromium'; exit 1; }

.PHONY: clean
clean: ## remove what was built and installed
	rm -rf bin web/node_modules test/real/node_modules test/conformance/node_modules web/e2e/screenshots
	find assets/dist -mindepth 1 ! -name .dist -delete
