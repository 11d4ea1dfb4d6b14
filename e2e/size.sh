#!/usr/bin/env bash
# Prints the sizes of the page's program, of the edge's modules and of their uploads, and fails over PAGE bytes of gzip
# of the first, NAME=BYTES of the module NAME and UPLOAD of each upload. The program that builds the page holds it to its
# budget of brotli.
set -euo pipefail
cd "$(dirname "$0")/.."
most=${UPLOAD:?}
over=0

# weigh NAME FILE BUDGET
weigh() {
	local gz
	gz=$(gzip -9c "$2" | wc -c)
	echo "$1: $(wc -c <"$2") bytes, gzip $gz"
	[ "$gz" -le "$3" ] || { echo "$2 is over the budget of $3 bytes gzip" >&2; over=1; }
}

weigh "page" build/app.wasm "${PAGE:?}"
for of in "$@"; do
	weigh "edge module ${of%=*}" "build/edge/${of%=*}/app.wasm" "${of#*=}"
done

uploads=$(worker/cmd/edge/wrangler.sh size | grep 'Total Upload')
while read -r upload; do
	echo "edge upload: $upload"
	kib=$(sed -E 's/.*gzip: ([0-9.]+) KiB.*/\1/' <<<"$upload")
	awk -v kib="$kib" -v most="$most" 'BEGIN { exit !(kib > 0 && kib * 1024 <= most) }' ||
		{ echo "the edge upload is over the budget of $most bytes gzip" >&2; over=1; }
done <<<"$uploads"
exit $over
