# The few things that are done often. Each is one command that works without make too.

VERSION ?= $(shell git describe --tags --always --dirty)
COMMIT  ?= $(shell git rev-parse HEAD)
FUZZTIME ?= 5m

.PHONY: build test lint bench fuzz

build: ## the binary, in bin/
	CGO_ENABLED=0 go build -trimpath -o bin/auto -ldflags '-s -w -X github.com/beonauto/auto/cli.version=$(VERSION) -X github.com/beonauto/auto/cli.commit=$(COMMIT)' ./cmd/auto

test: ## every test
	go test ./...

lint: ## formatting, vet and, where it is installed, golangci-lint
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt these files:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	@if command -v golangci-lint >/dev/null; then golangci-lint run; fi

bench: ## auto beside its peers, then every benchmark, with memory
	fixtures/peers/compare.sh
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## each fuzz target for FUZZTIME
	@go list -f '{{.Dir}}' ./... | while read -r dir; do \
		grep -hos 'func Fuzz[A-Za-z0-9_]*' "$$dir"/*_test.go | sed 's/func //' | while read -r target; do \
			echo "$$dir $$target"; (cd "$$dir" && go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) .) || exit 1; \
		done || exit 1; \
	done
