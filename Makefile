# Hadarlab. `make` or `make help` lists the targets. `run` needs only Go; `test` installs what it needs.
.SHELLFLAGS := -ec
.DEFAULT_GOAL := help
.NOTPARALLEL:

export CGO_ENABLED := 0
export GOAMD64 := v1
# The same flags everywhere, so that builds and tests share one cache.
export GOFLAGS := $(GOFLAGS) -trimpath -buildvcs=false
# A go.work of a folder above is another project's.
export GOWORK := off
export GO ?= go
# A Node that e2e/tools.sh had to bring, where the system's is too old.
export PATH := $(CURDIR)/build/node/bin:$(PATH)
ADDR ?= 127.0.0.1:8080
# By the linker, not by -buildvcs: that would part the caches of builds and tests by commit.
COMMIT := $(shell git describe --always --dirty --exclude='*' --abbrev=12 2>/dev/null)
BUILD := $(GO) build -ldflags='-s -w -buildid= -X hadarlab/worker/release.commit=$(COMMIT)'
# Inlined as the page is (wasm/build), so that what is tested shares its cache, too.
INLINED := runtime $(addprefix hadarlab/core/,goodput lp primaldual unit)
comma := ,
# The browser and the edge runtime speak HTTP/2, not these programs.
wasm = GOOS=js GOARCH=wasm GOFLAGS='$(GOFLAGS) -tags=nethttpomithttp2 -gcflags=all=-l $(1:%=-gcflags=%=)'
WASM := $(call wasm,$(INLINED))
# The edge's modules must be smaller than the page's: next to nothing is inlined there, and what only makes core/lp
# faster is left out.
EDGE_WASM := $(subst -tags=,-tags=small$(comma),$(call wasm,hadarlab/core/goodput))
WASM_PACKAGES := ./core/... ./app/... ./wasm/... ./worker ./worker/runs ./worker/sqlstore ./worker/edge ./worker/cmd/edge/...
EDGE := worker/cmd/edge
EDGE_WORKERS := page simulator
WRANGLER := $(EDGE)/wrangler.sh
NODE_MODULES := $(EDGE)/node_modules/.package-lock.json
PLATFORMS := linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64
# Of the page's program, and of each Worker's module at the edge, in bytes gzip: with the 64 kB that are put around
# the latter the free plan takes 3 MB. An empty handler is 1.4 MB of either, and core/lab with it 2.4.
PAGE_BUDGET := 4300000
PAGE_WORKER_BUDGET := 2600000
SIMULATOR_BUDGET := 2900000
EDGE_UPLOAD := 3000000

# What the race detector can watch: the code that has goroutines. It is tested with it only, but for PLAIN, the tests of
# what commands compute and print, of what one client after the other is told, and of much work in one goroutine. They
# take ten times as long with it, and where what they use has goroutines (sweep, score, the server), other tests of it
# are watched. Of both lines that name PLAIN each test is in one.
RACY := ./worker/... ./app/elm ./app/engine
PLAIN := Believe EveryFormatSaysItsVersion Forms GuideOfAnotherTruth Handouts HelpExamples Train.* \
	NothingTellsBefore.* TracesTooLargeToStore PNG ClientsAreBounded
space := $() $()
PLAIN := ^Test($(subst $(space),|,$(strip $(PLAIN))))$$
# SQLite itself, C that was translated, is not ours to watch, and five times as slow when it is. What calls it is watched.
UNWATCHED := $(foreach p,sqlite/lib libc/...,-gcflags=modernc.org/$(p)=-race=false)
# Tests are run by a program that names the skipped ones, in a file too, so that `test` can end with all of them.
SKIPPED := build/skipped
tell = $(GO) run ./e2e/tell -skipped $(SKIPPED)/$(1).txt

.PHONY: help run build hadarlab web web-best site edge-worker dist test ready tools check scripts unit race laws parity e2e lesson golden corpus train-data papers bench load size edge deploy fuzz

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: hadarlab web ## build what is needed and serve the lab at http://localhost:8080 (or ADDR=HOST:PORT)
	bin/hadarlab serve --addr $(ADDR)

build: hadarlab web-best edge-worker ## bin/hadarlab, the page compressed as small as it gets, the edge Workers

hadarlab:
	$(BUILD) -o bin/ ./worker/cmd/hadarlab

web:
	$(GO) run ./wasm/build

web-best:
	$(GO) run ./wasm/build -best

# The address at which the site will be, for the cards of pasted links; - leaves it open.
SITE ?= -
site: ## build/site, the lab as files for a host without a server (SITE=https://ADDRESS/ names it): worker/deploy/pages.md
	$(GO) run ./wasm/build -site '$(SITE)' -o build/site

