#!/bin/sh
# Holds the page's scripts to their types and to the rules that they share with the Go side: make scripts.
set -e
cd "$(dirname "$0")/../.."
for part in page worker; do
	node worker/cmd/edge/node_modules/typescript/bin/tsc -p "e2e/scripts/$part.json"
done
node e2e/scripts/test.mjs
