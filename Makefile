# Hadarlab. `make` or `make help` lists the targets. `run` needs only Go; `test` installs what it needs.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

export CGO_ENABLED := 0
export GOAMD64 := v1
# The same flags everywhere, so that builds and tests share one cache.
export GOFLAGS := $(GOFLAGS) -trimpath -buildvcs=false
GO ?= go
BUILD := $(GO) build -ldflags='-s -w -buildid='
WASM := GOOS=js GOARCH=wasm
WASM_PACKAGES := ./core/... ./app/... ./wasm/... ./worker ./worker/sqlstore ./worker/cmd/edge
# Code that does not run in the simulation's loop is compiled without inlining: app.wasm is 7 % smaller.
SMALL := hadarlab/app/... hadarlab/worker/... net/http/... hadarlab/core/scenario hadarlab/core/lab hadarlab/core/policy \
	hadarlab/core/metric hadarlab/core/message hadarlab/core/chart hadarlab/core/trace github.com/maxence-charriere/... encoding/... time fmt reflect strings html net/url \
	compress/... crypto/... context net/netip bufio bytes os sort strconv unicode/... internal/poll internal/fmtsort sync syscall/... errors \
	internal/strconv internal/godebug internal/bisect unique io rsc.io/... hadarlab/core/fork hadarlab/core/place hadarlab/core/words \
	slices maps cmp math/... hash/... html/... internal/reflectlite internal/sync
EDGE := worker/cmd/edge
WRANGLER := $(EDGE)/wrangler.sh
NODE_MODULES := $(EDGE)/node_modules/.package-lock.json
PLATFORMS := linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64
BUDGET := 2700000

.PHONY: help run build hadarlab web edge-worker brotli dist test tools check unit laws parity e2e golden bench size edge fuzz

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: hadarlab web ## build what is needed and serve the lab at http://localhost:8080
	bin/hadarlab serve --addr 127.0.0.1:8080

build: hadarlab web brotli edge-worker ## bin/hadarlab, the page with app.wasm, the edge worker

hadarlab:
	$(BUILD) -o bin/hadarlab ./worker/cmd/hadarlab

web: hadarlab
	wasm/slim/slim.sh build
	$(WASM) $(BUILD) -modfile=build/wasm.mod $(SMALL:%=-gcflags=%=-l) -o build/app.wasm ./wasm
	$(GO) run ./wasm/firstpaint -o build/index.html -thumbs build/pictures/thumbs index.html
	bin/hadarlab docs --dir build/manual
	$(GO) run ./worker/cmd/webdir -o build/web -page build/index.html -docs build/manual \
		app/web build/pictures build/app.wasm "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js"

# Best compression takes seconds for app.wasm, so it is left out of `run`; webdir drops stale ones.
brotli:
	@command -v brotli >/dev/null || { echo "brotli is not installed: apt-get install brotli"; exit 1; }
	@cd build/web && find . -name '*.gz' | while read -r f; do f=$${f%.gz}; \
		[ -e "$$f.br" ] || brotli -q 11 -k "$$f"; done

edge-worker:
	$(GO) run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o build/edge
	$(WASM) $(BUILD) $(SMALL:%=-gcflags=%=-l) -o build/edge/app.wasm ./$(EDGE)

# Brotli's variants are left out: whoever unpacks an archive has no slow line to it, and not every machine makes them.
dist: hadarlab web ## reproducible archives for linux, darwin, windows × amd64, arm64, with checksums
	for p in $(PLATFORMS); do mkdir -p build/dist/$$p; GOOS=$${p%-*} GOARCH=$${p#*-} $(BUILD) -o build/dist/$$p/ ./worker/cmd/hadarlab; done
	$(GO) run ./worker/cmd/dist -o dist -programs build/dist -web build/web README.md LICENSE THIRD_PARTY.md

test: tools check unit parity e2e ## everything, from a bare machine
	@echo "all tests passed"

tools: $(NODE_MODULES) ## install what `test` needs: Chromium, Node, wrangler, axe-core, qemu-user (root or sudo)
	e2e/tools.sh

$(NODE_MODULES): $(EDGE)/package-lock.json
	e2e/tools.sh node
	npm ci --prefix $(EDGE) --no-audit --no-fund --ignore-scripts
	@touch $@

check: ## format, vet, builds for every target, import table, fused arithmetic, module file
	@bad=$$(find core app wasm worker scenarios e2e -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l); \
		[ -z "$$bad" ] || { echo "run gofmt -w on:" $$bad; exit 1; }
	$(GO) vet ./...
	$(WASM) $(GO) vet $(WASM_PACKAGES)
	$(GO) build ./...
	$(WASM) $(GO) build $(WASM_PACKAGES)
	GOOS=linux GOARCH=arm64 $(GO) build ./...
	$(GO) test ./core -run Arch
	GO=$(GO) e2e/fused.sh
	$(GO) mod tidy -diff

unit:
	$(GO) test $$($(GO) list ./... | grep -v /e2e$$)

laws: ## 10,000 random scenarios a policy through every invariant and the reference engine
	$(GO) test ./core/simtest -timeout 2h -scenarios 10000

parity: ## the core's tests as WebAssembly in Node, the goldens on amd64 v3 and arm64 (emulated)
	$(WASM) $(GO) test -timeout 5m -exec '$(CURDIR)/e2e/wasmexec.sh' ./core/...
	GOOS=linux GOARCH=amd64 GOAMD64=v3 $(GO) test -exec 'qemu-x86_64 -cpu max' ./core/unit ./core/lab -run 'Hashes|ExpAndLog'
	GOOS=linux GOARCH=arm64 $(GO) test -exec qemu-aarch64 ./core/unit ./core/lab -run 'Hashes|ExpAndLog'

e2e: $(NODE_MODULES) hadarlab web edge-worker ## a real browser, the native server and the edge runtime
	$(GO) test -count=1 -timeout 25m ./e2e

golden: ## rewrite the goldens (look at the difference before you commit)
	UPDATE_GOLDEN=1 $(GO) test -count=1 ./core/... ./scenarios/...

bench: $(NODE_MODULES) hadarlab web edge-worker ## benchmarks: the core natively, page load and runs in a real browser
	$(GO) test -run '^$$' -bench . -benchmem ./core/...
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 20m ./e2e

size: $(NODE_MODULES) web edge-worker ## sizes of the modules; fails over budget
	BUDGET=$(BUDGET) e2e/size.sh

edge: $(NODE_MODULES) web edge-worker ## the worker in the local edge runtime at http://localhost:8787
	$(WRANGLER) dev 8787 data/edge

FUZZTIME ?= 30s
fuzz: ## every fuzz target for FUZZTIME (30s)
	@for p in $$($(GO) list ./core/... ./worker/...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x; done; done