edge-worker:
	for w in $(EDGE_WORKERS); do \
		$(GO) run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o build/edge/$$w; \
		$(EDGE_WASM) $(BUILD) -o build/edge/$$w/app.wasm ./$(EDGE)/$$w; \
		$(GO) run ./wasm/build -join build/edge/$$w/app.wasm; done

# The compiler spends a quarter less of the processor's time when it collects its garbage more rarely, and tests that
# draw pages or run simulations up to half. Where servers are tested they collect as they do.
check unit web web-best edge-worker hadarlab dist: export GOGC := 400

dist: ## reproducible archives for linux, darwin, windows × amd64, arm64, with checksums: one program that carries the page
	$(GO) test ./core/words -run Missing -complete
	$(GO) run ./wasm/build -best -o worker/cmd/hadarlab/web
	for p in $(PLATFORMS); do mkdir -p build/dist/$$p; \
		GOOS=$${p%-*} GOARCH=$${p#*-} $(BUILD) -tags page -o build/dist/$$p/ ./worker/cmd/hadarlab; done
	$(GO) run ./worker/cmd/dist -o dist -programs build/dist

test: ready scripts race parity size e2e ## everything, from a bare machine
	@cat $(SKIPPED)/*.txt
	@if [ -n "$$(cat $(SKIPPED)/*.txt)" ]; then echo "all other tests passed"; else echo "all tests passed"; fi

# What needs only Go does not wait for what is installed meanwhile.
ready:
	@mkdir -p build
	@echo "the tools are being installed, see build/tools.log"; $(MAKE) tools >build/tools.log 2>&1 & tools=$$!; \
		$(MAKE) check unit SCRIPTS=; wait $$tools || { cat build/tools.log; exit 1; }

tools: $(NODE_MODULES) ## install what `test` needs: Chromium, Node, wrangler, axe-core, qemu-user, gcc, buildah (root or sudo)
	e2e/tools.sh

$(NODE_MODULES): $(EDGE)/package-lock.json $(EDGE)/mend.mjs
	e2e/tools.sh node
	npm ci --prefix $(EDGE) --no-audit --no-fund --ignore-scripts
	node $(EDGE)/mend.mjs
	@echo 'module node_modules // so that ./... does not look here: an old Go does not know ignore' >$(EDGE)/node_modules/go.mod
	@touch $@

# The scripts' types need Node: they are checked where the tools are installed, and by `test` always.
SCRIPTS ?= $(wildcard $(NODE_MODULES))
check: ## format, vet, staticcheck, builds for every target, import table, fused arithmetic, module file; scripts, after `make scripts`
	@bad=$$(find core app wasm worker scenarios e2e examples -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l); \
		[ -z "$$bad" ] || { echo "run gofmt -w on:" $$bad; exit 1; }
	$(GO) vet ./...
	$(WASM) $(GO) vet $(WASM_PACKAGES)
	$(GO) build ./...
	$(WASM) $(GO) build $(WASM_PACKAGES)
	GOOS=linux GOARCH=arm64 $(GO) build ./core/...
	$(GO) test ./core -run Arch
	$(GO) test ./core/words -run Missing -v | grep lacks || true
	e2e/fused.sh
	$(GO) tool -modfile=.ci/lint.mod staticcheck ./...
	$(GO) mod tidy -diff
	$(if $(SCRIPTS),e2e/scripts/check.sh)

scripts: $(NODE_MODULES) ## types of the page's scripts (tsc), and the rules that they share with the server
	e2e/scripts/check.sh

unit:
	$(call tell,unit) $(GO) test -json -timeout 30m $$($(GO) list ./... | grep -v -e /e2e$$ -e /worker -e /app/elm$$ -e /app/engine$$)
	$(call tell,plain) $(GO) test -json -run '$(PLAIN)' $(RACY)

race:
	$(call tell,race) env CGO_ENABLED=1 $(GO) test -json -race $(UNWATCHED) -timeout 30m -skip '$(PLAIN)' $(RACY)

laws: ## 10,000 random scenarios a policy through every invariant and the reference engine
	$(GO) test ./core/simtest -timeout 2h -scenarios 10000

# The other targets are held to the recorded results: whatever else a test shows, it shows natively.
# A processor of level v3 needs nobody to act it.
V3 = $(shell grep -qs 'fma.*movbe.*avx2.*bmi2' /proc/cpuinfo || echo qemu-x86_64 -cpu max)
GOLDEN := ./core/lab ./core/lp ./core/chart/draw ./core/scenario ./core/allocate ./core/link ./core/imports -run 'Golden|Hashes'
parity: ## the goldens, core/unit and the engine as WebAssembly in Node, on amd64 v3 and on arm64 (emulated)
	$(call tell,node-unit) env $(WASM) $(GO) test -json -exec "'$(CURDIR)/e2e/wasmexec.sh'" ./core/unit ./core/star ./wasm/loop
	$(call tell,node) env $(WASM) $(GO) test -json -exec "'$(CURDIR)/e2e/wasmexec.sh'" $(GOLDEN)
	$(call tell,v3) env GOAMD64=v3 $(GO) test -json -exec '$(V3)' ./core/unit ./core/lab -run 'Hashes|ExpAndLog'
	$(call tell,arm64) env GOARCH=arm64 $(GO) test -json -exec qemu-aarch64 ./core/unit ./core/lab -run 'Hashes|ExpAndLog'

# Pages that are open at once.
TABS ?= 3
e2e: $(NODE_MODULES) hadarlab web edge-worker ## a real browser, the native server and the edge runtime
	$(call tell,e2e) $(GO) test -json -count=1 -timeout 45m -parallel $(TABS) ./e2e

lesson: $(NODE_MODULES) hadarlab web edge-worker ## a class of 30 in their browsers through the whole assignment, natively and at the edge
	$(GO) test ./e2e -run 'TestLesson$$' -count=1 -v -students 30 -timeout 30m

golden: ## rewrite the goldens, or with POLICY=ID only the hashes of that policy (look at the difference before you commit)
	UPDATE_GOLDEN=1 GOLDEN_POLICY=$(POLICY) $(GO) test -count=1 $(if $(POLICY),./core/lab -run Hashes,$(GOLDEN))

corpus: hadarlab ## write what this release writes into e2e/released, which every later one opens: the last step before a tag
	$(GO) run ./e2e/released/make

# Through a file of its own: what is embedded must stand while the program is built, and stay if it fails.
train-data: ## train again what the manual shows of HadarE's copies, about 15 s (look at the difference before you commit)
	@mkdir -p build
	$(GO) run ./worker/cmd/hadarlab train --format json >build/train.json
	mv build/train.json worker/cmd/hadarlab/train.json

# Through files of their own, as above: what was measured is embedded in the program that measures.
papers: hadarlab ## try every claim of the paper board in full, on all cores; goes on where it was interrupted
	bin/hadarlab claims --all --movers --keep build/claims --record core/claims/results.json
	bin/hadarlab claims --ranks core/claims/ranks.json --keep build/claims
	$(BUILD) -o bin/ ./worker/cmd/hadarlab
	bin/hadarlab claims --format markdown >build/PAPERS.md
	mv build/PAPERS.md PAPERS.md

# The pairs come last, so that all is measured and they decide how it ends.
bench: $(NODE_MODULES) hadarlab web edge-worker ## benchmarks natively and in a real browser; fails if whole runs take 10 % more than before the last change
	$(GO) test -run '^$$' -bench . -benchmem ./core/...
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 20m ./e2e
	$(GO) run ./e2e/bench pairs

load: $(NODE_MODULES) hadarlab web edge-worker ## a class of 300 for a minute and in a lesson, each attack for 20 seconds, a sweep of 500 messages through three kills
	$(GO) test ./worker/load -run '^$$' -bench . -benchtime 1x -timeout 20m
	$(GO) test ./e2e -run TestSweepOutlivesTheRuntime -count=1 -v -messages 500 -kills 3 -timeout 30m

size: $(NODE_MODULES) web-best edge-worker ## sizes of the page and of both modules of the edge; fails over budget
	PAGE=$(PAGE_BUDGET) UPLOAD=$(EDGE_UPLOAD) e2e/size.sh page=$(PAGE_WORKER_BUDGET) simulator=$(SIMULATOR_BUDGET)

edge: $(NODE_MODULES) web edge-worker ## both Workers and their queue in the local edge runtime at http://localhost:8787
	$(WRANGLER) dev 8787 data/edge

deploy: $(NODE_MODULES) size ## both Workers to Cloudflare, for who has made a database and a queue: worker/deploy/cloudflare.md
	$(WRANGLER) deploy

FUZZTIME ?= 30s
fuzz: ## every fuzz target for FUZZTIME (30s); one that only ended late, on a busy machine, is named and fails nothing
	FUZZTIME=$(FUZZTIME) e2e/fuzz.sh ./core/... ./worker/...
