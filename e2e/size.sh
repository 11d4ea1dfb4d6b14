#!/usr/bin/env bash
# Prints the sizes of both modules as a reader downloads them and fails over BUDGET bytes of gzip.
set -euo pipefail
cd "$(dirname "$0")/.."
budget=${BUDGET:?}
over=0

printf '%-22s %10s %10s %10s\n' module raw gzip brotli
for f in build/app.wasm build/edge/app.wasm; do
	gz=$(gzip -9c "$f" | wc -c)
	br=$(if command -v brotli >/dev/null; then brotli -q 11 -c "$f" | wc -c; else echo -; fi)
	printf '%-22s %10d %10d %10s\n' "$f" "$(wc -c <"$f")" "$gz" "$br"
	[ "$gz" -le "$budget" ] || { echo "$f is over the budget of $budget bytes gzip" >&2; over=1; }
done

upload=$(worker/cmd/edge/wrangler.sh size | grep 'Total Upload')
echo "edge upload: $upload"
kib=$(sed -E 's/.*gzip: ([0-9.]+) KiB.*/\1/' <<<"$upload")
awk -v kib="$kib" -v budget="$budget" 'BEGIN { exit !(kib > 0 && kib * 1024 <= budget) }' ||
	{ echo "the edge upload is over the budget of $budget bytes gzip" >&2; over=1; }
exit $over
