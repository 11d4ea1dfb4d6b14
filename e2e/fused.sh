#!/usr/bin/env bash
# Fails if the compiler fused a product and a sum in core's own code for arm64: the fused result has
# other last bits than the separate ones on amd64 and WebAssembly. Write float64(x*y) + z.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}

found=$(GOOS=linux GOARCH=arm64 "$GO" list -export -f '{{.ImportPath}} {{.Export}}' ./core/... |
	while read -r package object; do
		[ -n "$object" ] || continue # only test files
		"$GO" tool objdump "$object" | awk -v package="$package" '
			/^TEXT / { symbol = $2 }
			/\tFN?M(ADD|SUB)[SD]?[ \t]/ && index(symbol, "hadarlab/core/") == 1 { print symbol, $1 }'
	done)
if [ -n "$found" ]; then
	echo "fused multiply-add in core (write float64(x*y) + z):" >&2
	echo "$found" >&2
	exit 1
fi
echo "no fused arithmetic in core"
