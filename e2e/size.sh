#!/usr/bin/env bash
# Prints the sizes of the edge's modules and of their uploads, and fails over NAME=BYTES of gzip of the module NAME and
# UPLOAD of each upload. The page's sizes are told, and held to their budget, by the program that builds it.
set -euo pipefail
cd "$(dirname "$0")/.."
most=${UPLOAD:?}
over=0

for of in "$@"; do
	name=${of%=*} budget=${of#*=}
	module=build/edge/$name/app.wasm
	gz=$(gzip -9c "$module" | wc -c)
	echo "edge module $name: $(wc -c <"$module") bytes, gzip $gz"
	[ "$gz" -le "$budget" ] || { echo "$module is over the budget of $budget bytes gzip" >&2; over=1; }
done

uploads=$(worker/cmd/edge/wrangler.sh size | grep 'Total Upload')
while read -r upload; do
	echo "edge upload: $upload"
	kib=$(sed -E 's/.*gzip: ([0-9.]+) KiB.*/\1/' <<<"$upload")
	awk -v kib="$kib" -v most="$most" 'BEGIN { exit !(kib > 0 && kib * 1024 <= most) }' ||
		{ echo "the edge upload is over the budget of $most bytes gzip" >&2; over=1; }
done <<<"$uploads"
exit $over
